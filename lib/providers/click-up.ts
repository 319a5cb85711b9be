/** ClickUp — https://developer.clickup.com/docs/authentication · callback: <origin>/auth/callback/click-up */
import type { OAuth2Config, OAuthUserConfig } from './types.js'

/** What ClickUp's user endpoint tells. */
export interface ClickUpProfile {
  user: {
    id: number
    username: string | null
    email?: string | null
    color?: string | null
    profilePicture?: string | null
    [field: string]: unknown
  }
  [field: string]: unknown
}

/** Signs in with ClickUp. An owner or admin of a workspace creates the app there, with the callback URL. No scopes. */
export default function ClickUp(options: OAuthUserConfig<ClickUpProfile> = {}): OAuth2Config<ClickUpProfile> {
  return {
    id: 'click-up',
    name: 'ClickUp',
    type: 'oauth',
    authorization: 'https://app.clickup.com/api',
    token: { url: 'https://api.clickup.com/api/v2/oauth/token', conform: withTokenType },
    userinfo: 'https://api.clickup.com/api/v2/user',
    checks: ['state'],
    // Its documentation knows id and secret as parameters only.
    client: { token_endpoint_auth_method: 'client_secret_post' },
    profile: ({ user }) => ({
      id: String(user.id),
      name: user.username ?? null,
      email: user.email ?? null,
      image: user.profilePicture ?? null,
    }),
    style: { brandColor: '#7b68ee' },
    options,
  }
}

/** The documented answer is an `access_token` and nothing else; RFC 6749 §5.1 wants its type. */
async function withTokenType(response: Response): Promise<Response | undefined> {
  if (!response.ok) return undefined
  return Response.json({ token_type: 'bearer', ...((await response.json()) as object) })
}
