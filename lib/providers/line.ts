/** LINE — https://developers.line.biz/en/docs/line-login · callback: <origin>/auth/callback/line */
import type { OIDCConfig, OIDCUserConfig } from './types.js'

/** Claims of LINE's id_token. */
export interface LineProfile {
  sub: string
  name?: string
  picture?: string
  /** Only with the permission that is asked for in the console. */
  email?: string
  [claim: string]: unknown
}

/** Signs in with LINE. Its id_tokens are signed with the channel secret (HS256). */
export default function Line(options: OIDCUserConfig<LineProfile> = {}): OIDCConfig<LineProfile> {
  return {
    id: 'line',
    name: 'LINE',
    type: 'oidc',
    issuer: 'https://access.line.me',
    client: { id_token_signed_response_alg: 'HS256' },
    style: { brandColor: '#00C300' },
    options,
  }
}
