/**
 * E-mail links over SMTP. Needs `npm install nodemailer`, an adapter, and in production `AUTH_URL`.
 * No callback URL is registered anywhere; links lead to `<origin>/auth/callback/email`.
 */
import { type SmtpOptions, smtpProvider } from '../mail/smtp.js'
import type { EmailConfig } from '../types/provider.js'

/** Options: `server` and `from`, or a `sendVerificationRequest`; and what else an e-mail provider has. */
export type EmailOptions = SmtpOptions

/**
 * Mails people a link that signs them in.
 *
 * Environment: `AUTH_URL` in production. https://nodemailer.com/smtp
 *
 * @throws TypeError without `server` or `from`, when `server` is a text but no URL of an SMTP server, and where nodemailer is
 * not installed. With a `sendVerificationRequest` none of these is needed.
 *
 * @example
 * ```ts
 * Email({ server: 'smtps://user:password@smtp.example.com', from: 'Example <hello@example.com>' })
 * ```
 */
export default function Email(options: EmailOptions): EmailConfig {
  return smtpProvider({ id: 'email', name: 'Email' }, options)
}
