/** authentik — https://docs.goauthentik.io/add-secure-apps/providers/oauth2 · callback: <origin>/auth/callback/authentik */
import type { OIDCConfig, OIDCUserConfig } from './types.js'

/** Claims of authentik's id_token. */
export interface AuthentikProfile {
  sub: string
  name?: string
  preferred_username?: string
  nickname?: string
  email?: string
  email_verified?: boolean
  picture?: string
  groups?: string[]
  [claim: string]: unknown
}

/**
 * Signs in with authentik. `issuer` is `https://<host>/application/o/<slug>/`; the provider there is of the type
 * "OAuth2/OpenID", has a signing key and includes the claims in the id_token.
 */
export default function Authentik(options: OIDCUserConfig<AuthentikProfile> = {}): OIDCConfig<AuthentikProfile> {
  return { id: 'authentik', name: 'Authentik', type: 'oidc', style: { brandColor: '#fd4b2d' }, options }
}
