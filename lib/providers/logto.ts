/** Logto — https://docs.logto.io/quick-starts/express · callback: <origin>/auth/callback/logto */
import type { OIDCConfig, OIDCUserConfig } from '../types/provider.js'

/** The claims of Logto's id_token. */
export interface LogtoProfile {
  sub: string
  name?: string | null
  username?: string | null
  email?: string | null
  email_verified?: boolean
  picture?: string | null
  [claim: string]: unknown
}

/**
 * Signs in with Logto. `issuer` is `https://<tenant>.logto.app/oidc`; the application there has the type "Traditional
 * web".
 *
 * Environment: `AUTH_LOGTO_ID`, `AUTH_LOGTO_SECRET` and `AUTH_LOGTO_ISSUER`. https://docs.logto.io/quick-starts/express
 */
export default function Logto(options: OIDCUserConfig<LogtoProfile> = {}): OIDCConfig<LogtoProfile> {
  return {
    id: 'logto',
    name: 'Logto',
    type: 'oidc',
    authorization: { params: { scope: 'offline_access openid email profile' } },
    profile: ({ sub, name, username, email, picture }) => ({
      id: sub,
      name: name ?? username ?? null,
      email: email ?? null,
      image: picture ?? null,
    }),
    style: { brandColor: '#5d34f2' },
    options,
  }
}
