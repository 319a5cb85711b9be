/** Keycloak — https://www.keycloak.org/docs/latest/server_admin/#_oidc_clients · callback: <origin>/auth/callback/keycloak */
import type { OIDCConfig, OIDCProfile, OIDCUserConfig } from '../types/provider.js'

/** The claims of Keycloak's id_token. */
export type KeycloakProfile = OIDCProfile

/**
 * Signs in with Keycloak. `issuer` is `https://<host>/realms/<realm>`; the client has "client authentication" on.
 *
 * Environment: `AUTH_KEYCLOAK_ID`, `AUTH_KEYCLOAK_SECRET` and `AUTH_KEYCLOAK_ISSUER`.
 * https://www.keycloak.org/docs/latest/server_admin/#_oidc_clients
 */
export default function Keycloak(options: OIDCUserConfig<KeycloakProfile> = {}): OIDCConfig<KeycloakProfile> {
  return { id: 'keycloak', name: 'Keycloak', type: 'oidc', style: { brandColor: '#428bca' }, options }
}
