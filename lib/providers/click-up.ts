/** ClickUp — https://developer.clickup.com/docs/authentication · callback: <origin>/auth/callback/click-up */
import type { OAuth2Config, OAuthUserConfig } from '../types/provider.js'

/** The response of ClickUp's user endpoint. */
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

/**
 * Signs in with ClickUp. An owner or admin of a workspace creates the app there, with the callback URL. No scopes.
 *
 * Environment: `AUTH_CLICK_UP_ID` and `AUTH_CLICK_UP_SECRET`. https://developer.clickup.com/docs/authentication
 */
export default function ClickUp(options: OAuthUserConfig<ClickUpProfile> = {}): OAuth2Config<ClickUpProfile> {
  return {
    id: 'click-up',
    name: 'ClickUp',
    type: 'oauth',
    authorization: 'https://app.clickup.com/api',
    token: { url: 'https://api.clickup.com/api/v2/oauth/token', conform: conformClickUpTokens },
    userinfo: 'https://api.clickup.com/api/v2/user',
    checks: ['state'],
    // The documentation describes id and secret only as parameters.
    client: { token_endpoint_auth_method: 'client_secret_post' },
    profile: ({ user }) => ({
      id: String(user.id),
      name: user.username ?? null,
      email: user.email ?? null,
      image: user.profilePicture ?? null,
    }),
    style: {
      brandColor: '#7b68ee',
      mark: 'M2 18.439l3.69-2.828c1.961 2.56 4.044 3.739 6.363 3.739 2.307 0 4.33-1.166 6.203-3.704L22 18.405C19.298 22.065 15.941 24 12.053 24 8.178 24 4.788 22.078 2 18.439zM12.04 6.15l-6.568 5.66-3.036-3.52L12.055 0l9.543 8.296-3.05 3.509z',
    },
    options,
  }
}

/**
 * Adds the token type. The documented response contains only an `access_token`, although RFC 6749 §5.1 requires the
 * type.
 */
async function conformClickUpTokens(response: Response): Promise<Response | undefined> {
  if (!response.ok) return undefined
  return Response.json({ token_type: 'bearer', ...((await response.json()) as object) })
}
