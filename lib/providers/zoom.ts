/** Zoom — https://developers.zoom.us/docs/integrations/oauth · callback: <origin>/auth/callback/zoom */
import type { OAuth2Config, OAuthUserConfig } from '../types/provider.js'

/** The profile of a user at Zoom. */
export interface ZoomProfile {
  id: string
  first_name?: string
  last_name?: string
  display_name?: string
  email?: string
  /** True if the email address is verified. */
  verified?: 0 | 1
  pic_url?: string
  [field: string]: unknown
}

/**
 * Signs in with Zoom. The app's own scopes are used, so none are sent: it needs `user:read`, or `user:read:user`.
 *
 * Environment: `AUTH_ZOOM_ID` and `AUTH_ZOOM_SECRET`. https://developers.zoom.us/docs/integrations/oauth
 */
export default function Zoom(options: OAuthUserConfig<ZoomProfile> = {}): OAuth2Config<ZoomProfile> {
  return {
    id: 'zoom',
    name: 'Zoom',
    type: 'oauth',
    authorization: 'https://zoom.us/oauth/authorize',
    token: 'https://zoom.us/oauth/token',
    userinfo: 'https://api.zoom.us/v2/users/me',
    profile: ({ id, first_name, last_name, display_name, email, pic_url }) => ({
      id,
      name: [first_name, last_name].filter(Boolean).join(' ') || display_name || null,
      email: email ?? null,
      image: pic_url ?? null,
    }),
    emailVerified: ({ verified }) => (verified === undefined ? undefined : verified === 1),
    style: { brandColor: '#0b5cff' },
    options,
  }
}
