/** Threads — https://developers.facebook.com/docs/threads/get-started · callback: <origin>/auth/callback/threads (https) */
import type { OAuth2Config, OAuthUserConfig } from './types.js'

interface ThreadsPerson {
  id: string
  username?: string | null
  name?: string | null
  threads_profile_picture_url?: string | null
}

/** What Threads' user endpoint tells. */
export interface ThreadsProfile extends ThreadsPerson {
  /** Some answers wrap the person. */
  data?: ThreadsPerson
  [field: string]: unknown
}

/**
 * Signs in with Threads. The Meta app needs the use case "Access the Threads API" and the callback URL; id and secret are
 * those of Threads, not of the app. There is no address. More scopes are separated by commas.
 */
export default function Threads(options: OAuthUserConfig<ThreadsProfile> = {}): OAuth2Config<ThreadsProfile> {
  return {
    id: 'threads',
    name: 'Threads',
    type: 'oauth',
    // Threads has no PKCE.
    checks: ['state'],
    authorization: { url: 'https://threads.net/oauth/authorize', params: { scope: 'threads_basic' } },
    token: { url: 'https://graph.threads.net/oauth/access_token', conform: withTokenType },
    userinfo: {
      url: 'https://graph.threads.net/v1.0/me',
      params: { fields: 'id,username,name,threads_profile_picture_url' },
    },
    client: { token_endpoint_auth_method: 'client_secret_post' },
    profile: (profile) => {
      const { id, username, name, threads_profile_picture_url: image } = profile.data ?? profile
      return { id, name: name || username || null, email: null, image: image || null }
    },
    style: { brandColor: '#000000' },
    options,
  }
}

/** Threads leaves out `token_type`, which RFC 6749 §5.1 requires. */
async function withTokenType(response: Response): Promise<Response | undefined> {
  if (!response.ok) return undefined
  return Response.json({ token_type: 'bearer', ...((await response.json()) as object) })
}
