/** Webex — https://developer.webex.com/docs/integrations · callback: <origin>/auth/callback/webex */
import type { OAuth2Config, OAuthUserConfig } from '../types/provider.js'

/** The profile of a user at Webex. */
export interface WebexProfile {
  id: string
  emails?: string[]
  displayName?: string
  avatar?: string
  [field: string]: unknown
}

/**
 * The options of the provider; `apiBaseUrl` is the URL of another Webex API, such as the one for the U.S. government.
 */
export type WebexOptions = OAuthUserConfig<WebexProfile> & {
  /** The URL of another Webex API, such as the one for the U.S. government. Default `https://webexapis.com/v1`. */
  apiBaseUrl?: string
}

/**
 * Signs in with Webex. Create an integration with the scopes `spark:kms` and `spark:people_read`.
 *
 * Environment: `AUTH_WEBEX_ID` and `AUTH_WEBEX_SECRET`. https://developer.webex.com/docs/integrations
 */
export default function Webex(options: WebexOptions = {}): OAuth2Config<WebexProfile> {
  const base = options.apiBaseUrl?.replace(/\/$/, '') ?? 'https://webexapis.com/v1'
  return {
    id: 'webex',
    name: 'Webex',
    type: 'oauth',
    authorization: { url: `${base}/authorize`, params: { scope: 'spark:kms spark:people_read' } },
    token: `${base}/access_token`,
    userinfo: `${base}/people/me`,
    // There are no public clients, so a missing secret is reported at construction.
    client: { token_endpoint_auth_method: 'client_secret_basic' },
    profile: ({ id, displayName, emails, avatar }) => ({
      id,
      name: displayName ?? null,
      email: emails?.[0] ?? null,
      image: avatar ?? null,
    }),
    style: { brandColor: '#00bceb' },
    options,
  }
}
