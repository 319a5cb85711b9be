/** IdentityServer4 — https://identityserver4.readthedocs.io · callback: <origin>/auth/callback/identity-server4 */
import type { OIDCConfig, OIDCProfile, OIDCUserConfig } from '../types/provider.js'

/** The response of the userinfo endpoint. */
export type IdentityServer4Profile = OIDCProfile

/**
 * Signs in with IdentityServer4, which has had no updates since December 2022. `issuer` is its URL; the client needs
 * the authorization code grant and the scopes `openid profile email`.
 *
 * Environment: `AUTH_IDENTITY_SERVER4_ID`, `AUTH_IDENTITY_SERVER4_SECRET` and `AUTH_IDENTITY_SERVER4_ISSUER`.
 * https://identityserver4.readthedocs.io
 */
export default function IdentityServer4(
  options: OIDCUserConfig<IdentityServer4Profile> = {},
): OIDCConfig<IdentityServer4Profile> {
  return {
    id: 'identity-server4',
    name: 'IdentityServer4',
    type: 'oidc',
    // Unless the client has `AlwaysIncludeUserClaimsInIdToken`, the id_token contains only `sub`.
    idToken: false,
    style: { brandColor: '#1b3a6b' },
    options,
  }
}
