/** Trakt — https://trakt.docs.apiary.io/#reference/authentication-oauth · callback: <origin>/auth/callback/trakt */
import type { Profile } from '../types.js'
import type { OAuth2Config, OAuthUserConfig, UserinfoEndpoint } from './types.js'

/** What Trakt's user endpoint tells. There are no addresses. */
export interface TraktProfile {
  /** The slug is the user name's; it changes with it. */
  ids: { slug: string; [kind: string]: unknown }
  username?: string
  name?: string | null
  images?: { avatar?: { full?: string | null } }
  [field: string]: unknown
}

/** Signs in with Trakt. Create an API app and enter the callback URL under "Redirect uri". */
export default function Trakt(options: OAuthUserConfig<TraktProfile> = {}): OAuth2Config<TraktProfile> {
  return {
    id: 'trakt',
    name: 'Trakt',
    type: 'oauth',
    authorization: 'https://trakt.tv/oauth/authorize',
    token: 'https://api.trakt.tv/oauth/token',
    userinfo: { url: 'https://api.trakt.tv/users/me?extended=full', request: requestProfile },
    client: { token_endpoint_auth_method: 'client_secret_post' },
    profile: ({ ids, name, username, images }) => ({
      id: ids.slug,
      name: name || username || null,
      email: null,
      image: images?.avatar?.full ?? null,
    }),
    style: { brandColor: '#ED2224' },
    options,
  }
}

/** Trakt wants to know the version of its API that is meant, the app, and a User-Agent. */
const requestProfile: NonNullable<UserinfoEndpoint['request']> = async ({ fetch, provider, tokens }) => {
  const response = await fetch('https://api.trakt.tv/users/me?extended=full', {
    headers: {
      authorization: `Bearer ${tokens.access_token}`,
      'trakt-api-key': provider.clientId,
      'trakt-api-version': '2',
      'user-agent': 'server-auth',
    },
  })
  if (!response.ok) throw new Error(`Trakt answered /users/me with status ${response.status}`)
  return (await response.json()) as Profile
}
