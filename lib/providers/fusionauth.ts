/** FusionAuth — https://fusionauth.io/docs/lifecycle/authenticate-users/oauth · callback: <origin>/auth/callback/fusionauth */
import type { OIDCConfig, OIDCUserConfig } from './types.js'

/** Claims of FusionAuth's id_token. A lambda there can add more. */
export interface FusionAuthProfile {
  sub: string
  name?: string
  preferred_username?: string
  given_name?: string
  middle_name?: string
  family_name?: string
  email?: string
  email_verified?: boolean
  picture?: string
  [claim: string]: unknown
}

const document = '{issuer}/.well-known/openid-configuration'

/** Options of the provider; `tenantId` is needed where the server has several tenants. */
export type FusionAuthOptions = OIDCUserConfig<FusionAuthProfile> & { tenantId?: string }

/**
 * Signs in with FusionAuth. `issuer` is the server's URL, and the tenant's "Issuer" must be the same. The application
 * needs the authorization code grant and, for the scope `offline_access`, the refresh token grant.
 */
export default function FusionAuth(options: FusionAuthOptions = {}): OIDCConfig<FusionAuthProfile> {
  const { tenantId } = options
  return {
    id: 'fusionauth',
    name: 'FusionAuth',
    type: 'oidc',
    ...(tenantId && { wellKnown: `${document}?tenantId=${encodeURIComponent(tenantId)}` }),
    authorization: { params: { scope: 'openid offline_access email profile', ...(tenantId && { tenantId }) } },
    token: { conform: withoutChallenge },
    checks: ['pkce', 'state'],
    profile: ({ sub, name, preferred_username, given_name, middle_name, family_name, email, picture }) => ({
      id: sub,
      name: name ?? preferred_username ?? ([given_name, middle_name, family_name].filter(Boolean).join(' ') || null),
      email: email ?? null,
      image: picture ?? null,
    }),
    style: { brandColor: '#F58320' },
    options,
  }
}

/** FusionAuth sends a challenge with errors of every kind. Only with status 401 it is one; else it hides the reason. */
function withoutChallenge(response: Response): Response | undefined {
  if (response.status === 401 || !response.headers.has('www-authenticate')) return undefined
  const headers = new Headers(response.headers)
  headers.delete('www-authenticate')
  return new Response(response.body, { status: response.status, headers })
}
