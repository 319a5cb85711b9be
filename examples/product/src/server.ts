/** Starts the application with a mail server. `npm run dev` starts it without one. */
import Nodemailer from 'server-auth/providers/nodemailer'
import { createApp } from './app.js'
import { createAuth } from './auth.js'

const { SMTP_URL = 'smtp://localhost:1025', MAIL_FROM = 'Product <hello@example.com>', PORT = '3000' } = process.env
createApp(createAuth(Nodemailer({ server: SMTP_URL, from: MAIL_FROM }))).listen(PORT, (error) => {
  if (error) throw error
  console.log(`http://localhost:${PORT}`)
})
