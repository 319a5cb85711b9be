/** BoxyHQ SAML (Ory Polis) — https://www.ory.sh/docs/polis · callback: <origin>/auth/callback/boxyhq-saml */
import type { OAuth2Config, OAuthUserConfig } from '../types/provider.js'

/** The profile of a user who signed in with SAML. */
export interface BoxyHQSAMLProfile {
  id: string
  email?: string | null
  firstName?: string | null
  lastName?: string | null
  /** The tenant and product that the sign-in requested. */
  requested?: Record<string, unknown>
  [field: string]: unknown
}

/**
 * Signs in with SAML through BoxyHQ (now Ory Polis). `issuer` is the URL of the bridge; the connection there needs the
 * callback URL. For a tenant that is chosen at sign-in, list `tenant` and `product` in `authorization.allowedParams`,
 * and compare `profile.requested` in the `signIn` callback.
 *
 * Environment: `AUTH_BOXYHQ_SAML_ID`, `AUTH_BOXYHQ_SAML_SECRET` and `AUTH_BOXYHQ_SAML_ISSUER`.
 * https://www.ory.sh/docs/polis
 */
export default function BoxyHQSAML(options: OAuthUserConfig<BoxyHQSAMLProfile> = {}): OAuth2Config<BoxyHQSAMLProfile> {
  return {
    id: 'boxyhq-saml',
    name: 'BoxyHQ SAML',
    type: 'oauth',
    authorization: { url: '{issuer}/api/oauth/authorize', params: { provider: 'saml' } },
    token: '{issuer}/api/oauth/token',
    userinfo: '{issuer}/api/oauth/userinfo',
    profile: ({ id, email, firstName, lastName }) => ({
      id,
      name: [firstName, lastName].filter(Boolean).join(' ').trim() || null,
      email: email ?? null,
      image: null,
    }),
    style: { brandColor: '#25c2a0' },
    options,
  }
}
