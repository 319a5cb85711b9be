/** Roblox — https://create.roblox.com/docs/cloud/auth/oauth2-overview · callback: <origin>/auth/callback/roblox */
import type { OIDCConfig, OIDCUserConfig } from '../types/provider.js'

/** The claims of Roblox's id_token. There is no email address among them. */
export interface RobloxProfile {
  sub: string
  /** The displayed name; the user name is `preferred_username`. */
  name?: string
  nickname?: string
  preferred_username?: string
  profile?: string
  picture?: string | null
  [claim: string]: unknown
}

/**
 * Signs in with Roblox. The app needs the scopes `openid` and `profile`, and the callback URL.
 *
 * Environment: `AUTH_ROBLOX_ID` and `AUTH_ROBLOX_SECRET`. https://create.roblox.com/docs/cloud/auth/oauth2-overview
 */
export default function Roblox(options: OIDCUserConfig<RobloxProfile> = {}): OIDCConfig<RobloxProfile> {
  return {
    id: 'roblox',
    name: 'Roblox',
    type: 'oidc',
    issuer: 'https://apis.roblox.com/oauth/',
    authorization: { params: { scope: 'openid profile' } },
    checks: ['pkce', 'state'],
    style: {
      brandColor: '#335fff',
      mark: 'M18.926 23.998 0 18.892 5.075.002 24 5.108ZM15.348 10.09l-5.282-1.453-1.414 5.273 5.282 1.453z',
    },
    options,
  }
}
