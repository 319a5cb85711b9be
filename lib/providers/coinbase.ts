/** Coinbase — https://docs.cdp.coinbase.com/coinbase-app/oauth2-integration · callback: <origin>/auth/callback/coinbase */
import type { OAuth2Config, OAuthUserConfig } from '../types/provider.js'

/** The response of Coinbase's user endpoint. */
export interface CoinbaseProfile {
  data: {
    id: string
    name?: string | null
    /** Present with the scope `wallet:user:email`. */
    email?: string | null
    avatar_url?: string | null
    [field: string]: unknown
  }
  [field: string]: unknown
}

/**
 * Signs in with Coinbase. The OAuth client there needs the callback URL and the scopes `wallet:user:read` and
 * `wallet:user:email`; Coinbase gives new clients to approved partners only.
 *
 * Environment: `AUTH_COINBASE_ID` and `AUTH_COINBASE_SECRET`. https://docs.cdp.coinbase.com/coinbase-app/oauth2-integration
 */
export default function Coinbase(options: OAuthUserConfig<CoinbaseProfile> = {}): OAuth2Config<CoinbaseProfile> {
  return {
    id: 'coinbase',
    name: 'Coinbase',
    type: 'oauth',
    authorization: {
      url: 'https://login.coinbase.com/oauth2/auth',
      params: { scope: 'wallet:user:email wallet:user:read' },
    },
    token: 'https://login.coinbase.com/oauth2/token',
    userinfo: 'https://api.coinbase.com/v2/user',
    client: { token_endpoint_auth_method: 'client_secret_basic' },
    profile: ({ data }) => ({
      id: String(data.id),
      name: data.name ?? null,
      email: data.email ?? null,
      image: data.avatar_url ?? null,
    }),
    style: { brandColor: '#0052ff' },
    options,
  }
}
