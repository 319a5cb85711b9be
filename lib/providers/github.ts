/** GitHub — https://docs.github.com/apps/oauth-apps · callback: <origin>/auth/callback/github */
import type { Profile } from '../types/identity.js'
import type { OAuth2Config, OAuthUserConfig, UserinfoEndpoint } from '../types/provider.js'

/** The response of GitHub's user endpoint. */
export interface GitHubProfile {
  id: number
  login: string
  name: string | null
  /** The public email address; without one, a private one is filled in. */
  email: string | null
  /**
   * Set by this provider: the address is one of the verified private ones. GitHub does not report it for a public one.
   */
  email_verified?: true
  avatar_url: string
  [field: string]: unknown
}

/** A GitHub Enterprise Server. */
interface GitHubEnterprise {
  /** The URL of the server, such as `https://github.example.com`. Default: github.com. */
  baseUrl?: string
}

/** The options of the provider; `enterprise.baseUrl` is the URL of a GitHub Enterprise Server. */
export type GitHubOptions = OAuthUserConfig<GitHubProfile> & {
  /** For GitHub Enterprise Server. */
  enterprise?: GitHubEnterprise
}

/**
 * Signs in with GitHub. Create an OAuth app and enter the callback URL there.
 *
 * Environment: `AUTH_GITHUB_ID` and `AUTH_GITHUB_SECRET`. https://docs.github.com/apps/oauth-apps
 */
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
    userinfo: { url: `${api}/user`, request: requestGitHubProfile(api) },
    // There are no public clients, so a missing secret is reported at construction.
    client: { token_endpoint_auth_method: 'client_secret_basic' },
    profile: ({ id, name, login, email, avatar_url }) => ({
      id: String(id),
      name: name ?? login,
      email,
      image: avatar_url,
    }),
    emailVerified: ({ email_verified }) => email_verified,
    style: {
      brandColor: '#24292f',
      mark: 'M12 .297c-6.63 0-12 5.373-12 12 0 5.303 3.438 9.8 8.205 11.385.6.113.82-.258.82-.577 0-.285-.01-1.04-.015-2.04-3.338.724-4.042-1.61-4.042-1.61C4.422 18.07 3.633 17.7 3.633 17.7c-1.087-.744.084-.729.084-.729 1.205.084 1.838 1.236 1.838 1.236 1.07 1.835 2.809 1.305 3.495.998.108-.776.417-1.305.76-1.605-2.665-.3-5.466-1.332-5.466-5.93 0-1.31.465-2.38 1.235-3.22-.135-.303-.54-1.523.105-3.176 0 0 1.005-.322 3.3 1.23.96-.267 1.98-.399 3-.405 1.02.006 2.04.138 3 .405 2.28-1.552 3.285-1.23 3.285-1.23.645 1.653.24 2.873.12 3.176.765.84 1.23 1.91 1.23 3.22 0 4.61-2.805 5.625-5.475 5.92.42.36.81 1.096.81 2.22 0 1.606-.015 2.896-.015 3.286 0 .315.21.69.825.57C20.565 22.092 24 17.592 24 12.297c0-6.627-5.373-12-12-12',
    },
    options,
  }
}

interface Address {
  email: string
  primary: boolean
  verified: boolean
}

/** Requests the profile. GitHub requires a User-Agent, and has private email addresses at another endpoint. */
function requestGitHubProfile(api: string): NonNullable<UserinfoEndpoint['request']> {
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
    // Any user can add an address; only the owner can verify it.
    const verified = addresses.filter((address) => address.verified)
    const chosen = verified.find(({ primary }) => primary) ?? verified[0]
    return chosen ? { ...profile, email: chosen.email, email_verified: true } : { ...profile, email: null }
  }
}
