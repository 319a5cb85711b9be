/** Facebook — https://developers.facebook.com/docs/facebook-login · callback: <origin>/auth/callback/facebook */
import type { OAuth2Config, OAuthUserConfig } from '../types/provider.js'

/** The fields that are requested from the Graph API. */
export interface FacebookProfile {
  /** The user's id for this app only. */
  id: string
  name?: string
  /** Missing if the user has none, or did not allow it. */
  email?: string
  picture?: { data?: { url?: string; is_silhouette?: boolean } }
  [field: string]: unknown
}

/**
 * Signs in with Facebook. Add "Facebook Login" to the app, switch on the permission `email`, enter the callback URL
 * under "Valid OAuth Redirect URIs", and leave "Require App Secret" off: no proof of it is sent with the token.
 *
 * Environment: `AUTH_FACEBOOK_ID` and `AUTH_FACEBOOK_SECRET`. https://developers.facebook.com/docs/facebook-login
 */
export default function Facebook(options: OAuthUserConfig<FacebookProfile> = {}): OAuth2Config<FacebookProfile> {
  return {
    id: 'facebook',
    name: 'Facebook',
    type: 'oauth',
    authorization: { url: 'https://www.facebook.com/v25.0/dialog/oauth', params: { scope: 'email' } },
    token: 'https://graph.facebook.com/oauth/access_token',
    // Without `fields` it returns only the id and the name.
    userinfo: { url: 'https://graph.facebook.com/me', params: { fields: 'id,name,email,picture' } },
    // There are no public clients for websites, so a missing secret is reported at construction.
    client: { token_endpoint_auth_method: 'client_secret_basic' },
    profile: ({ id, name, email, picture }) => ({
      id: String(id),
      name: name ?? null,
      email: email ?? null,
      image: picture?.data?.url ?? null,
    }),
    style: {
      brandColor: '#006aff',
      mark: 'M9.101 23.691v-7.98H6.627v-3.667h2.474v-1.58c0-4.085 1.848-5.978 5.858-5.978.401 0 .955.042 1.468.103a8.68 8.68 0 0 1 1.141.195v3.325a8.623 8.623 0 0 0-.653-.036 26.805 26.805 0 0 0-.733-.009c-.707 0-1.259.096-1.675.309a1.686 1.686 0 0 0-.679.622c-.258.42-.374.995-.374 1.752v1.297h3.919l-.386 2.103-.287 1.564h-3.246v8.245C19.396 23.238 24 18.179 24 12.044c0-6.627-5.373-12-12-12s-12 5.373-12 12c0 5.628 3.874 10.35 9.101 11.647Z',
    },
    options,
  }
}
