/** Facebook — https://developers.facebook.com/docs/facebook-login · callback: <origin>/auth/callback/facebook */
import type { OAuth2Config, OAuthUserConfig } from './types.js'

/** The fields that we ask the Graph API for. */
export interface FacebookProfile {
  /** The person's id for this app only. */
  id: string
  name?: string
  /** Not there where the person has none, or did not allow it. */
  email?: string
  picture?: { data?: { url?: string; is_silhouette?: boolean } }
  [field: string]: unknown
}

/**
 * Signs in with Facebook. Add "Facebook Login" to the app, switch on the permission `email`, enter the callback URL
 * under "Valid OAuth Redirect URIs", and leave "Require App Secret" off: we send no proof of it with the token.
 */
export default function Facebook(options: OAuthUserConfig<FacebookProfile> = {}): OAuth2Config<FacebookProfile> {
  return {
    id: 'facebook',
    name: 'Facebook',
    type: 'oauth',
    authorization: { url: 'https://www.facebook.com/v25.0/dialog/oauth', params: { scope: 'email' } },
    token: 'https://graph.facebook.com/oauth/access_token',
    // Without `fields` it tells the id and the name alone.
    userinfo: { url: 'https://graph.facebook.com/me', params: { fields: 'id,name,email,picture' } },
    // There are no public clients for websites: a missing secret is told at construction.
    client: { token_endpoint_auth_method: 'client_secret_basic' },
    profile: ({ id, name, email, picture }) => ({
      id: String(id),
      name: name ?? null,
      email: email ?? null,
      image: picture?.data?.url ?? null,
    }),
    style: { brandColor: '#006aff' },
    options,
  }
}
