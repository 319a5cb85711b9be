/**
 * Pinterest — https://developers.pinterest.com/docs/getting-started/set-up-authentication-and-authorization
 * callback: <origin>/auth/callback/pinterest
 */
import type { OAuth2Config, OAuthUserConfig } from './types.js'

/** What Pinterest's account endpoint tells. */
export interface PinterestProfile {
  /** Not told by Pinterest at all times. */
  id?: string
  username: string
  profile_image?: string | null
  account_type?: 'PINNER' | 'BUSINESS'
  business_name?: string | null
  [field: string]: unknown
}

/** Signs in with Pinterest. The app needs access to `user_accounts:read` and the callback URL. There is no address. */
export default function Pinterest(options: OAuthUserConfig<PinterestProfile> = {}): OAuth2Config<PinterestProfile> {
  return {
    id: 'pinterest',
    name: 'Pinterest',
    type: 'oauth',
    authorization: { url: 'https://www.pinterest.com/oauth', params: { scope: 'user_accounts:read' } },
    token: 'https://api.pinterest.com/v5/oauth/token',
    userinfo: 'https://api.pinterest.com/v5/user_account',
    // There are no public clients: a missing secret is told at construction.
    client: { token_endpoint_auth_method: 'client_secret_basic' },
    profile: ({ id, username, profile_image }) => ({
      // A name can be given up, and taken by somebody else.
      id: id ?? username,
      name: username,
      email: null,
      image: profile_image ?? null,
    }),
    style: { brandColor: '#bd081c' },
    options,
  }
}
