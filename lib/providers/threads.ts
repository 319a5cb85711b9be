/** Threads — https://developers.facebook.com/docs/threads/get-started · callback: <origin>/auth/callback/threads (https) */
import type { OAuth2Config, OAuthUserConfig } from '../types/provider.js'

/** A profile of Threads. */
interface ThreadsUser {
  /** The user's id. */
  id: string
  /** The name of the account. */
  username?: string | null
  /** The displayed name. */
  name?: string | null
  /** The URL of the picture. */
  threads_profile_picture_url?: string | null
}

/** The response of Threads' user endpoint. */
export interface ThreadsProfile extends ThreadsUser {
  /** Some responses wrap the user. */
  data?: ThreadsUser
  [field: string]: unknown
}

/**
 * Signs in with Threads. The Meta app needs the use case "Access the Threads API" and the callback URL; id and secret
 * are those of Threads, not of the app. There is no email address. More scopes are separated by commas.
 *
 * Environment: `AUTH_THREADS_ID` and `AUTH_THREADS_SECRET`. https://developers.facebook.com/docs/threads/get-started
 */
export default function Threads(options: OAuthUserConfig<ThreadsProfile> = {}): OAuth2Config<ThreadsProfile> {
  return {
    id: 'threads',
    name: 'Threads',
    type: 'oauth',
    // Threads does not support PKCE.
    checks: ['state'],
    authorization: { url: 'https://threads.net/oauth/authorize', params: { scope: 'threads_basic' } },
    token: { url: 'https://graph.threads.net/oauth/access_token', conform: conformThreadsTokens },
    userinfo: {
      url: 'https://graph.threads.net/v1.0/me',
      params: { fields: 'id,username,name,threads_profile_picture_url' },
    },
    client: { token_endpoint_auth_method: 'client_secret_post' },
    profile: (profile) => {
      const { id, username, name, threads_profile_picture_url: image } = profile.data ?? profile
      return { id, name: name || username || null, email: null, image: image || null }
    },
    style: {
      brandColor: '#000000',
      mark: 'M18.263 11.097c-.03-3.486-1.92-5.586-5.111-5.586-2.13 0-3.922.963-4.863 2.499l2.062 1.438c.535-.843 1.272-1.543 2.628-1.543 1.528 0 2.318.85 2.544 2.431a15 15 0 0 0-2.236-.173c-4.125 0-6.068 1.867-6.068 4.336s1.943 3.99 4.804 3.99c3.139 0 5.013-2.115 5.781-4.735.798.361 1.348 1.204 1.348 2.47 0 3.387-3.907 5.232-7.22 5.232-4.885 0-8.077-3.207-8.077-8.424 0-6.392 4.223-10.487 9.9-10.487 3.808 0 5.69 1.671 6.97 3.914l2.108-1.475C21.44 2.078 18.331 0 13.663 0 6.227 0 1.168 5.277 1.168 12.934c0 7 4.953 11.066 10.856 11.066 4.878 0 9.809-2.846 9.809-7.716 0-2.545-1.46-4.231-3.569-5.187m-6.33 4.855c-1.077 0-2.026-.512-2.026-1.453 0-1.483 1.822-1.934 3.606-1.934.678 0 1.34.045 1.927.173-.422 1.927-1.671 3.215-3.508 3.214Z',
    },
    options,
  }
}

/** Adds `token_type`, which Threads leaves out although RFC 6749 §5.1 requires it. */
async function conformThreadsTokens(response: Response): Promise<Response | undefined> {
  if (!response.ok) return undefined
  return Response.json({ token_type: 'bearer', ...((await response.json()) as object) })
}
