/** SimpleLogin — https://simplelogin.io/docs/siwsl/intro · callback: <origin>/auth/callback/simplelogin */
import type { OIDCConfig, OIDCUserConfig } from './types.js'

/** Claims of SimpleLogin's id_token. */
export interface SimpleLoginProfile {
  sub: string
  name?: string | null
  /** The person's own address, or an alias. */
  email?: string
  email_verified?: boolean
  avatar_url?: string | null
  [claim: string]: unknown
}

/** Signs in with SimpleLogin. Add the callback URL under "OAuth endpoints" of the app. */
export default function SimpleLogin(options: OIDCUserConfig<SimpleLoginProfile> = {}): OIDCConfig<SimpleLoginProfile> {
  return {
    id: 'simplelogin',
    name: 'SimpleLogin',
    type: 'oidc',
    issuer: 'https://app.simplelogin.io',
    // It puts the nonce into an id_token only where nothing but `openid` was asked for.
    nonce: false,
    profile: ({ sub, name, email, avatar_url }) => ({
      id: sub,
      name: name ?? null,
      email: email ?? null,
      image: avatar_url ?? null,
    }),
    // There are no public clients: a missing secret is told at construction.
    client: { token_endpoint_auth_method: 'client_secret_basic' },
    style: { brandColor: '#e3156a' },
    options,
  }
}
