/** Trakt — https://trakt.docs.apiary.io/#reference/authentication-oauth · callback: <origin>/auth/callback/trakt */
import type { Profile } from '../types/identity.js'
import type { OAuth2Config, OAuthUserConfig, UserinfoEndpoint } from '../types/provider.js'

/** The response of Trakt's user endpoint. There are no email addresses. */
export interface TraktProfile {
  /** The slug follows the user name, and changes with it. */
  ids: { slug: string; [kind: string]: unknown }
  username?: string
  name?: string | null
  images?: { avatar?: { full?: string | null } }
  [field: string]: unknown
}

/**
 * Signs in with Trakt. Create an API app and enter the callback URL under "Redirect uri". Users are identified by the
 * slug of their user name, which changes with it. A user who takes over an abandoned name gets its account here.
 *
 * Environment: `AUTH_TRAKT_ID` and `AUTH_TRAKT_SECRET`. https://trakt.docs.apiary.io/#reference/authentication-oauth
 */
export default function Trakt(options: OAuthUserConfig<TraktProfile> = {}): OAuth2Config<TraktProfile> {
  return {
    id: 'trakt',
    name: 'Trakt',
    type: 'oauth',
    authorization: 'https://trakt.tv/oauth/authorize',
    token: 'https://api.trakt.tv/oauth/token',
    userinfo: { url: 'https://api.trakt.tv/users/me?extended=full', request: requestTraktProfile },
    client: { token_endpoint_auth_method: 'client_secret_post' },
    profile: ({ ids, name, username, images }) => ({
      id: ids.slug,
      name: name || username || null,
      email: null,
      image: images?.avatar?.full ?? null,
    }),
    style: {
      brandColor: '#ED2224',
      mark: 'm15.082 15.107-.73-.73 9.578-9.583a4.499 4.499 0 0 0-.115-.575L13.662 14.382l1.08 1.08-.73.73-1.81-1.81L23.422 3.144c-.075-.15-.155-.3-.25-.44L11.508 14.377l2.154 2.155-.73.73-7.193-7.199.73-.73 4.309 4.31L22.546 1.86A5.618 5.618 0 0 0 18.362 0H5.635A5.637 5.637 0 0 0 0 5.634V18.37A5.632 5.632 0 0 0 5.635 24h12.732C21.477 24 24 21.48 24 18.37V6.19l-8.913 8.918zm-4.314-2.155L6.814 8.988l.73-.73 3.954 3.96zm1.075-1.084-3.954-3.96.73-.73 3.959 3.96zm9.853 5.688a4.141 4.141 0 0 1-4.14 4.14H6.438a4.144 4.144 0 0 1-4.139-4.14V6.438A4.141 4.141 0 0 1 6.44 2.3h10.387v1.04H6.438c-1.71 0-3.099 1.39-3.099 3.1V17.55c0 1.71 1.39 3.105 3.1 3.105h11.117c1.71 0 3.1-1.395 3.1-3.105v-1.754h1.04v1.754z',
    },
    options,
  }
}

/** Requests the profile. Trakt requires the version of its API, the app, and a User-Agent. */
const requestTraktProfile: NonNullable<UserinfoEndpoint['request']> = async ({ fetch, provider, tokens }) => {
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
