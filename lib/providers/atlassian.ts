/** Atlassian — https://developer.atlassian.com/cloud/jira/platform/oauth-2-3lo-apps · callback: <origin>/auth/callback/atlassian */
import type { OAuth2Config, OAuthUserConfig } from './types.js'

/** What Atlassian's user identity endpoint tells. */
export interface AtlassianProfile {
  account_id: string
  name: string
  nickname?: string
  /** Missing where the person's privacy settings hide it. */
  email?: string | null
  picture?: string | null
  [field: string]: unknown
}

/** Signs in with Atlassian. Add "OAuth 2.0 (3LO)" with the callback URL and the user identity API (`read:me`) to the app. */
export default function Atlassian(options: OAuthUserConfig<AtlassianProfile> = {}): OAuth2Config<AtlassianProfile> {
  return {
    id: 'atlassian',
    name: 'Atlassian',
    type: 'oauth',
    authorization: {
      url: 'https://auth.atlassian.com/authorize',
      params: { audience: 'api.atlassian.com', scope: 'read:me' },
    },
    token: 'https://auth.atlassian.com/oauth/token',
    userinfo: 'https://api.atlassian.com/me',
    checks: ['state'],
    client: { token_endpoint_auth_method: 'client_secret_basic' },
    profile: ({ account_id, name, nickname, email, picture }) => ({
      id: account_id,
      name: name ?? nickname ?? null,
      email: email ?? null,
      image: picture ?? null,
    }),
    style: { brandColor: '#0052cc' },
    options,
  }
}
