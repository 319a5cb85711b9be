/** FreshBooks — https://www.freshbooks.com/api/authentication · callback: <origin>/auth/callback/freshbooks */
import type { OAuth2Config, OAuthUserConfig } from '../types/provider.js'

/** The response of FreshBooks' identity endpoint, in its envelope. */
export interface FreshBooksProfile {
  response: {
    id: number
    first_name?: string | null
    last_name?: string | null
    email?: string | null
    [field: string]: unknown
  }
  [field: string]: unknown
}

/**
 * Signs in with FreshBooks. The app there needs the scope `user:profile:read`, which new ones have, and the callback
 * URL, which must be https.
 *
 * Environment: `AUTH_FRESHBOOKS_ID` and `AUTH_FRESHBOOKS_SECRET`. https://www.freshbooks.com/api/authentication
 */
export default function FreshBooks(options: OAuthUserConfig<FreshBooksProfile> = {}): OAuth2Config<FreshBooksProfile> {
  return {
    id: 'freshbooks',
    name: 'FreshBooks',
    type: 'oauth',
    authorization: { url: 'https://auth.freshbooks.com/oauth/authorize', params: { scope: 'user:profile:read' } },
    token: 'https://api.freshbooks.com/auth/oauth/token',
    userinfo: 'https://api.freshbooks.com/auth/api/v1/users/me',
    // There are no public clients, so a missing secret is reported at construction.
    client: { token_endpoint_auth_method: 'client_secret_basic' },
    profile: ({ response: { id, first_name, last_name, email } }) => ({
      id: String(id),
      name: [first_name, last_name].filter(Boolean).join(' ').trim() || null,
      email: email ?? null,
      image: null,
    }),
    style: { brandColor: '#0075dd' },
    options,
  }
}
