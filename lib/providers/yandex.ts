/** Yandex — https://yandex.com/dev/id/doc · callback: <origin>/auth/callback/yandex */
import type { OAuth2Config, OAuthUserConfig } from '../types/provider.js'

/** The profile of a user at Yandex. */
export interface YandexProfile {
  id: string
  login?: string
  display_name?: string
  real_name?: string
  first_name?: string
  last_name?: string
  default_email?: string
  emails?: string[]
  is_avatar_empty?: boolean
  default_avatar_id?: string
  [field: string]: unknown
}

/**
 * Signs in with Yandex. Select access to login, name, email address and portrait in the app, and enter the callback
 * URL.
 *
 * Environment: `AUTH_YANDEX_ID` and `AUTH_YANDEX_SECRET`. https://yandex.com/dev/id/doc
 */
export default function Yandex(options: OAuthUserConfig<YandexProfile> = {}): OAuth2Config<YandexProfile> {
  return {
    id: 'yandex',
    name: 'Yandex',
    type: 'oauth',
    authorization: {
      url: 'https://oauth.yandex.ru/authorize',
      params: { scope: 'login:info login:email login:avatar' },
    },
    token: 'https://oauth.yandex.ru/token',
    userinfo: 'https://login.yandex.ru/info?format=json',
    profile: (profile) => ({
      id: profile.id,
      name: profile.display_name ?? profile.real_name ?? profile.first_name ?? null,
      email: profile.default_email ?? profile.emails?.[0] ?? null,
      image: yandexAvatar(profile),
    }),
    style: { brandColor: '#ffcc00' },
    options,
  }
}

function yandexAvatar({ is_avatar_empty: isEmpty, default_avatar_id: id }: YandexProfile): string | null {
  return id && !isEmpty ? `https://avatars.yandex.net/get-yapic/${id}/islands-200` : null
}
