/** HubSpot — https://developers.hubspot.com/docs/api-reference/latest/authentication/manage-oauth-tokens · callback: <origin>/auth/callback/hubspot */
import type { OAuth2Config, OAuthUserConfig, UserinfoEndpoint } from './types.js'

/** What HubSpot tells of an access token. */
export interface HubSpotProfile {
  user_id: number
  /** The address of the person. */
  user?: string
  /** The account that the person chose. */
  hub_id?: number
  hub_domain?: string
  /** Whether the token is good. */
  active?: boolean
  [field: string]: unknown
}

/**
 * Signs in with HubSpot. The app there needs the scope `oauth` and the callback URL. We ask the API of 2026-03: v1 ends
 * on 2027-02-16.
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
    style: { brandColor: '#ff7a59' },
    options,
  }
}

/** There is no endpoint of the person: what is known of the token (RFC 7662) says whose it is. */
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
