/** Medium — https://github.com/Medium/medium-api-docs · callback: <origin>/auth/callback/medium */
import type { OAuth2Config, OAuthUserConfig, TokenEndpoint } from './types.js'

/** What Medium's user endpoint tells, in its envelope. */
export interface MediumProfile {
  data: { id: string; username?: string; name?: string; url?: string; imageUrl?: string; [field: string]: unknown }
  [field: string]: unknown
}

/**
 * Signs in with Medium. Only for applications that are registered there already: Medium takes no new ones, and archived
 * the documentation of its API, as no longer supported, on 2023-03-02.
 */
export default function Medium(options: OAuthUserConfig<MediumProfile> = {}): OAuth2Config<MediumProfile> {
  return {
    id: 'medium',
    name: 'Medium',
    type: 'oauth',
    authorization: { url: 'https://medium.com/m/oauth/authorize', params: { scope: 'basicProfile' } },
    token: { url: 'https://api.medium.com/v1/tokens', conform },
    userinfo: 'https://api.medium.com/v1/me',
    // There are no public clients: a missing secret is told at construction.
    client: { token_endpoint_auth_method: 'client_secret_basic' },
    profile: ({ data: { id, name, username, imageUrl } }) => ({
      id,
      name: name ?? username ?? null,
      email: null,
      image: imageUrl ?? null,
    }),
    style: { brandColor: '#000000' },
    options,
  }
}

/** Scopes come as a list, and the end of the token may be in milliseconds. */
const conform: NonNullable<TokenEndpoint['conform']> = async (response) => {
  if (!response.ok) return undefined
  const { scope, expires_at: end, ...tokens } = (await response.json()) as Record<string, unknown>
  return Response.json({
    ...tokens,
    ...(scope !== undefined && { scope: Array.isArray(scope) ? scope.join(',') : scope }),
    ...(typeof end === 'number' && { expires_at: end > 1e11 ? Math.floor(end / 1000) : end }),
  })
}
