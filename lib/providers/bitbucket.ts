/** Bitbucket — https://support.atlassian.com/bitbucket-cloud/docs/use-oauth-on-bitbucket-cloud · callback: <origin>/auth/callback/bitbucket */
import type { OAuth2Config, OAuthUserConfig } from '../types/provider.js'

/** The response of Bitbucket's user endpoint. Email addresses are at another one, behind the scope `email`. */
export interface BitbucketProfile {
  account_id: string
  uuid?: string
  display_name: string | null
  username?: string
  nickname?: string
  links?: { avatar?: { href?: string | null } }
  [field: string]: unknown
}

/**
 * Signs in with Bitbucket Cloud. The OAuth consumer of the workspace needs the permission "Account: Read".
 *
 * Environment: `AUTH_BITBUCKET_ID` and `AUTH_BITBUCKET_SECRET`.
 * https://support.atlassian.com/bitbucket-cloud/docs/use-oauth-on-bitbucket-cloud
 */
export default function Bitbucket(options: OAuthUserConfig<BitbucketProfile> = {}): OAuth2Config<BitbucketProfile> {
  return {
    id: 'bitbucket',
    name: 'Bitbucket',
    type: 'oauth',
    authorization: { url: 'https://bitbucket.org/site/oauth2/authorize', params: { scope: 'account' } },
    token: 'https://bitbucket.org/site/oauth2/access_token',
    userinfo: 'https://api.bitbucket.org/2.0/user',
    client: { token_endpoint_auth_method: 'client_secret_basic' },
    profile: ({ account_id, display_name, username, nickname, links }) => ({
      id: account_id,
      name: display_name ?? username ?? nickname ?? null,
      email: null,
      image: links?.avatar?.href ?? null,
    }),
    style: {
      brandColor: '#205081',
      mark: 'M.778 1.213a.768.768 0 00-.768.892l3.263 19.81c.084.5.515.868 1.022.873H19.95a.772.772 0 00.77-.646l3.27-20.03a.768.768 0 00-.768-.891zM14.52 15.53H9.522L8.17 8.466h7.561z',
    },
    options,
  }
}
