/** 42 School — https://api.intra.42.fr/apidoc/guides/web_application_flow · callback: <origin>/auth/callback/42-school */
import type { OAuth2Config, OAuthUserConfig } from './types.js'

/** What the intranet's user endpoint tells. */
export interface FortyTwoProfile {
  id: number
  login: string
  usual_full_name: string | null
  email: string | null
  image?: { link: string | null } | null
  [field: string]: unknown
}

/** Signs in with the intranet of 42. The application there needs the scope `public` and the callback URL. */
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
    style: { brandColor: '#000000' },
    options,
  }
}
