/** Okta — https://developer.okta.com/docs/guides/sign-into-web-app-redirect · callback: <origin>/auth/callback/okta */
import type { OIDCConfig, OIDCProfile, OIDCUserConfig } from '../types/provider.js'

/** The claims of Okta's id_token. */
export type OktaProfile = OIDCProfile

/**
 * Signs in with Okta. `issuer` is `https://<org>.okta.com`, or that of your authorization server (`…/oauth2/default`).
 *
 * Environment: `AUTH_OKTA_ID`, `AUTH_OKTA_SECRET` and `AUTH_OKTA_ISSUER`.
 * https://developer.okta.com/docs/guides/sign-into-web-app-redirect
 */
export default function Okta(options: OIDCUserConfig<OktaProfile> = {}): OIDCConfig<OktaProfile> {
  return {
    id: 'okta',
    name: 'Okta',
    type: 'oidc',
    style: {
      brandColor: '#000000',
      mark: 'M12 0C5.389 0 0 5.35 0 12s5.35 12 12 12 12-5.35 12-12S18.611 0 12 0zm0 18c-3.325 0-6-2.675-6-6s2.675-6 6-6 6 2.675 6 6-2.675 6-6 6z',
    },
    options,
  }
}
