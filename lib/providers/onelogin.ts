/** OneLogin — https://developers.onelogin.com/openid-connect · callback: <origin>/auth/callback/onelogin */
import type { OIDCConfig, OIDCProfile, OIDCUserConfig } from '../types/provider.js'

/** The claims of OneLogin's id_token. */
export type OneLoginProfile = OIDCProfile

/**
 * Signs in with OneLogin. `issuer` is `https://<subdomain>.onelogin.com/oidc/2`, with this path.
 *
 * Environment: `AUTH_ONELOGIN_ID`, `AUTH_ONELOGIN_SECRET` and `AUTH_ONELOGIN_ISSUER`.
 * https://developers.onelogin.com/openid-connect
 */
export default function OneLogin(options: OIDCUserConfig<OneLoginProfile> = {}): OIDCConfig<OneLoginProfile> {
  return { id: 'onelogin', name: 'OneLogin', type: 'oidc', style: { brandColor: '#1c1f2a' }, options }
}
