/** Bungie — https://github.com/Bungie-net/api/wiki/OAuth-Documentation · callback: <origin>/auth/callback/bungie */
import type { Profile } from '../types.js'
import type { OAuth2Config, OAuthUserConfig, UserinfoEndpoint } from './types.js'

/** What Bungie.net tells of the token's owner. */
export interface BungieProfile {
  Response: {
    bungieNetUser: {
      membershipId: string
      displayName?: string | null
      /** Relative to `https://www.bungie.net`. */
      profilePicturePath?: string | null
      [field: string]: unknown
    }
    [field: string]: unknown
  }
  [field: string]: unknown
}

/** Options of the provider; `apiKey` (or `AUTH_BUNGIE_KEY`) is the application's API key. Without it nothing can be read. */
export type BungieOptions = OAuthUserConfig<BungieProfile> & { apiKey?: string }

const site = 'https://www.bungie.net'

/** Signs in with Bungie.net. The application's scopes count: none is asked for here. Its redirect URL is the callback URL. */
export default function Bungie(options: BungieOptions = {}): OAuth2Config<BungieProfile> {
  return {
    id: 'bungie',
    name: 'Bungie',
    type: 'oauth',
    authorization: { url: `${site}/en/OAuth/Authorize`, params: { reauth: 'true' } },
    token: `${site}/platform/app/oauth/token/`,
    /** Read when the configuration is resolved: that is when a missing key is told. */
    get userinfo(): string | UserinfoEndpoint {
      if (options.apiKey) return requestProfile(options.apiKey)
      if (options.userinfo) return options.userinfo
      throw new TypeError(
        'Provider "bungie": `apiKey` is missing. Pass it: Bungie wants its X-API-Key with every request.',
      )
    },
    profile: ({ Response: { bungieNetUser: user } }) => ({
      id: String(user.membershipId),
      name: user.displayName ?? null,
      email: null,
      image: user.profilePicturePath ? new URL(user.profilePicturePath, site).href : null,
    }),
    style: { brandColor: '#0075bb' },
    options,
  }
}

/** Whose token it is, without an id in the URL; errors come with status 200 too. */
function requestProfile(apiKey: string): UserinfoEndpoint {
  const url = `${site}/Platform/User/GetMembershipsForCurrentUser/`
  return {
    url,
    async request({ fetch, tokens }) {
      const headers = { authorization: `Bearer ${tokens.access_token}`, 'x-api-key': apiKey }
      const response = await fetch(url, { headers })
      if (!response.ok) throw new Error(`Bungie answered with status ${response.status}`)
      const profile = (await response.json()) as Profile & Partial<BungieProfile>
      if (profile.Response?.bungieNetUser) return profile
      throw new Error(`Bungie told nothing of the person: ${String(profile.ErrorStatus)}`)
    },
  }
}
