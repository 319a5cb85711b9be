/** Auth0 — https://auth0.com/docs/get-started/applications · callback: <origin>/auth/callback/auth0 */
import type { OIDCConfig, OIDCUserConfig } from './types.js'

/** Claims of Auth0's id_token. */
export interface Auth0Profile {
  sub: string
  name?: string
  nickname?: string
  email?: string
  email_verified?: boolean
  picture?: string
  [claim: string]: unknown
}

/** Signs in with Auth0. `issuer` is `https://<tenant>.<region>.auth0.com`; allow the callback URL in the application. */
export default function Auth0(options: OIDCUserConfig<Auth0Profile> = {}): OIDCConfig<Auth0Profile> {
  return { id: 'auth0', name: 'Auth0', type: 'oidc', style: { brandColor: '#EB5424' }, options }
}
