/** osu! — https://osu.ppy.sh/docs · callback: <origin>/auth/callback/osu */
import type { OAuth2Config, OAuthUserConfig } from './types.js'

/** What osu!'s user endpoint tells. */
export interface OsuProfile {
  id: number
  username: string
  avatar_url?: string | null
  country_code?: string
  [field: string]: unknown
}

/** Signs in with osu!. Register an OAuth application in the account settings, with the callback URL. There is no address. */
export default function Osu(options: OAuthUserConfig<OsuProfile> = {}): OAuth2Config<OsuProfile> {
  return {
    id: 'osu',
    name: 'osu!',
    type: 'oauth',
    authorization: { url: 'https://osu.ppy.sh/oauth/authorize', params: { scope: 'identify' } },
    token: 'https://osu.ppy.sh/oauth/token',
    userinfo: 'https://osu.ppy.sh/api/v2/me',
    // There are no public clients: a missing secret is told at construction.
    client: { token_endpoint_auth_method: 'client_secret_basic' },
    profile: ({ id, username, avatar_url }) => ({
      id: String(id),
      name: username,
      email: null,
      image: avatar_url ?? null,
    }),
    style: { brandColor: '#ff66aa' },
    options,
  }
}
