/** Eventbrite — https://www.eventbrite.com/platform/api#/introduction/authentication · callback: <origin>/auth/callback/eventbrite */
import type { OAuth2Config, OAuthUserConfig } from '../types/provider.js'

/** The response of Eventbrite's user endpoint. */
export interface EventbriteProfile {
  id: string
  name: string | null
  emails?: Array<{ email: string; verified: boolean; primary: boolean }> | null
  image_id?: string | null
  [field: string]: unknown
}

/**
 * Signs in with Eventbrite. The app's "OAuth Redirect URI" is the callback URL.
 *
 * Environment: `AUTH_EVENTBRITE_ID` and `AUTH_EVENTBRITE_SECRET`.
 * https://www.eventbrite.com/platform/api#/introduction/authentication
 */
export default function Eventbrite(options: OAuthUserConfig<EventbriteProfile> = {}): OAuth2Config<EventbriteProfile> {
  return {
    id: 'eventbrite',
    name: 'Eventbrite',
    type: 'oauth',
    authorization: { url: 'https://www.eventbrite.com/oauth/authorize', params: { scope: 'user.profile' } },
    token: 'https://www.eventbrite.com/oauth/token',
    userinfo: 'https://www.eventbriteapi.com/v3/users/me/',
    client: { token_endpoint_auth_method: 'client_secret_post' },
    profile: (profile) => ({
      id: String(profile.id),
      name: profile.name ?? null,
      email: primaryEmail(profile)?.email ?? null,
      image: profile.image_id
        ? `https://img.evbuc.com/${encodeURIComponent(`https://cdn.evbuc.com/images/${profile.image_id}/1/original.jpg`)}`
        : null,
    }),
    // The documentation does not define "verified", so `true` is no proof, but `false` is respected.
    emailVerified: (profile) => (primaryEmail(profile)?.verified === false ? false : undefined),
    style: { brandColor: '#f05537' },
    options,
  }
}

function primaryEmail({ emails }: EventbriteProfile) {
  return emails?.find(({ primary }) => primary)
}
