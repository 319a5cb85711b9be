/** Forward Email — https://forwardemail.net/en/email-api#outbound-emails · links lead to `<origin>/auth/callback/forwardemail` */
import { basicAuthorization, type HttpMailOptions, sendersOf } from '../mail/http-mail.js'
import type { EmailConfig } from '../types/provider.js'

/**
 * Sends email links through Forward Email. The domain of `from` needs outbound SMTP there, and `from` an alias; the API
 * token of the account is the key (`AUTH_FORWARDEMAIL_KEY`).
 *
 * Reference: https://forwardemail.net/en/email-api#outbound-emails
 */
export default function ForwardEmail(options: HttpMailOptions): EmailConfig {
  return {
    id: 'forwardemail',
    name: 'Forward Email',
    type: 'email',
    required: ['apiKey', 'from'],
    ...sendersOf(({ identifier, mail, provider }) => ({
      url: 'https://api.forwardemail.net/v1/emails',
      headers: { authorization: basicAuthorization(provider.apiKey ?? '', '') },
      body: { from: provider.from, to: identifier, subject: mail.subject, html: mail.html, text: mail.text },
    })),
    options,
  }
}
