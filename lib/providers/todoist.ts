/** Todoist — https://developer.todoist.com/api/v1 · callback: <origin>/auth/callback/todoist */
import type { OAuth2Config, OAuthUserConfig } from './types.js'

/** What Todoist's user endpoint tells. */
export interface TodoistProfile {
  id: string
  full_name?: string
  email?: string
  avatar_big?: string | null
  [field: string]: unknown
}

/** Signs in with Todoist. Create an app in the App Management Console and enter the callback URL there. */
export default function Todoist(options: OAuthUserConfig<TodoistProfile> = {}): OAuth2Config<TodoistProfile> {
  return {
    id: 'todoist',
    name: 'Todoist',
    type: 'oauth',
    authorization: { url: 'https://app.todoist.com/oauth/authorize', params: { scope: 'data:read' } },
    token: 'https://api.todoist.com/oauth/access_token',
    // The Sync API v9, where the person was told before, answers 410 since February 2026.
    userinfo: 'https://api.todoist.com/api/v1/user',
    client: { token_endpoint_auth_method: 'client_secret_post' },
    profile: ({ id, full_name, email, avatar_big }) => ({
      id: String(id),
      name: full_name ?? null,
      email: email ?? null,
      image: avatar_big ?? null,
    }),
    style: { brandColor: '#E44332' },
    options,
  }
}
