/** Box — https://developer.box.com/guides/authentication/oauth2 · callback: <origin>/auth/callback/box */
import type { OAuth2Config, OAuthUserConfig } from './types.js'

/** What Box's user endpoint tells. */
export interface BoxProfile {
  id: string
  name: string
  /** The address that the person signs in to Box with. */
  login: string | null
  /** Empty where there is none. */
  avatar_url?: string | null
  [field: string]: unknown
}

/** Signs in with Box. Create a custom app with "User Authentication (OAuth 2.0)"; its scopes are those of the app. */
export default function Box(options: OAuthUserConfig<BoxProfile> = {}): OAuth2Config<BoxProfile> {
  return {
    id: 'box',
    name: 'Box',
    type: 'oauth',
    authorization: 'https://account.box.com/api/oauth2/authorize',
    token: 'https://api.box.com/oauth2/token',
    userinfo: 'https://api.box.com/2.0/users/me',
    client: { token_endpoint_auth_method: 'client_secret_basic' },
    profile: ({ id, name, login, avatar_url }) => ({
      id: String(id),
      name: name ?? null,
      email: login ?? null,
      image: avatar_url || null,
    }),
    style: { brandColor: '#0075C9' },
    options,
  }
}
