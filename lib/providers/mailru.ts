/** Mail.ru — https://id.vk.com/about/business/go/docs/ru/vkid/latest/oauth/oauth-mail/index · callback: <origin>/auth/callback/mailru */
import type { OAuth2Config, OAuthUserConfig, UserinfoEndpoint } from '../types/provider.js'

/** The response of Mail.ru's user endpoint. */
export interface MailruProfile {
  id: string
  name?: string
  nickname?: string
  first_name?: string
  last_name?: string
  email?: string
  image?: string
  [field: string]: unknown
}

/**
 * Signs in with Mail.ru. The app there needs the callback URL, spelled exactly.
 *
 * Environment: `AUTH_MAILRU_ID` and `AUTH_MAILRU_SECRET`.
 * https://id.vk.com/about/business/go/docs/ru/vkid/latest/oauth/oauth-mail/index
 */
export default function Mailru(options: OAuthUserConfig<MailruProfile> = {}): OAuth2Config<MailruProfile> {
  return {
    id: 'mailru',
    name: 'Mail.ru',
    type: 'oauth',
    authorization: { url: 'https://oauth.mail.ru/login', params: { scope: 'userinfo' } },
    token: 'https://oauth.mail.ru/token',
    userinfo: { url: 'https://oauth.mail.ru/userinfo', request: requestMailruProfile },
    profile: ({ id, name, nickname, email, image }) => ({
      id: String(id),
      name: name || nickname || null,
      email: email ?? null,
      image: image ?? null,
    }),
    style: {
      brandColor: '#005ff9',
      mark: 'M15.61 12c0 1.99-1.62 3.61-3.61 3.61-1.99 0-3.61-1.62-3.61-3.61 0-1.99 1.62-3.61 3.61-3.61 1.99 0 3.61 1.62 3.61 3.61M12 0C5.383 0 0 5.383 0 12s5.383 12 12 12c2.424 0 4.761-.722 6.76-2.087l.034-.024-1.617-1.879-.027.017A9.494 9.494 0 0 1 12 21.54c-5.26 0-9.54-4.28-9.54-9.54 0-5.26 4.28-9.54 9.54-9.54 5.26 0 9.54 4.28 9.54 9.54a9.63 9.63 0 0 1-.225 2.05c-.301 1.239-1.169 1.618-1.82 1.568-.654-.053-1.42-.52-1.426-1.661V12A6.076 6.076 0 0 0 12 5.93 6.076 6.076 0 0 0 5.93 12 6.076 6.076 0 0 0 12 18.07a6.02 6.02 0 0 0 4.3-1.792 3.9 3.9 0 0 0 3.32 1.805c.874 0 1.74-.292 2.437-.821.719-.547 1.256-1.336 1.553-2.285.047-.154.135-.504.135-.507l.002-.013c.175-.76.253-1.52.253-2.457 0-6.617-5.383-12-12-12',
    },
    options,
  }
}

/** Requests the profile. Mail.ru reads the token from the query, and reports an error with status 200. */
const requestMailruProfile: NonNullable<UserinfoEndpoint['request']> = async ({ fetch, tokens }) => {
  const query = new URLSearchParams({ access_token: tokens.access_token ?? '' })
  const response = await fetch(`https://oauth.mail.ru/userinfo?${query}`, { headers: { accept: 'application/json' } })
  if (!response.ok) throw new Error(`Mail.ru answered with status ${response.status}`)
  const profile = (await response.json()) as MailruProfile
  if (profile.error) throw new Error(`Mail.ru answered with the error ${profile.error}`)
  return profile
}
