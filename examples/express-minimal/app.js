import express from 'express'
import { getSession, ServerAuth } from 'server-auth'
import Credentials from 'server-auth/providers/credentials'

const people = Credentials({
  credentials: { username: { label: 'User name' }, password: { label: 'Password', type: 'password' } },
  // For a first try: any user with the password "demo". Replace it with a query of your database. `null` rejects the sign-in.
  authorize: ({ username, password }) => (password === 'demo' ? { id: username, name: username } : null),
})
const config = { providers: [people] }

const app = express()
app.use('/auth', ServerAuth(config))
app.get('/', async (req, res) => res.json(await getSession(req, config)))
app.listen(process.env.PORT ?? 3000)
