import express from 'express'
import Credentials from 'server-auth/providers/credentials'
import { tenants } from 'server-auth/tenants'
import { findCustomer, idOf } from './customers.js'

const auth = tenants({
  key: ({ host }) => idOf(host),
  ttl: Number(process.env.TTL ?? 300),
  async load(id) {
    const customer = await findCustomer(id)
    if (!customer) return null
    return {
      origins: customer.origins,
      theme: { name: customer.name },
      providers: [
        Credentials({
          credentials: { email: { label: 'Email', type: 'email' }, password: { label: 'Password', type: 'password' } },
          // For a first try. Replace it with the identity provider of the customer, or with stored passwords.
          authorize: ({ email, password }) => (password === customer.password ? { id: email, email } : null),
        }),
      ],
    }
  },
})

const app = express()
// nginx is the only proxy, and overwrites the headers of clients.
app.set('trust proxy', 'loopback')
app.use(auth.requireTenant())
app.use('/auth', auth.router)
app.get('/', auth.requireSession(), async (req, res) => {
  res.json({ tenant: await auth.tenant(req), user: res.locals.session.user.email })
})
app.listen(process.env.PORT ?? 3000, '127.0.0.1')
