/**
 * Nodemailer — https://nodemailer.com · links lead to `<origin>/auth/callback/nodemailer`. It equals `email`, with the
 * id that existing applications may have in their forms and databases. Needs `npm install nodemailer`.
 */
import { type SmtpOptions, smtpProvider } from '../mail/smtp.js'
import type { EmailConfig } from '../types/provider.js'

/** The options: `server` and `from`, or a `sendVerificationRequest`; and the options of any email provider. */
export type NodemailerOptions = SmtpOptions

/**
 * Sends users an email link that signs them in, over SMTP.
 *
 * Environment: `AUTH_URL` in production. https://nodemailer.com
 *
 * @throws TypeError without `server` or `from`, if `server` is a text but not the URL of an SMTP server, and if
 *   nodemailer is not installed. With a `sendVerificationRequest` none of these is needed.
 */
export default function Nodemailer(options: NodemailerOptions): EmailConfig {
  return smtpProvider({ id: 'nodemailer', name: 'Nodemailer' }, options)
}
