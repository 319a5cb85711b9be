/** Concept2 Logbook — https://log.concept2.com/developers/documentation · callback: <origin>/auth/callback/concept2 */
import type { OAuth2Config, OAuthUserConfig } from '../types/provider.js'

/** The response of the logbook's user endpoint. */
export interface Concept2Profile {
  data: {
    id: number
    username: string
    first_name?: string | null
    last_name?: string | null
    email?: string | null
    profile_image?: string | null
    [field: string]: unknown
  }
  [field: string]: unknown
}

/**
 * Signs in with the Concept2 Logbook. The application there needs the callback URL. `results:write` lets an application log
 * workouts; to sign in, `authorization: { params: { scope: 'user:read' } }` is enough.
 *
 * Environment: `AUTH_CONCEPT2_ID` and `AUTH_CONCEPT2_SECRET`. https://log.concept2.com/developers/documentation
 */
export default function Concept2(options: OAuthUserConfig<Concept2Profile> = {}): OAuth2Config<Concept2Profile> {
  return {
    id: 'concept2',
    name: 'Concept2',
    type: 'oauth',
    authorization: {
      url: 'https://log.concept2.com/oauth/authorize',
      params: { scope: 'user:read,results:write' },
    },
    token: 'https://log.concept2.com/oauth/access_token',
    userinfo: 'https://log.concept2.com/api/users/me',
    client: { token_endpoint_auth_method: 'client_secret_basic' },
    profile: ({ data }) => ({
      id: String(data.id),
      name: data.username ?? null,
      email: data.email ?? null,
      image: data.profile_image ?? null,
    }),
    style: { brandColor: '#004b87' },
    options,
  }
}
