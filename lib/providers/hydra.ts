/** Ory Hydra — https://www.ory.com/docs/oauth2-oidc · callback: <origin>/auth/callback/hydra · also `providers/ory-hydra` */
import type { OIDCConfig, OIDCProfile, OIDCUserConfig } from '../types/provider.js'

/** The claims of Hydra's id_token. */
export type HydraProfile = OIDCProfile

/**
 * Signs in with Ory Hydra or Ory Network. `issuer` is its public URL; your consent page determines the claims.
 *
 * Environment: `AUTH_HYDRA_ID`, `AUTH_HYDRA_SECRET` and `AUTH_HYDRA_ISSUER`. https://www.ory.com/docs/oauth2-oidc
 */
export default function Hydra(options: OIDCUserConfig<HydraProfile> = {}): OIDCConfig<HydraProfile> {
  return { id: 'hydra', name: 'Hydra', type: 'oidc', style: { brandColor: '#0f172a' }, options }
}
