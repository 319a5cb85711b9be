/**
 * LinkedIn — https://learn.microsoft.com/linkedin/consumer/integrations/self-serve/sign-in-with-linkedin-v2
 * callback: <origin>/auth/callback/linkedin
 */
import type { OIDCConfig, OIDCUserConfig } from '../types/provider.js'

/** The claims of LinkedIn's id_token. */
export interface LinkedInProfile {
  sub: string
  name?: string
  given_name?: string
  family_name?: string
  email?: string
  /** A text in the id_token, and a boolean at the userinfo endpoint. */
  email_verified?: boolean | 'true' | 'false'
  picture?: string
  [claim: string]: unknown
}

/**
 * Signs in with LinkedIn. The app needs the product "Sign In with LinkedIn using OpenID Connect", and the callback URL.
 *
 * Environment: `AUTH_LINKEDIN_ID` and `AUTH_LINKEDIN_SECRET`.
 * https://learn.microsoft.com/linkedin/consumer/integrations/self-serve/sign-in-with-linkedin-v2
 */
export default function LinkedIn(options: OIDCUserConfig<LinkedInProfile> = {}): OIDCConfig<LinkedInProfile> {
  return {
    id: 'linkedin',
    name: 'LinkedIn',
    type: 'oidc',
    issuer: 'https://www.linkedin.com/oauth',
    // LinkedIn rejects a PKCE verifier, and its id_tokens never contain the nonce, so only state remains.
    checks: ['state'],
    nonce: false,
    client: { token_endpoint_auth_method: 'client_secret_post' },
    emailVerified: ({ email_verified: said }) => (said === undefined ? undefined : said === true || said === 'true'),
    style: {
      brandColor: '#0a66c2',
      mark: 'M3.1 8.7h4.1V21H3.1zM5.15 2.6a2.4 2.4 0 1 1 0 4.8 2.4 2.4 0 0 1 0-4.8zM9.8 8.7h3.9v1.7h.1c.55-1 1.9-2 3.9-2 4.1 0 4.9 2.7 4.9 6.2V21h-4.1v-5.7c0-1.4 0-3.1-1.9-3.1s-2.2 1.5-2.2 3V21H9.8z',
    },
    options,
  }
}
