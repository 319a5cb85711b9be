/** Google — https://developers.google.com/identity/openid-connect · callback: <origin>/auth/callback/google */
import type { OIDCConfig, OIDCUserConfig } from './types.js'

/** Claims of Google's id_token. */
export interface GoogleProfile {
  sub: string
  name: string
  given_name?: string
  family_name?: string
  picture?: string
  email: string
  email_verified: boolean
  /** The Google Workspace domain. */
  hd?: string
  locale?: string
  [claim: string]: unknown
}

/** Signs in with Google. Create an OAuth client of type "Web application" and add the callback URL there. */
export default function Google(options: OIDCUserConfig<GoogleProfile> = {}): OIDCConfig<GoogleProfile> {
  return {
    id: 'google',
    name: 'Google',
    type: 'oidc',
    issuer: 'https://accounts.google.com',
    // There are no public clients for web applications: a missing secret is told at construction.
    client: { token_endpoint_auth_method: 'client_secret_basic' },
    style: { brandColor: '#1a73e8' },
    options,
  }
}
