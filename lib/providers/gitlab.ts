/** GitLab — https://docs.gitlab.com/integration/oauth_provider · callback: <origin>/auth/callback/gitlab */
import type { OAuth2Config, OAuthUserConfig } from './types.js'

/** What GitLab's user endpoint tells. */
export interface GitLabProfile {
  id: number
  username: string
  name: string | null
  email: string | null
  avatar_url: string | null
  [field: string]: unknown
}

/** Options of the provider; `baseUrl` is the URL of a GitLab of your own. */
export type GitLabOptions = OAuthUserConfig<GitLabProfile> & { baseUrl?: string }

/** Signs in with GitLab. The application there needs the scope `read_user` and the callback URL. */
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
    style: { brandColor: '#FC6D26' },
    options,
  }
}
