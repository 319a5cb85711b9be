/** Amazon Cognito — https://docs.aws.amazon.com/cognito/latest/developerguide/federation-endpoints.html · callback: <origin>/auth/callback/cognito */
import type { OIDCConfig, OIDCUserConfig } from '../types/provider.js'

/** The claims of Cognito's id_token. */
export interface CognitoProfile {
  sub: string
  'cognito:username'?: string
  name?: string
  nickname?: string
  preferred_username?: string
  email?: string
  /** A text at the userinfo endpoint. */
  email_verified?: boolean | 'true' | 'false'
  picture?: string
  [claim: string]: unknown
}

/**
 * Signs in with a user pool of Amazon Cognito. `issuer` is `https://cognito-idp.<region>.amazonaws.com/<user pool id>`.
 * The pool needs a domain; its app client the authorization code grant, the scopes `openid profile email` and the
 * callback URL.
 *
 * Environment: `AUTH_COGNITO_ID`, `AUTH_COGNITO_SECRET` and `AUTH_COGNITO_ISSUER`.
 * https://docs.aws.amazon.com/cognito/latest/developerguide/federation-endpoints.html
 */
export default function Cognito(options: OIDCUserConfig<CognitoProfile> = {}): OIDCConfig<CognitoProfile> {
  return {
    id: 'cognito',
    name: 'Cognito',
    type: 'oidc',
    emailVerified: ({ email_verified: verified }) =>
      verified === undefined ? undefined : verified === true || verified === 'true',
    style: { brandColor: '#C17B9E' },
    options,
  }
}
