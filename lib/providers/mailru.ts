/** Mail.ru — https://id.vk.com/about/business/go/docs/ru/vkid/latest/oauth/oauth-mail/index · callback: <origin>/auth/callback/mailru */
import type { OAuth2Config, OAuthUserConfig, UserinfoEndpoint } from './types.js'

/** What Mail.ru's user endpoint tells. */
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

/** Signs in with Mail.ru. The app there needs the callback URL, exactly as it is. */
export default function Mailru(options: OAuthUserConfig<MailruProfile> = {}): OAuth2Config<MailruProfile> {
  return {
    id: 'mailru',
    name: 'Mail.ru',
    type: 'oauth',
    authorization: { url: 'https://oauth.mail.ru/login', params: { scope: 'userinfo' } },
    token: 'https://oauth.mail.ru/token',
    userinfo: { url: 'https://oauth.mail.ru/userinfo', request },
    profile: ({ id, name, nickname, email, image }) => ({
      id: String(id),
      name: name || nickname || null,
      email: email ?? null,
      image: image ?? null,
    }),
    style: { brandColor: '#005ff9' },
    options,
  }
}

/** Mail.ru reads the token from the query, and tells of an error with status 200. */
const request: NonNullable<UserinfoEndpoint['request']> = async ({ fetch, tokens }) => {
  const query = new URLSearchParams({ access_token: tokens.access_token ?? '' })
  const response = await fetch(`https://oauth.mail.ru/userinfo?${query}`, { headers: { accept: 'application/json' } })
  if (!response.ok) throw new Error(`Mail.ru answered with status ${response.status}`)
  const profile = (await response.json()) as MailruProfile
  if (profile.error) throw new Error(`Mail.ru answered with the error ${profile.error}`)
  return profile
}
