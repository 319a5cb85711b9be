/** Spotify — https://developer.spotify.com/documentation/web-api · callback: <origin>/auth/callback/spotify */
import type { OAuth2Config, OAuthUserConfig } from './types.js'

/** What Spotify's profile endpoint tells. */
export interface SpotifyProfile {
  id: string
  display_name?: string | null
  /** Not told to every app, and never proved: Spotify says so. */
  email?: string | null
  images?: ReadonlyArray<{ url: string; height?: number | null; width?: number | null }>
  [field: string]: unknown
}

/**
 * Signs in with Spotify. Add the callback URL to the app; on your own machine Spotify takes `http://127.0.0.1:<port>` but
 * not `localhost`. While the app is in development mode, only people on its list can sign in.
 */
export default function Spotify(options: OAuthUserConfig<SpotifyProfile> = {}): OAuth2Config<SpotifyProfile> {
  return {
    id: 'spotify',
    name: 'Spotify',
    type: 'oauth',
    authorization: { url: 'https://accounts.spotify.com/authorize', params: { scope: 'user-read-email' } },
    token: 'https://accounts.spotify.com/api/token',
    userinfo: 'https://api.spotify.com/v1/me',
    profile: ({ id, display_name, email, images }) => ({
      id,
      name: display_name ?? null,
      email: email ?? null,
      image: images?.[0]?.url ?? null,
    }),
    emailVerified: () => false,
    style: { brandColor: '#1db954' },
    options,
  }
}
