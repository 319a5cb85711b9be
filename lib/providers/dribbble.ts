/** Dribbble — https://developer.dribbble.com/v2/oauth · callback: <origin>/auth/callback/dribbble */
import type { OAuth2Config, OAuthUserConfig } from './types.js'

/** What Dribbble's user endpoint tells. */
export interface DribbbleProfile {
  id: number
  login: string
  name: string | null
  /** Not in the documented answer. */
  email?: string | null
  avatar_url?: string | null
  [field: string]: unknown
}

/** Options of the provider; `scope` replaces `public`. */
export type DribbbleOptions = OAuthUserConfig<DribbbleProfile> & { scope?: string }

/** Signs in with Dribbble. Register an application there with the callback URL. */
export default function Dribbble(options: DribbbleOptions = {}): OAuth2Config<DribbbleProfile> {
  return {
    id: 'dribbble',
    name: 'Dribbble',
    type: 'oauth',
    authorization: { url: 'https://dribbble.com/oauth/authorize', params: { scope: options.scope ?? 'public' } },
    token: 'https://dribbble.com/oauth/token',
    userinfo: 'https://api.dribbble.com/v2/user',
    client: { token_endpoint_auth_method: 'client_secret_basic' },
    profile: ({ id, name, login, email, avatar_url }) => ({
      id: String(id),
      name: name ?? login ?? null,
      email: email ?? null,
      image: avatar_url ?? null,
    }),
    style: { brandColor: '#ea4c89' },
    options,
  }
}
