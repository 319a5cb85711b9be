/** Reddit — https://github.com/reddit-archive/reddit/wiki/OAuth2 · callback: <origin>/auth/callback/reddit */
import type { OAuth2Config, OAuthUserConfig } from './types.js'

/** What Reddit's user endpoint tells. */
export interface RedditProfile {
  id: string
  name: string
  /** The figure that the person made, or empty. */
  snoovatar_img?: string | null
  icon_img?: string | null
  [field: string]: unknown
}

/**
 * Signs in with Reddit. Create a "web app" with the callback URL. There is no address. For a refresh token pass
 * `authorization: { params: { duration: 'permanent' } }`.
 */
export default function Reddit(options: OAuthUserConfig<RedditProfile> = {}): OAuth2Config<RedditProfile> {
  return {
    id: 'reddit',
    name: 'Reddit',
    type: 'oauth',
    // Reddit has no PKCE.
    checks: ['state'],
    authorization: { url: 'https://www.reddit.com/api/v1/authorize', params: { scope: 'identity' } },
    token: 'https://www.reddit.com/api/v1/access_token',
    // Without `raw_json` URLs come with `&amp;` in them.
    userinfo: { url: 'https://oauth.reddit.com/api/v1/me', params: { raw_json: 1 } },
    client: { token_endpoint_auth_method: 'client_secret_basic' },
    profile: ({ id, name, snoovatar_img, icon_img }) => ({
      id,
      name,
      email: null,
      image: snoovatar_img || icon_img || null,
    }),
    style: { brandColor: '#FF4500' },
    options,
  }
}
