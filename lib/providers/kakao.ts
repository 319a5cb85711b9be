/** Kakao — https://developers.kakao.com/docs/latest/en/kakaologin/rest-api · callback: <origin>/auth/callback/kakao */
import type { OAuth2Config, OAuthUserConfig } from './types.js'

/** What Kakao's user endpoint tells; of `kakao_account` only what the person agreed to. */
export interface KakaoProfile {
  id: number
  kakao_account?: {
    email?: string
    /** False where another account took the address over. */
    is_email_valid?: boolean
    is_email_verified?: boolean
    profile?: { nickname?: string; profile_image_url?: string; thumbnail_image_url?: string }
    [field: string]: unknown
  }
  [field: string]: unknown
}

/**
 * Signs in with Kakao; `clientId` is the REST API key. Switch on "Kakao Login" and the client secret, add the callback
 * URL, and set the consent items: they take the place of a scope.
 */
export default function Kakao(options: OAuthUserConfig<KakaoProfile> = {}): OAuth2Config<KakaoProfile> {
  return {
    id: 'kakao',
    name: 'Kakao',
    type: 'oauth',
    authorization: 'https://kauth.kakao.com/oauth/authorize',
    token: 'https://kauth.kakao.com/oauth/token',
    userinfo: 'https://kapi.kakao.com/v2/user/me',
    client: { token_endpoint_auth_method: 'client_secret_post' },
    profile: ({ id, kakao_account: account }) => ({
      id: String(id),
      name: account?.profile?.nickname ?? null,
      email: account?.email ?? null,
      image: account?.profile?.profile_image_url ?? null,
    }),
    emailVerified: ({ kakao_account: account }) => account?.is_email_verified && (account.is_email_valid ?? false),
    style: { brandColor: '#fee500' },
    options,
  }
}
