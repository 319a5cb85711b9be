/** Foursquare — https://docs.foursquare.com/developer/reference/v2-authentication · callback: <origin>/auth/callback/foursquare */
import type { TokenSet } from '../types.js'
import type { OAuth2Config, OAuthUserConfig, TokenEndpoint, UserinfoEndpoint } from './types.js'

/** What Foursquare's user endpoint tells, in its envelope. */
export interface FoursquareProfile {
  response: {
    user: {
      id: string
      firstName?: string
      lastName?: string
      contact?: { email?: string }
      photo?: { prefix: string; suffix: string }
      [field: string]: unknown
    }
  }
  [field: string]: unknown
}

/** Options of the provider; `apiVersion` is the day, as `YYYYMMDD`, whose version of the API answers. */
export type FoursquareOptions = OAuthUserConfig<FoursquareProfile> & { apiVersion?: string }

/** Signs in with Foursquare. The project there needs access to the v2 API, and the callback URL as its redirect URL. */
export default function Foursquare(options: FoursquareOptions = {}): OAuth2Config<FoursquareProfile> {
  const url = 'https://api.foursquare.com/v2/users/self'
  return {
    id: 'foursquare',
    name: 'Foursquare',
    type: 'oauth',
    authorization: 'https://foursquare.com/oauth2/authenticate',
    token: { url: 'https://foursquare.com/oauth2/access_token', conform: withTokenType },
    userinfo: { url, request: requestProfile(url, options.apiVersion ?? '20230131') },
    // There are no public clients: a missing secret is told at construction.
    client: { token_endpoint_auth_method: 'client_secret_basic' },
    profile: ({ response: { user } }) => ({
      id: String(user.id),
      name: [user.firstName, user.lastName].filter(Boolean).join(' ').trim() || null,
      email: user.contact?.email ?? null,
      image: user.photo ? `${user.photo.prefix}original${user.photo.suffix}` : null,
    }),
    style: { brandColor: '#000000' },
    options,
  }
}

/** Its answer is the access token and nothing else. */
const withTokenType: NonNullable<TokenEndpoint['conform']> = async (response) =>
  response.ok ? Response.json({ token_type: 'bearer', ...((await response.json()) as TokenSet) }) : undefined

/** Foursquare reads the token from the query only, and wants to know the version there too. */
function requestProfile(address: string, version: string): NonNullable<UserinfoEndpoint['request']> {
  return async ({ fetch, tokens }) => {
    const query = new URLSearchParams({ v: version, oauth_token: tokens.access_token ?? '' })
    const response = await fetch(`${address}?${query}`, { headers: { accept: 'application/json' } })
    if (!response.ok) throw new Error(`Foursquare answered with status ${response.status}`)
    return (await response.json()) as FoursquareProfile
  }
}
