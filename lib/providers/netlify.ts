/** Netlify — https://docs.netlify.com/api/get-started/#authentication · callback: <origin>/auth/callback/netlify */
import type { OAuth2Config, OAuthUserConfig } from './types.js'

/** What Netlify's user endpoint tells. */
export interface NetlifyProfile {
  id: string
  full_name?: string | null
  email?: string | null
  avatar_url?: string | null
  [field: string]: unknown
}

/** Signs in with Netlify. Create an OAuth application in the user settings; its redirect URI is the callback URL. */
export default function Netlify(options: OAuthUserConfig<NetlifyProfile> = {}): OAuth2Config<NetlifyProfile> {
  return {
    id: 'netlify',
    name: 'Netlify',
    type: 'oauth',
    // There are no scopes: a token may do what the person may do.
    authorization: 'https://app.netlify.com/authorize',
    token: 'https://api.netlify.com/oauth/token',
    userinfo: 'https://api.netlify.com/api/v1/user',
    client: { token_endpoint_auth_method: 'client_secret_basic' },
    profile: ({ id, full_name, email, avatar_url }) => ({
      id,
      name: full_name ?? null,
      email: email ?? null,
      image: avatar_url ?? null,
    }),
    style: { brandColor: '#32e6e2' },
    options,
  }
}
