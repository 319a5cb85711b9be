/**
 * Duende IdentityServer — https://docs.duendesoftware.com/identityserver
 * callback: <origin>/auth/callback/duende-identity-server6
 */
import type { OIDCConfig, OIDCProfile, OIDCUserConfig } from '../types/provider.js'

/** The response of the userinfo endpoint. */
export type DuendeIdentityServer6Profile = OIDCProfile

/**
 * Signs in with Duende IdentityServer. `issuer` is its URL; the client needs the authorization code grant and the
 * scopes `openid profile email`.
 *
 * Environment: `AUTH_DUENDE_IDENTITY_SERVER6_ID`, `AUTH_DUENDE_IDENTITY_SERVER6_SECRET` and
 * `AUTH_DUENDE_IDENTITY_SERVER6_ISSUER`. https://docs.duendesoftware.com/identityserver
 */
export default function DuendeIdentityServer6(
  options: OIDCUserConfig<DuendeIdentityServer6Profile> = {},
): OIDCConfig<DuendeIdentityServer6Profile> {
  return {
    id: 'duende-identity-server6',
    name: 'DuendeIdentityServer6',
    type: 'oidc',
    // Unless the client has `AlwaysIncludeUserClaimsInIdToken`, the id_token contains only `sub`.
    idToken: false,
    style: { brandColor: '#1b3a6b' },
    options,
  }
}
