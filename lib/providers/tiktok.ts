/** TikTok — https://developers.tiktok.com/doc/login-kit-web · callback: <origin>/auth/callback/tiktok (https only) */
import type { TokenSet } from '../types.js'
import type { OAuth2Config, OAuthUserConfig, TokenEndpoint } from './types.js'

/** What TikTok's user endpoint tells. There are no addresses. */
export interface TikTokProfile {
  data: {
    user: {
      open_id: string
      display_name?: string
      avatar_url?: string
      [field: string]: unknown
    }
  }
  [field: string]: unknown
}

/** Signs in with TikTok. Add "Login Kit" to the app, with the scope `user.info.basic` and the callback URL. */
export default function TikTok(options: OAuthUserConfig<TikTokProfile> = {}): OAuth2Config<TikTokProfile> {
  return {
    id: 'tiktok',
    name: 'TikTok',
    type: 'oauth',
    authorization: {
      url: 'https://www.tiktok.com/v2/auth/authorize',
      params: { client_key: ({ clientId }: { clientId: string }) => clientId, scope: 'user.info.basic' },
    },
    token: { url: 'https://open.tiktokapis.com/v2/oauth/token/', request: exchange },
    userinfo: {
      url: 'https://open.tiktokapis.com/v2/user/info/',
      params: { fields: 'open_id,avatar_url,display_name' },
    },
    client: { token_endpoint_auth_method: 'client_secret_post' },
    profile: ({ data: { user } }) => ({
      id: user.open_id,
      name: user.display_name ?? null,
      email: null,
      image: user.avatar_url ?? null,
    }),
    style: { brandColor: '#000000' },
    options,
  }
}

/** TikTok's name for the client's id is `client_key`. */
const exchange: NonNullable<TokenEndpoint['request']> = async ({ fetch, provider, params }) => {
  const { clientId: client_key, clientSecret: client_secret = '' } = provider
  const body = new URLSearchParams({ grant_type: 'authorization_code', client_key, client_secret, ...params })
  const response = await fetch('https://open.tiktokapis.com/v2/oauth/token/', { method: 'POST', body })
  return { tokens: (await response.json()) as TokenSet }
}
