/** 42 School — https://api.intra.42.fr/apidoc/guides/web_application_flow · callback: <origin>/auth/callback/42-school */
import type { OAuth2Config, OAuthUserConfig } from '../types/provider.js'

/** The response of the intranet's user endpoint. */
export interface FortyTwoProfile {
  id: number
  login: string
  usual_full_name: string | null
  email: string | null
  image?: { link: string | null } | null
  [field: string]: unknown
}

/**
 * Signs in with the intranet of 42. The application there needs the scope `public` and the callback URL.
 *
 * Environment: `AUTH_42_SCHOOL_ID` and `AUTH_42_SCHOOL_SECRET`. https://api.intra.42.fr/apidoc/guides/web_application_flow
 */
export default function FortyTwo(options: OAuthUserConfig<FortyTwoProfile> = {}): OAuth2Config<FortyTwoProfile> {
  return {
    id: '42-school',
    name: '42 School',
    type: 'oauth',
    authorization: { url: 'https://api.intra.42.fr/oauth/authorize', params: { scope: 'public' } },
    token: 'https://api.intra.42.fr/oauth/token',
    userinfo: 'https://api.intra.42.fr/v2/me',
    client: { token_endpoint_auth_method: 'client_secret_basic' },
    profile: ({ id, login, usual_full_name, email, image }) => ({
      id: String(id),
      name: usual_full_name ?? login,
      email: email ?? null,
      image: image?.link ?? null,
    }),
    style: {
      brandColor: '#000000',
      mark: 'M19.581 16.851H24v-4.439ZM24 3.574h-4.419v4.42l-4.419 4.418v4.44h4.419v-4.44L24 7.993Zm-4.419 0h-4.419v4.42zm-6.324 8.838H4.419l8.838-8.838H8.838L0 12.412v3.595h8.838v4.419h4.419z',
    },
    options,
  }
}
