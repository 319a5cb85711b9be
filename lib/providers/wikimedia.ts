/** Wikimedia — https://www.mediawiki.org/wiki/OAuth/For_Developers · callback: <origin>/auth/callback/wikimedia */
import type { OAuth2Config, OAuthUserConfig } from '../types/provider.js'

/** The response of Wikimedia's profile endpoint. */
export interface WikimediaProfile {
  /** The id of the central account. */
  sub: number | string
  username: string
  realname?: string
  /** Present only with the grant for it, and if the user has one. */
  email?: string
  /** True if the email address is confirmed. */
  confirmed_email?: boolean
  [field: string]: unknown
}

/**
 * Signs in with Wikimedia. Propose an OAuth 2.0 consumer on Meta-Wiki: its permissions are chosen there, not by scopes.
 *
 * Environment: `AUTH_WIKIMEDIA_ID` and `AUTH_WIKIMEDIA_SECRET`. https://www.mediawiki.org/wiki/OAuth/For_Developers
 */
export default function Wikimedia(options: OAuthUserConfig<WikimediaProfile> = {}): OAuth2Config<WikimediaProfile> {
  const base = 'https://meta.wikimedia.org/w/rest.php/oauth2'
  return {
    id: 'wikimedia',
    name: 'Wikimedia',
    type: 'oauth',
    authorization: `${base}/authorize`,
    token: `${base}/access_token`,
    userinfo: `${base}/resource/profile`,
    profile: ({ sub, username, email }) => ({ id: String(sub), name: username, email: email || null, image: null }),
    emailVerified: ({ confirmed_email }) => confirmed_email,
    style: { brandColor: '#000000' },
    options,
  }
}
