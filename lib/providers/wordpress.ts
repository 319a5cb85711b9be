/** WordPress.com — https://developer.wordpress.com/docs/oauth2 · callback: <origin>/auth/callback/wordpress */
import type { OAuth2Config, OAuthUserConfig } from './types.js'

/** What WordPress.com tells of a person. */
export interface WordPressProfile {
  ID: number
  display_name?: string
  username?: string
  email?: string
  email_verified?: boolean
  avatar_URL?: string
  [field: string]: unknown
}

/** Signs in with WordPress.com. Create an application there and enter the callback URL under "Redirect URLs". */
export default function WordPress(options: OAuthUserConfig<WordPressProfile> = {}): OAuth2Config<WordPressProfile> {
  return {
    id: 'wordpress',
    name: 'WordPress.com',
    type: 'oauth',
    authorization: { url: 'https://public-api.wordpress.com/oauth2/authorize', params: { scope: 'auth' } },
    token: 'https://public-api.wordpress.com/oauth2/token',
    userinfo: 'https://public-api.wordpress.com/rest/v1/me',
    client: { token_endpoint_auth_method: 'client_secret_post' },
    profile: ({ ID, display_name, username, email, avatar_URL }) => ({
      id: String(ID),
      name: display_name ?? username ?? null,
      email: email ?? null,
      image: avatar_URL ?? null,
    }),
    style: { brandColor: '#21759B' },
    options,
  }
}
