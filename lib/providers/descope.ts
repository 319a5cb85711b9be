/** Descope — https://docs.descope.com/identity-federation/applications/oidc-apps · callback: <origin>/auth/callback/descope */
import type { OIDCConfig, OIDCProfile, OIDCUserConfig } from '../types/provider.js'

/** The claims of Descope's id_token. */
export interface DescopeProfile extends OIDCProfile {
  phone_number?: string
  phone_number_verified?: boolean
}

/**
 * Signs in with Descope. `clientId` is the project's id and `clientSecret` an access key. Set `issuer` for another
 * region or your own domain, and for any application except the project's first.
 *
 * Environment: `AUTH_DESCOPE_ID` and `AUTH_DESCOPE_SECRET`.
 * https://docs.descope.com/identity-federation/applications/oidc-apps
 */
export default function Descope(options: OIDCUserConfig<DescopeProfile> = {}): OIDCConfig<DescopeProfile> {
  return {
    id: 'descope',
    name: 'Descope',
    type: 'oidc',
    issuer: 'https://api.descope.com/{clientId}',
    checks: ['pkce', 'state'],
    style: { brandColor: '#1C1C23' },
    options,
  }
}
