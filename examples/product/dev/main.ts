/** Development: an OpenID provider on this machine, and emails in the terminal. */
import Nodemailer from 'server-auth/providers/nodemailer'
import { openIdProvider } from 'server-auth/testing'

const port = Number(process.env.PORT ?? 3000)
const { settings } = await openIdProvider({ port: port + 1 })
Object.assign(process.env, {
  AUTH_COMPANY_ISSUER: settings.issuer,
  AUTH_COMPANY_ID: settings.clientId,
  AUTH_COMPANY_SECRET: settings.clientSecret,
})
// They read the environment.
const { createApp } = await import('../src/app.js')
const { createAuth } = await import('../src/auth.js')

const mail = Nodemailer({ sendVerificationRequest: ({ identifier, url }) => console.log(`To ${identifier}: ${url}`) })
createApp(createAuth(mail)).listen(port, (error) => {
  if (error) throw error
  console.log(`http://localhost:${port}`)
})
