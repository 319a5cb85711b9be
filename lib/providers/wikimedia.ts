/** Wikimedia — https://www.mediawiki.org/wiki/OAuth/For_Developers · callback: <origin>/auth/callback/wikimedia */
import type { OAuth2Config, OAuthUserConfig } from '../types/provider.js'

/** What Wikimedia's profile endpoint tells. */
export interface WikimediaProfile {
  /** The id of the central account. */
  sub: number | string
  username: string
  realname?: string
  /** Only with the grant for it, and only where there is one. */
  email?: string
  /** Whether the address is confirmed. */
  confirmed_email?: boolean
  [field: string]: unknown
}

/**
 * Signs in with Wikimedia. Propose an OAuth 2.0 consumer on Meta-Wiki: what it may read is chosen there, not by scopes.
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
