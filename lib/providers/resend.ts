/** Resend — https://resend.com/docs/api-reference/emails/send-email · links lead to `<origin>/auth/callback/resend` */
import { type HttpMailOptions, sendersOf } from '../mail/http-mail.js'
import type { EmailConfig } from '../types/provider.js'

/**
 * Sends email links through Resend. Verify the domain of `from` there, leave its click tracking off, and create an API
 * key with sending access (`AUTH_RESEND_KEY`).
 *
 * Reference: https://resend.com/docs/api-reference/emails/send-email
 */
export default function Resend(options: HttpMailOptions): EmailConfig {
  return {
    id: 'resend',
    name: 'Resend',
    type: 'email',
    required: ['apiKey', 'from'],
    ...sendersOf(({ identifier, mail, provider }) => ({
      url: 'https://api.resend.com/emails',
      headers: { authorization: `Bearer ${provider.apiKey}` },
      body: { from: provider.from, to: [identifier], subject: mail.subject, html: mail.html, text: mail.text },
    })),
    options,
  }
}
