/** GitHub — https://docs.github.com/apps/oauth-apps · callback: <origin>/auth/callback/github */
import type { Profile } from '../types.js'
import type { OAuth2Config, OAuthUserConfig, UserinfoEndpoint } from './types.js'

/** What GitHub's user endpoint tells. */
export interface GitHubProfile {
  id: number
  login: string
  name: string | null
  /** The public address; filled in from the private ones where there is none. */
  email: string | null
  /** Ours: the address is one of the private ones that are verified. Of a public one GitHub does not say. */
  email_verified?: true
  avatar_url: string
  [field: string]: unknown
}

/** Options of the provider; `enterprise.baseUrl` is the URL of a GitHub Enterprise Server. */
export type GitHubOptions = OAuthUserConfig<GitHubProfile> & { enterprise?: { baseUrl?: string } }

/** Signs in with GitHub. Create an OAuth app and enter the callback URL there. */
export default function GitHub(options: GitHubOptions = {}): OAuth2Config<GitHubProfile> {
  const base = options.enterprise?.baseUrl?.replace(/\/$/, '') ?? 'https://github.com'
  const api = options.enterprise?.baseUrl ? `${base}/api/v3` : 'https://api.github.com'
  return {
    id: 'github',
    name: 'GitHub',
    type: 'oauth',
    issuer: `${base}/login/oauth`,
    authorization: { url: `${base}/login/oauth/authorize`, params: { scope: 'read:user user:email' } },
    token: `${base}/login/oauth/access_token`,
    userinfo: { url: `${api}/user`, request: requestProfile(api) },
    // There are no public clients: a missing secret is told at construction.
    client: { token_endpoint_auth_method: 'client_secret_basic' },
    profile: ({ id, name, login, email, avatar_url }) => ({
      id: String(id),
      name: name ?? login,
      email,
      image: avatar_url,
    }),
    emailVerified: ({ email_verified }) => email_verified,
    style: { brandColor: '#24292f' },
    options,
  }
}

interface Address {
  email: string
  primary: boolean
  verified: boolean
}

/** GitHub wants a User-Agent, and keeps addresses that are not public at another endpoint. */
function requestProfile(api: string): NonNullable<UserinfoEndpoint['request']> {
  return async ({ fetch, tokens }) => {
    const headers = {
      accept: 'application/vnd.github+json',
      authorization: `Bearer ${tokens.access_token}`,
      'user-agent': 'server-auth',
    }
    const read = async <T>(path: string): Promise<T> => {
      const response = await fetch(`${api}${path}`, { headers })
      if (!response.ok) throw new Error(`GitHub answered ${path} with status ${response.status}`)
      return (await response.json()) as T
    }
    const profile = await read<Profile>('/user')
    if (profile.email) return profile
    const addresses = await read<Address[]>('/user/emails').catch((): Address[] => [])
    // Anybody can add an address; only the owner can verify it.
    const verified = addresses.filter((address) => address.verified)
    const chosen = verified.find(({ primary }) => primary) ?? verified[0]
    return chosen ? { ...profile, email: chosen.email, email_verified: true } : { ...profile, email: null }
  }
}
