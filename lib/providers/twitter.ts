/** X (Twitter) — https://docs.x.com/fundamentals/authentication/oauth-2-0 · callback: <origin>/auth/callback/twitter */
import type { OAuth2Config, OAuthUserConfig } from '../types/provider.js'

/** The response of X's user endpoint. */
export interface TwitterProfile {
  data: {
    id: string
    name?: string
    username: string
    profile_image_url?: string
    /** Present only if it is requested, see below. */
    confirmed_email?: string
    [field: string]: unknown
  }
  [field: string]: unknown
}

/**
 * Signs in with X. Set the app up for OAuth 2.0 as a "Web App" and enter the callback URL.
 *
 * Environment: `AUTH_TWITTER_ID` and `AUTH_TWITTER_SECRET`. https://docs.x.com/fundamentals/authentication/oauth-2-0
 *
 * Email addresses: turn "Request email from users" on there, add `users.email` to `authorization.params.scope`, and
 * `confirmed_email` to `userinfo.params['user.fields']`.
 */
export default function Twitter(options: OAuthUserConfig<TwitterProfile> = {}): OAuth2Config<TwitterProfile> {
  return {
    id: 'twitter',
    name: 'Twitter',
    type: 'oauth',
    authorization: {
      url: 'https://x.com/i/oauth2/authorize',
      params: { scope: 'users.read tweet.read offline.access' },
    },
    token: 'https://api.x.com/2/oauth2/token',
    userinfo: { url: 'https://api.x.com/2/users/me', params: { 'user.fields': 'profile_image_url' } },
    checks: ['pkce', 'state'],
    profile: ({ data }) => ({
      id: data.id,
      name: data.name ?? data.username,
      email: data.confirmed_email ?? null,
      image: data.profile_image_url ?? null,
    }),
    // X returns the email address only after the user confirmed it.
    emailVerified: ({ data }) => (data.confirmed_email === undefined ? undefined : true),
    style: {
      brandColor: '#000000',
      mark: 'M14.234 10.162 22.977 0h-2.072l-7.591 8.824L7.251 0H.258l9.168 13.343L.258 24H2.33l8.016-9.318L16.749 24h6.993zm-2.837 3.299-.929-1.329L3.076 1.56h3.182l5.965 8.532.929 1.329 7.754 11.09h-3.182z',
    },
    options,
  }
}
