/** Naver — https://developers.naver.com/docs/login/api · callback: <origin>/auth/callback/naver */
import type { OAuth2Config, OAuthUserConfig } from '../types/provider.js'

/** The response of Naver's user endpoint, in its envelope. It contains only what the user agreed to. */
export interface NaverProfile {
  /** `00` is success. */
  resultcode?: string
  message?: string
  response: {
    id: string
    nickname?: string
    name?: string
    /** A contact email address, which need not be one of Naver's; Naver does not report whether it is verified. */
    email?: string
    profile_image?: string
    [field: string]: unknown
  }
  [field: string]: unknown
}

/**
 * Signs in with Naver. Choose the permissions of the application there, instead of scopes, and add the callback URL.
 *
 * Environment: `AUTH_NAVER_ID` and `AUTH_NAVER_SECRET`. https://developers.naver.com/docs/login/api
 */
export default function Naver(options: OAuthUserConfig<NaverProfile> = {}): OAuth2Config<NaverProfile> {
  return {
    id: 'naver',
    name: 'Naver',
    type: 'oauth',
    authorization: 'https://nid.naver.com/oauth2.0/authorize',
    token: 'https://nid.naver.com/oauth2.0/token',
    userinfo: 'https://openapi.naver.com/v1/nid/me',
    // There are no public clients, so a missing secret is reported at construction.
    client: { token_endpoint_auth_method: 'client_secret_basic' },
    profile: ({ response: { id, nickname, name, email, profile_image } }) => ({
      id,
      name: nickname ?? name ?? null,
      email: email ?? null,
      image: profile_image ?? null,
    }),
    style: {
      brandColor: '#03c75a',
      mark: 'M16.273 12.845 7.376 0H0v24h7.726V11.156L16.624 24H24V0h-7.727v12.845Z',
    },
    options,
  }
}
