/** Strava — https://developers.strava.com/docs/authentication · callback: <origin>/auth/callback/strava */
import type { OAuth2Config, OAuthUserConfig } from '../types/provider.js'

/** The response of Strava's athlete endpoint. */
export interface StravaProfile {
  id: number
  username?: string | null
  firstname?: string | null
  lastname?: string | null
  /** The picture; without one the path of a stock picture, which is not a URL. */
  profile?: string | null
  [field: string]: unknown
}

/**
 * Signs in with Strava. "Authorization Callback Domain" of the API application is the host of the callback URL. There
 * is no email address. More scopes are separated by commas.
 *
 * Environment: `AUTH_STRAVA_ID` and `AUTH_STRAVA_SECRET`. https://developers.strava.com/docs/authentication
 */
export default function Strava(options: OAuthUserConfig<StravaProfile> = {}): OAuth2Config<StravaProfile> {
  return {
    id: 'strava',
    name: 'Strava',
    type: 'oauth',
    authorization: {
      url: 'https://www.strava.com/api/v3/oauth/authorize',
      params: { scope: 'read', approval_prompt: 'auto' },
    },
    token: 'https://www.strava.com/api/v3/oauth/token',
    userinfo: 'https://www.strava.com/api/v3/athlete',
    client: { token_endpoint_auth_method: 'client_secret_post' },
    profile: ({ id, username, firstname, lastname, profile }) => ({
      id: String(id),
      name: [firstname, lastname].filter(Boolean).join(' ').trim() || (username ?? null),
      email: null,
      image: profile?.startsWith('https://') ? profile : null,
    }),
    style: {
      brandColor: '#FC4C02',
      mark: 'M15.387 17.944l-2.089-4.116h-3.065L15.387 24l5.15-10.172h-3.066m-7.008-5.599l2.836 5.598h4.172L10.463 0l-7 13.828h4.169',
    },
    options,
  }
}
