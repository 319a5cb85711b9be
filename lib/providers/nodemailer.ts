/**
 * Nodemailer — https://nodemailer.com · links lead to `<origin>/auth/callback/nodemailer`. The same as `email`, with the id
 * that applications may have in their forms and databases already. Needs `npm install nodemailer`.
 */
import { type SmtpOptions, smtpProvider } from '../mail/smtp.js'
import type { EmailConfig } from '../types/provider.js'

/** Options: `server` and `from`, or a `sendVerificationRequest`; and what else an e-mail provider has. */
export type NodemailerOptions = SmtpOptions

/**
 * Mails people a link that signs them in, over SMTP.
 *
 * Environment: `AUTH_URL` in production. https://nodemailer.com
 *
 * @throws TypeError without `server` or `from`, when `server` is a text but no URL of an SMTP server, and where nodemailer is
 * not installed. With a `sendVerificationRequest` none of these is needed.
 */
export default function Nodemailer(options: NodemailerOptions): EmailConfig {
  return smtpProvider({ id: 'nodemailer', name: 'Nodemailer' }, options)
}
