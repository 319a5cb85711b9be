/** Zoho — https://www.zoho.com/accounts/protocol/oauth.html · callback: <origin>/auth/callback/zoho */
import type { OAuth2Config, OAuthUserConfig } from '../types/provider.js'

/** The profile of a user at Zoho. */
export interface ZohoProfile {
  ZUID: number | string
  First_Name?: string | null
  Last_Name?: string | null
  Display_Name?: string | null
  Email?: string | null
  [field: string]: unknown
}

/**
 * Signs in with Zoho. Create a "Server-based Application" in the API console. The URLs are those of the data centre in
 * the US. For another one set `authorization`, `token` and `userinfo`.
 *
 * Environment: `AUTH_ZOHO_ID` and `AUTH_ZOHO_SECRET`. https://www.zoho.com/accounts/protocol/oauth.html
 */
export default function Zoho(options: OAuthUserConfig<ZohoProfile> = {}): OAuth2Config<ZohoProfile> {
  return {
    id: 'zoho',
    name: 'Zoho',
    type: 'oauth',
    authorization: {
      url: 'https://accounts.zoho.com/oauth/v2/auth',
      params: { scope: 'AaaServer.profile.Read' },
    },
    token: 'https://accounts.zoho.com/oauth/v2/token',
    userinfo: 'https://accounts.zoho.com/oauth/user/info',
    client: { token_endpoint_auth_method: 'client_secret_post' },
    profile: ({ ZUID, First_Name, Last_Name, Display_Name, Email }) => ({
      id: String(ZUID),
      name: [First_Name, Last_Name].filter(Boolean).join(' ') || Display_Name || null,
      email: Email ?? null,
      image: null,
    }),
    style: { brandColor: '#E42527' },
    options,
  }
}
