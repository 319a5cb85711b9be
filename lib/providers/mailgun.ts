/** Mailgun — https://documentation.mailgun.com/docs/mailgun/api-reference/send/mailgun/messages · links lead to `<origin>/auth/callback/mailgun` */
import { basicAuthorization, type HttpMailOptions, senderParts, sendersOf } from '../mail/http-mail.js'
import type { EmailConfig } from '../types/provider.js'

/** The options of an email provider, and the region of the domain. */
export type MailgunOptions = HttpMailOptions & DomainOptions

/** The options of the sending domain. */
interface DomainOptions {
  /** The region in which the domain was created. Default `US`. */
  region?: 'US' | 'EU'
  /** The sending domain. Default: the one of `from`. */
  domain?: string
}

const hosts: Readonly<Record<string, string>> = { US: 'api.mailgun.net', EU: 'api.eu.mailgun.net' }

/**
 * Sends email links through Mailgun. Verify a domain there, and create a sending key for it (`AUTH_MAILGUN_KEY`).
 *
 * Reference: https://documentation.mailgun.com/docs/mailgun/api-reference/send/mailgun/messages
 *
 * @throws TypeError for another `region` than `US` and `EU`, or a `from` without a domain.
 */
export default function Mailgun(options: MailgunOptions): EmailConfig {
  const { region = 'US', from, domain = from && senderParts(from).email.split('@')[1] } = options ?? {}
  if (!Object.hasOwn(hosts, region)) throw new TypeError('Mailgun: `region` must be "US" or "EU".')
  if (from && !domain) throw new TypeError('Mailgun: `from` must be an address such as "Example <hello@example.com>".')
  return {
    id: 'mailgun',
    name: 'Mailgun',
    type: 'email',
    required: ['apiKey', 'from'],
    ...sendersOf(({ identifier, mail, provider }) => {
      const body = new FormData()
      body.set('from', provider.from ?? '')
      body.set('to', identifier)
      body.set('subject', mail.subject)
      body.set('html', mail.html)
      body.set('text', mail.text)
      // Click tracking would replace the link by one of Mailgun, which opens in other browsers and which others could
      // use to sign in.
      body.set('o:tracking-clicks', 'no')
      return {
        url: `https://${hosts[region]}/v3/${encodeURIComponent(domain ?? '')}/messages`,
        headers: { authorization: basicAuthorization('api', provider.apiKey ?? '') },
        body,
      }
    }),
    options,
  }
}
