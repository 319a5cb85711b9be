/** Ping Identity — https://docs.pingidentity.com/pingone · callback: <origin>/auth/callback/ping-id */
import type { OIDCConfig, OIDCProfile, OIDCUserConfig } from '../types/provider.js'

/** The claims of Ping Identity's id_token. */
export type PingIdProfile = OIDCProfile

/**
 * Signs in with PingOne. `issuer` is `https://auth.pingone.<region>/<environment id>/as`; map name and email to the id_token.
 *
 * Environment: `AUTH_PING_ID_ID`, `AUTH_PING_ID_SECRET` and `AUTH_PING_ID_ISSUER`. https://docs.pingidentity.com/pingone
 */
export default function PingId(options: OIDCUserConfig<PingIdProfile> = {}): OIDCConfig<PingIdProfile> {
  return { id: 'ping-id', name: 'Ping Identity', type: 'oidc', style: { brandColor: '#b3282d' }, options }
}
