/** Battle.net — https://develop.battle.net/documentation/guides/using-oauth · callback: <origin>/auth/callback/battlenet */
import type { OIDCConfig, OIDCUserConfig } from './types.js'

/** Claims of Battle.net's id_token. */
export interface BattleNetProfile {
  sub: string
  /** The display name with its number, such as `Ada#1234`. */
  battle_tag?: string
  [claim: string]: unknown
}

/**
 * Signs in with Battle.net, which tells no e-mail address. Add the callback URL to the client. For China set
 * `issuer: 'https://oauth.battlenet.com.cn'`; games need scopes of their own, such as `openid wow.profile`.
 */
export default function BattleNet(options: OIDCUserConfig<BattleNetProfile> = {}): OIDCConfig<BattleNetProfile> {
  return {
    id: 'battlenet',
    name: 'Battle.net',
    type: 'oidc',
    issuer: 'https://oauth.battle.net',
    // There are no scopes `profile` and `email`.
    authorization: { params: { scope: 'openid' } },
    // There are no public clients: a missing secret is told at construction.
    client: { token_endpoint_auth_method: 'client_secret_basic' },
    profile: ({ sub, battle_tag }) => ({ id: sub, name: battle_tag ?? null, email: null, image: null }),
    style: { brandColor: '#148eff' },
    options,
  }
}
