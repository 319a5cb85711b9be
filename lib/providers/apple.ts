/** Apple — https://developer.apple.com/sign-in-with-apple · callback: <origin>/auth/callback/apple (https, by POST) */
import type { OIDCConfig, OIDCUserConfig } from './types.js'

/** Claims of Apple's id_token, and what comes with it. */
export interface AppleProfile {
  sub: string
  email?: string
  email_verified?: boolean | 'true' | 'false'
  is_private_email?: boolean | 'true' | 'false'
  /** Sent with the very first sign-in only. It is not signed: a name is all to take from it. */
  user?: { name?: { firstName?: string; lastName?: string } }
  [claim: string]: unknown
}

/** Signs in with Apple. `clientId` is the Services ID; `clientSecret` the JWT signed with your key, at most six months old. */
export default function Apple(options: OIDCUserConfig<AppleProfile> = {}): OIDCConfig<AppleProfile> {
  return {
    id: 'apple',
    name: 'Apple',
    type: 'oidc',
    issuer: 'https://appleid.apple.com',
    authorization: { params: { scope: 'name email', response_mode: 'form_post' } },
    // Apple ignores PKCE; nonce and state are checked as always.
    checks: ['nonce', 'state'],
    client: { token_endpoint_auth_method: 'client_secret_post' },
    profile: ({ sub, email, user }) => ({
      id: sub,
      name: nameOf(user) || (email ?? null),
      email: email ?? null,
      image: null,
    }),
    style: { brandColor: '#000000' },
    options,
  }
}

/** What the browser posted, so of any shape. */
function nameOf(user: AppleProfile['user']): string {
  const parts: unknown[] = [user?.name?.firstName, user?.name?.lastName]
  return parts.filter((part) => typeof part === 'string' && part !== '').join(' ')
}
