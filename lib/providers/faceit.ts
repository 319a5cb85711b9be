/** FACEIT — https://docs.faceit.com/getting-started/authentication/oauth2 · callback: <origin>/auth/callback/faceit */
import type { OAuth2Config, OAuthUserConfig } from '../types/provider.js'

/** The response of FACEIT's userinfo endpoint. */
export interface FaceitProfile {
  guid: string
  nickname?: string
  name?: string
  email?: string
  email_verified?: boolean
  picture?: string
  locale?: string
  [field: string]: unknown
}

/**
 * Signs in with FACEIT. Create a consent screen and an OAuth2 client in its App Studio, with the callback URL and the
 * scopes `openid`, `email` and `profile`.
 *
 * Environment: `AUTH_FACEIT_ID` and `AUTH_FACEIT_SECRET`. https://docs.faceit.com/getting-started/authentication/oauth2
 */
export default function FACEIT(options: OAuthUserConfig<FaceitProfile> = {}): OAuth2Config<FaceitProfile> {
  return {
    id: 'faceit',
    name: 'FACEIT',
    type: 'oauth',
    authorization: {
      url: 'https://accounts.faceit.com/accounts',
      // `redirect_popup`: the response is sent to the callback URL, not to a window that opened the page.
      params: { scope: 'openid profile email', redirect_popup: 'true' },
    },
    token: 'https://api.faceit.com/auth/v1/oauth/token',
    userinfo: 'https://api.faceit.com/auth/v1/resources/userinfo',
    profile: ({ guid, name, nickname, email, picture }) => ({
      id: guid,
      name: name ?? nickname ?? null,
      email: email ?? null,
      image: picture || null,
    }),
    style: {
      brandColor: '#ff5500',
      mark: 'M23.999 2.705a.167.167 0 00-.312-.1 1141.27 1141.27 0 00-6.053 9.375H.218c-.221 0-.301.282-.11.352 7.227 2.73 17.667 6.836 23.5 9.134.15.06.39-.08.39-.18z',
    },
    options,
  }
}
