/** Dropbox — https://developers.dropbox.com/oauth-guide · callback: <origin>/auth/callback/dropbox */
import type { Profile } from '../types/identity.js'
import type { OAuth2Config, OAuthUserConfig, UserinfoEndpoint } from '../types/provider.js'

/** The response of Dropbox about the current account. */
export interface DropboxProfile {
  account_id: string
  name?: { display_name?: string | null; [part: string]: unknown } | null
  email?: string | null
  email_verified?: boolean
  profile_photo_url?: string | null
  [field: string]: unknown
}

/**
 * Signs in with Dropbox. The app there needs the permission `account_info.read` and the callback URL.
 *
 * Environment: `AUTH_DROPBOX_ID` and `AUTH_DROPBOX_SECRET`. https://developers.dropbox.com/oauth-guide
 */
export default function Dropbox(options: OAuthUserConfig<DropboxProfile> = {}): OAuth2Config<DropboxProfile> {
  return {
    id: 'dropbox',
    name: 'Dropbox',
    type: 'oauth',
    authorization: {
      url: 'https://www.dropbox.com/oauth2/authorize',
      params: { token_access_type: 'offline', scope: 'account_info.read' },
    },
    token: 'https://api.dropboxapi.com/oauth2/token',
    userinfo: { url: account, request: requestDropboxProfile },
    profile: ({ account_id, name, email, profile_photo_url }) => ({
      id: account_id,
      name: name?.display_name ?? null,
      email: email ?? null,
      image: profile_photo_url ?? null,
    }),
    style: {
      brandColor: '#0061fe',
      mark: 'M6 1.807L0 5.629l6 3.822 6.001-3.822L6 1.807zM18 1.807l-6 3.822 6 3.822 6-3.822-6-3.822zM0 13.274l6 3.822 6.001-3.822L6 9.452l-6 3.822zM18 9.452l-6 3.822 6 3.822 6-3.822-6-3.822zM6 18.371l6.001 3.822 6-3.822-6-3.822L6 18.371z',
    },
    options,
  }
}

const account = 'https://api.dropboxapi.com/2/users/get_current_account'

/** Requests the profile. All of Dropbox's API is POST; this call has no arguments, and so no body. */
const requestDropboxProfile: NonNullable<UserinfoEndpoint['request']> = async ({ fetch, tokens }) => {
  const headers = { authorization: `Bearer ${tokens.access_token}` }
  const response = await fetch(account, { method: 'POST', headers })
  if (!response.ok) throw new Error(`Dropbox answered with status ${response.status}`)
  return (await response.json()) as Profile
}
