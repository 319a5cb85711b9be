/** Mattermost — https://developers.mattermost.com/integrate/apps/authentication/oauth2 · callback: <origin>/auth/callback/mattermost */
import type { OAuth2Config, OAuthUserConfig } from './types.js'

/** What a Mattermost server tells of its user. */
export interface MattermostProfile {
  id: string
  username?: string
  nickname?: string
  first_name?: string
  last_name?: string
  email?: string
  email_verified?: boolean
  [field: string]: unknown
}

/**
 * Signs in with a Mattermost of your own: `issuer` is its URL. Its administrator switches on the OAuth 2.0 service
 * provider, and registers an application with the callback URL.
 */
export default function Mattermost(options: OAuthUserConfig<MattermostProfile> = {}): OAuth2Config<MattermostProfile> {
  return {
    id: 'mattermost',
    name: 'Mattermost',
    type: 'oauth',
    // It knows no scopes.
    authorization: '{issuer}/oauth/authorize',
    token: '{issuer}/oauth/access_token',
    userinfo: '{issuer}/api/v4/users/me',
    client: { token_endpoint_auth_method: 'client_secret_post' },
    profile: ({ id, username, first_name, last_name, email }) => ({
      id,
      name: username || [first_name, last_name].filter(Boolean).join(' ').trim() || null,
      email: email || null,
      image: null,
    }),
    style: { brandColor: '#000000' },
    options,
  }
}
