/**
 * Email links over SMTP. Needs `npm install nodemailer`, an adapter, and in production `AUTH_URL`. No callback URL
 * needs to be registered; links lead to `<origin>/auth/callback/email`.
 */
import { type SmtpOptions, smtpProvider } from '../mail/smtp.js'
import type { EmailConfig } from '../types/provider.js'

/** The options: `server` and `from`, or a `sendVerificationRequest`; and the options of any email provider. */
export type EmailOptions = SmtpOptions

/**
 * Sends users an email link that signs them in.
 *
 * Environment: `AUTH_URL` in production. https://nodemailer.com/smtp
 *
 * @throws TypeError without `server` or `from`, if `server` is a text but not the URL of an SMTP server, and if
 *   nodemailer is not installed. With a `sendVerificationRequest` none of these is needed.
 *
 * @example
 * ```ts
 * Email({ server: 'smtps://user:password@smtp.example.com', from: 'Example <hello@example.com>' })
 * ```
 */
export default function Email(options: EmailOptions): EmailConfig {
  return smtpProvider({ id: 'email', name: 'Email' }, options)
}
