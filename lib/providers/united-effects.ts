/** United Effects — https://docs.unitedeffects.com/integrations/nodejs · callback: <origin>/auth/callback/united-effects */
import type { OIDCConfig, OIDCProfile, OIDCUserConfig } from '../types/provider.js'

/** The claims of United Effects' id_token. */
export type UnitedEffectsProfile = OIDCProfile

/**
 * Signs in with United Effects Auth. `issuer` is `https://auth.unitedeffects.com/<auth group id>`. Pass it, or list the
 * function itself: it is the `resource` of access tokens, and the variable of the environment is read too late for
 * that.
 *
 * Environment: `AUTH_UNITED_EFFECTS_ID`, `AUTH_UNITED_EFFECTS_SECRET` and `AUTH_UNITED_EFFECTS_ISSUER`.
 * https://docs.unitedeffects.com/integrations/nodejs
 */
export default function UnitedEffects(
  options: OIDCUserConfig<UnitedEffectsProfile> = {},
): OIDCConfig<UnitedEffectsProfile> {
  const { issuer: resource } = options
  return {
    id: 'united-effects',
    name: 'United Effects',
    type: 'oidc',
    authorization: { params: { scope: 'openid email profile', resource } },
    style: { brandColor: '#2d6df6' },
    options,
  }
}
