/** Starts the application with two customers, and with all that they bring: an identity provider, mailboxes, DNS. */
import { randomBytes } from 'node:crypto'
import { openIdProvider } from 'server-auth/testing'
import { createCustomers, employees, password } from './customers.js'
import { type Desk, deskRoutes } from './desk.js'
import { startNameServer } from './dns.js'
import { startMailbox } from './mailbox.js'

const port = Number(process.env.PORT ?? 3000)
const [mailbox, nameServer] = [await startMailbox(), await startNameServer()]
const provider = await openIdProvider({ users: employees, port: Number(process.env.PROVIDER_PORT ?? port + 1) })

// The configuration reads the environment. Everything is new at each start.
Object.assign(process.env, {
  AUTH_SECRET: randomBytes(32).toString('base64url'),
  DATABASE_URL: ':memory:',
  SMTP_URL: mailbox.url,
  PRIVATE_ORIGINS: provider.issuer,
  NAME_SERVERS: nameServer.address,
})
const { createApp } = await import('../src/app.js')

const desk: Desk = { mailbox, nameServer, key: '' }
createApp(deskRoutes(desk)).listen(port, '127.0.0.1', async (error) => {
  if (error) throw error
  const origin = `http://localhost:${port}`
  desk.key = await createCustomers({ origin, mailbox, provider })
  console.log(`
The application is at    ${origin}, and at http://localhost:8080 behind nginx
Emails, DNS and codes    ${origin}/demo
The password of all is   ${password}

bea@beta.example    owner of Beta
ben@beta.example    member of Beta
ann@acme.example    owner of Acme. By Acme's identity provider, or with her password at ${origin}/auth/signin/password
carl@acme.example   member of Acme. His password leads to the identity provider
alice@acme.example  not known yet. Acme's identity provider has her

Stop it with Ctrl+C.`)
})
