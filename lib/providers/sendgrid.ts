/** SendGrid — https://www.twilio.com/docs/sendgrid/api-reference/mail-send · links lead to `<origin>/auth/callback/sendgrid` */
import { type HttpMailOptions, senderParts, sendersOf } from '../mail/http-mail.js'
import type { EmailConfig } from '../types/provider.js'

/**
 * Sends email links through SendGrid. Verify the sender or its domain there, and create an API key that may send emails
 * (`AUTH_SENDGRID_KEY`).
 *
 * Reference: https://www.twilio.com/docs/sendgrid/api-reference/mail-send
 */
export default function SendGrid(options: HttpMailOptions): EmailConfig {
  return {
    id: 'sendgrid',
    name: 'SendGrid',
    type: 'email',
    required: ['apiKey', 'from'],
    ...sendersOf(({ identifier, mail, provider }) => ({
      url: 'https://api.sendgrid.com/v3/mail/send',
      headers: { authorization: `Bearer ${provider.apiKey}` },
      body: {
        personalizations: [{ to: [{ email: identifier }] }],
        from: senderParts(provider.from ?? ''),
        subject: mail.subject,
        // The plain text must come first.
        content: [
          { type: 'text/plain', value: mail.text },
          { type: 'text/html', value: mail.html },
        ],
        // Click tracking would replace the link by one of SendGrid, which opens in other browsers and which others
        // could use to sign in.
        tracking_settings: { click_tracking: { enable: false, enable_text: false } },
      },
    })),
    options,
  }
}
