/** ZITADEL — https://zitadel.com/docs/guides/integrate/login/oidc · callback: <origin>/auth/callback/zitadel */
import type { OIDCConfig, OIDCProfile, OIDCUserConfig } from '../types/provider.js'

/** The response of ZITADEL's userinfo endpoint. */
export type ZitadelProfile = OIDCProfile

/**
 * Signs in with ZITADEL. `issuer` is the URL of the instance; the application there has the type "Web", and a secret.
 *
 * Environment: `AUTH_ZITADEL_ID`, `AUTH_ZITADEL_SECRET` and `AUTH_ZITADEL_ISSUER`.
 * https://zitadel.com/docs/guides/integrate/login/oidc
 */
export default function Zitadel(options: OIDCUserConfig<ZitadelProfile> = {}): OIDCConfig<ZitadelProfile> {
  return {
    id: 'zitadel',
    name: 'ZITADEL',
    type: 'oidc',
    // Its id_tokens contain neither name nor email address, unless "User Info inside ID Token" is switched on.
    idToken: false,
    style: { brandColor: '#5469d4' },
    options,
  }
}
