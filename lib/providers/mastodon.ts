/** Mastodon — https://docs.joinmastodon.org/spec/oauth · callback: <origin>/auth/callback/mastodon */
import type { OAuth2Config, OAuthUserConfig } from './types.js'

/** What a Mastodon server tells of the account. Addresses are not told to apps. */
export interface MastodonProfile {
  id: string
  username: string
  display_name?: string
  /** URL of the profile page. */
  url?: string
  avatar_static?: string
  [field: string]: unknown
}

/**
 * Signs in with one Mastodon server: `issuer` is its URL, such as `https://mastodon.social`. Register an application
 * there (Preferences, Development) with the scope `read` and the callback URL.
 */
export default function Mastodon(options: OAuthUserConfig<MastodonProfile> = {}): OAuth2Config<MastodonProfile> {
  return {
    id: 'mastodon',
    name: 'Mastodon',
    type: 'oauth',
    authorization: { url: '{issuer}/oauth/authorize', params: { scope: 'read' } },
    token: '{issuer}/oauth/token',
    userinfo: '{issuer}/api/v1/accounts/verify_credentials',
    profile: ({ id, username, avatar_static }) => ({
      id: String(id),
      name: username ?? null,
      email: null,
      image: avatar_static ?? null,
    }),
    style: { brandColor: '#6364ff' },
    options,
  }
}
