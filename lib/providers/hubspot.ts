/** HubSpot — https://developers.hubspot.com/docs/api-reference/latest/authentication/manage-oauth-tokens · callback: <origin>/auth/callback/hubspot */
import type { OAuth2Config, OAuthUserConfig, UserinfoEndpoint } from '../types/provider.js'

/** The response of HubSpot about an access token. */
export interface HubSpotProfile {
  user_id: number
  /** The user's email address. */
  user?: string
  /** The account that the user chose. */
  hub_id?: number
  hub_domain?: string
  /** True if the token is valid. */
  active?: boolean
  [field: string]: unknown
}

/**
 * Signs in with HubSpot. The app there needs the scope `oauth` and the callback URL. The API of 2026-03 is used,
 * because v1 ends on 2027-02-16.
 *
 * Environment: `AUTH_HUBSPOT_ID` and `AUTH_HUBSPOT_SECRET`.
 * https://developers.hubspot.com/docs/api-reference/latest/authentication/manage-oauth-tokens
 */
export default function HubSpot(options: OAuthUserConfig<HubSpotProfile> = {}): OAuth2Config<HubSpotProfile> {
  const api = 'https://api.hubapi.com/oauth/2026-03'
  return {
    id: 'hubspot',
    name: 'HubSpot',
    type: 'oauth',
    authorization: { url: 'https://app.hubspot.com/oauth/authorize', params: { scope: 'oauth' } },
    token: `${api}/token`,
    userinfo: { url: `${api}/token/introspect`, request: introspect(`${api}/token/introspect`) },
    client: { token_endpoint_auth_method: 'client_secret_post' },
    profile: ({ user_id, user }) => ({ id: String(user_id), name: user ?? null, email: user ?? null, image: null }),
    style: {
      brandColor: '#ff7a59',
      mark: 'M18.164 7.93V5.084a2.198 2.198 0 001.267-1.978v-.067A2.2 2.2 0 0017.238.845h-.067a2.2 2.2 0 00-2.193 2.193v.067a2.196 2.196 0 001.252 1.973l.013.006v2.852a6.22 6.22 0 00-2.969 1.31l.012-.01-7.828-6.095A2.497 2.497 0 104.3 4.656l-.012.006 7.697 5.991a6.176 6.176 0 00-1.038 3.446c0 1.343.425 2.588 1.147 3.607l-.013-.02-2.342 2.343a1.968 1.968 0 00-.58-.095h-.002a2.033 2.033 0 102.033 2.033 1.978 1.978 0 00-.1-.595l.005.014 2.317-2.317a6.247 6.247 0 104.782-11.134l-.036-.005zm-.964 9.378a3.206 3.206 0 113.215-3.207v.002a3.206 3.206 0 01-3.207 3.207z',
    },
    options,
  }
}

/** Returns the function that introspects the token (RFC 7662), because there is no user endpoint. */
function introspect(url: string): NonNullable<UserinfoEndpoint['request']> {
  return async ({ fetch, tokens, provider: { clientId, clientSecret } }) => {
    const body = new URLSearchParams({
      client_id: clientId,
      client_secret: clientSecret ?? '',
      token: tokens.access_token ?? '',
      token_type_hint: 'access_token',
    })
    const response = await fetch(url, { method: 'POST', headers: { accept: 'application/json' }, body })
    if (!response.ok) throw new Error(`HubSpot answered with status ${response.status}`)
    const { token: _token, signed_access_token: _signed, ...profile } = (await response.json()) as HubSpotProfile
    if (profile.active === false) throw new Error('HubSpot says that its own token is not active')
    return profile
  }
}
