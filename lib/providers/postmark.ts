/** Postmark — https://postmarkapp.com/developer/api/email-api · links lead to `<origin>/auth/callback/postmark` */
import { type HttpMailOptions, sendersOf } from '../mail/http-mail.js'
import type { EmailConfig } from '../types/provider.js'

/**
 * Sends email links through Postmark's transactional stream. Verify the sender or its domain there; the API token of
 * the server is the key (`AUTH_POSTMARK_KEY`).
 *
 * Reference: https://postmarkapp.com/developer/api/email-api
 */
export default function Postmark(options: HttpMailOptions): EmailConfig {
  return {
    id: 'postmark',
    name: 'Postmark',
    type: 'email',
    required: ['apiKey', 'from'],
    ...sendersOf(({ identifier, mail, provider }) => ({
      url: 'https://api.postmarkapp.com/email',
      headers: { 'x-postmark-server-token': provider.apiKey ?? '' },
      body: {
        From: provider.from,
        To: identifier,
        Subject: mail.subject,
        HtmlBody: mail.html,
        TextBody: mail.text,
        MessageStream: 'outbound',
        // Click tracking would replace the link by one of Postmark, which opens in other browsers and which others
        // could use to sign in.
        TrackLinks: 'None',
      },
    })),
    options,
  }
}
