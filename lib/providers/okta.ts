/** Okta — https://developer.okta.com/docs/guides/sign-into-web-app-redirect · callback: <origin>/auth/callback/okta */
import type { OIDCConfig, OIDCUserConfig } from './types.js'

/** Claims of Okta's id_token. */
export interface OktaProfile {
  sub: string
  name?: string
  preferred_username?: string
  email?: string
  email_verified?: boolean
  picture?: string
  [claim: string]: unknown
}

/** Signs in with Okta. `issuer` is `https://<org>.okta.com`, or that of an authorization server of yours (`…/oauth2/default`). */
export default function Okta(options: OIDCUserConfig<OktaProfile> = {}): OIDCConfig<OktaProfile> {
  return { id: 'okta', name: 'Okta', type: 'oidc', style: { brandColor: '#000000' }, options }
}
