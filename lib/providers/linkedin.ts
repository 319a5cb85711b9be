/**
 * LinkedIn — https://learn.microsoft.com/linkedin/consumer/integrations/self-serve/sign-in-with-linkedin-v2
 * callback: <origin>/auth/callback/linkedin
 */
import type { OIDCConfig, OIDCUserConfig } from './types.js'

/** Claims of LinkedIn's id_token. */
export interface LinkedInProfile {
  sub: string
  name?: string
  given_name?: string
  family_name?: string
  email?: string
  /** Text in the id_token, and a boolean at the userinfo endpoint. */
  email_verified?: boolean | 'true' | 'false'
  picture?: string
  [claim: string]: unknown
}

/** Signs in with LinkedIn. The app needs the product "Sign In with LinkedIn using OpenID Connect", and the callback URL. */
export default function LinkedIn(options: OIDCUserConfig<LinkedInProfile> = {}): OIDCConfig<LinkedInProfile> {
  return {
    id: 'linkedin',
    name: 'LinkedIn',
    type: 'oidc',
    issuer: 'https://www.linkedin.com/oauth',
    // It refuses a PKCE verifier, and its id_tokens never have the nonce: state is what there is.
    checks: ['state'],
    nonce: false,
    client: { token_endpoint_auth_method: 'client_secret_post' },
    emailVerified: ({ email_verified: said }) => (said === undefined ? undefined : said === true || said === 'true'),
    style: { brandColor: '#006699' },
    options,
  }
}
