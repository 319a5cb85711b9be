/** GitLab — https://docs.gitlab.com/integration/oauth_provider · callback: <origin>/auth/callback/gitlab */
import type { OAuth2Config, OAuthUserConfig } from '../types/provider.js'

/** The response of GitLab's user endpoint. */
export interface GitLabProfile {
  id: number
  username: string
  name: string | null
  email: string | null
  avatar_url: string | null
  [field: string]: unknown
}

/** The options of the provider; `baseUrl` is the URL of a self-hosted GitLab. */
export type GitLabOptions = OAuthUserConfig<GitLabProfile> & {
  /** The URL of a self-hosted GitLab. Default: gitlab.com. */
  baseUrl?: string
}

/**
 * Signs in with GitLab. The application there needs the scope `read_user` and the callback URL.
 *
 * Environment: `AUTH_GITLAB_ID` and `AUTH_GITLAB_SECRET`. https://docs.gitlab.com/integration/oauth_provider
 */
export default function GitLab(options: GitLabOptions = {}): OAuth2Config<GitLabProfile> {
  const base = options.baseUrl?.replace(/\/$/, '') ?? 'https://gitlab.com'
  return {
    id: 'gitlab',
    name: 'GitLab',
    type: 'oauth',
    authorization: { url: `${base}/oauth/authorize`, params: { scope: 'read_user' } },
    token: `${base}/oauth/token`,
    userinfo: `${base}/api/v4/user`,
    profile: ({ id, name, username, email, avatar_url }) => ({
      id: String(id),
      name: name ?? username,
      email,
      image: avatar_url,
    }),
    style: {
      brandColor: '#FC6D26',
      mark: [
        {
          color: '#E24329',
          path: 'M23.57 9.62l-.03-.09L20.28 1.04a.86.86 0 0 0-1.63.09l-2.2 6.73H7.55L5.35 1.13a.86.86 0 0 0-1.63-.09L.47 9.53.44 9.62a6.05 6.05 0 0 0 2.01 6.99l.01.01.03.02 4.95 3.71 2.46 1.86 1.49 1.13a1.01 1.01 0 0 0 1.22 0l1.49-1.13 2.46-1.86 4.99-3.73.01-.01A6.05 6.05 0 0 0 23.57 9.62Z',
        },
        {
          color: '#FC6D26',
          path: 'M23.57 9.62l-.03-.09a10.98 10.98 0 0 0-4.38 1.97l-7.15 5.41 4.55 3.44 4.99-3.73.01-.01A6.05 6.05 0 0 0 23.57 9.62Z',
        },
        {
          color: '#FCA326',
          path: 'M7.44 20.35l2.46 1.86 1.49 1.13a1.01 1.01 0 0 0 1.22 0l1.49-1.13 2.46-1.86-4.55-3.44-4.56 3.44Z',
        },
        {
          color: '#FC6D26',
          path: 'M4.85 11.5a10.97 10.97 0 0 0-4.38-1.97L.44 9.62a6.05 6.05 0 0 0 2.01 6.99l.01.01.03.02 4.95 3.71 4.56-3.44-7.15-5.41Z',
        },
      ],
    },
    options,
  }
}
