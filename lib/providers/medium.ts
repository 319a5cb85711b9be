/** Medium — https://github.com/Medium/medium-api-docs · callback: <origin>/auth/callback/medium */
import type { OAuth2Config, OAuthUserConfig, TokenEndpoint } from '../types/provider.js'

/** The response of Medium's user endpoint, in its envelope. */
export interface MediumProfile {
  data: { id: string; username?: string; name?: string; url?: string; imageUrl?: string; [field: string]: unknown }
  [field: string]: unknown
}

/**
 * Signs in with Medium. Only for applications that are registered there already: Medium accepts no new ones, and
 * archived the documentation of its API, as no longer supported, on 2023-03-02.
 *
 * Environment: `AUTH_MEDIUM_ID` and `AUTH_MEDIUM_SECRET`. https://github.com/Medium/medium-api-docs
 */
export default function Medium(options: OAuthUserConfig<MediumProfile> = {}): OAuth2Config<MediumProfile> {
  return {
    id: 'medium',
    name: 'Medium',
    type: 'oauth',
    authorization: { url: 'https://medium.com/m/oauth/authorize', params: { scope: 'basicProfile' } },
    token: { url: 'https://api.medium.com/v1/tokens', conform: conformMediumTokens },
    userinfo: 'https://api.medium.com/v1/me',
    // There are no public clients, so a missing secret is reported at construction.
    client: { token_endpoint_auth_method: 'client_secret_basic' },
    profile: ({ data: { id, name, username, imageUrl } }) => ({
      id,
      name: name ?? username ?? null,
      email: null,
      image: imageUrl ?? null,
    }),
    style: {
      brandColor: '#000000',
      mark: 'M4.21 0A4.201 4.201 0 0 0 0 4.21v15.58A4.201 4.201 0 0 0 4.21 24h15.58A4.201 4.201 0 0 0 24 19.79v-1.093c-.137.013-.278.02-.422.02-2.577 0-4.027-2.146-4.09-4.832a7.592 7.592 0 0 1 .022-.708c.093-1.186.475-2.241 1.105-3.022a3.885 3.885 0 0 1 1.395-1.1c.468-.237 1.127-.367 1.664-.367h.023c.101 0 .202.004.303.01V4.211A4.201 4.201 0 0 0 19.79 0Zm.198 5.583h4.165l3.588 8.435 3.59-8.435h3.864v.146l-.019.004c-.705.16-1.063.397-1.063 1.254h-.003l.003 10.274c.06.676.424.885 1.063 1.03l.02.004v.145h-4.923v-.145l.019-.005c.639-.144.994-.353 1.054-1.03V7.267l-4.745 11.15h-.261L6.15 7.569v9.445c0 .857.358 1.094 1.063 1.253l.02.004v.147H4.405v-.147l.019-.004c.705-.16 1.065-.397 1.065-1.253V6.987c0-.857-.358-1.094-1.064-1.254l-.018-.004zm19.25 3.668c-1.086.023-1.733 1.323-1.813 3.124H24V9.298a1.378 1.378 0 0 0-.342-.047Zm-1.862 3.632c-.1 1.756.86 3.239 2.204 3.634v-3.634z',
    },
    options,
  }
}

/** Conforms the response. Scopes are a list, and the expiry of the token may be in milliseconds. */
const conformMediumTokens: NonNullable<TokenEndpoint['conform']> = async (response) => {
  if (!response.ok) return undefined
  const { scope, expires_at: end, ...tokens } = (await response.json()) as Record<string, unknown>
  return Response.json({
    ...tokens,
    ...(scope !== undefined && { scope: Array.isArray(scope) ? scope.join(',') : scope }),
    ...(typeof end === 'number' && { expires_at: end > 1e11 ? Math.floor(end / 1000) : end }),
  })
}
