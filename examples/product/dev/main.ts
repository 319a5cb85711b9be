/** Development: an OpenID provider on this machine, and emails in the terminal. */
import Nodemailer from 'server-auth/providers/nodemailer'
import { openIdProvider } from 'server-auth/testing'

const { settings } = await openIdProvider()
Object.assign(process.env, {
  AUTH_COMPANY_ISSUER: settings.issuer,
  AUTH_COMPANY_ID: settings.clientId,
  AUTH_COMPANY_SECRET: settings.clientSecret,
})
// They read the environment.
const { createApp } = await import('../src/app.js')
const { createAuth } = await import('../src/auth.js')

const { PORT = '3000' } = process.env
const mail = Nodemailer({ sendVerificationRequest: ({ identifier, url }) => console.log(`To ${identifier}: ${url}`) })
createApp(createAuth(mail)).listen(PORT, (error) => {
  if (error) throw error
  console.log(`http://localhost:${PORT}`)
})
