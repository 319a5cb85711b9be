/** Patreon — https://docs.patreon.com/#apiv2-oauth · callback: <origin>/auth/callback/patreon */
import type { OAuth2Config, OAuthUserConfig } from '../types/provider.js'

/** The response of Patreon's identity endpoint (JSON:API). */
export interface PatreonProfile {
  data: {
    id: string
    attributes: {
      full_name?: string | null
      email?: string | null
      /** True if the user confirmed the email address. */
      is_email_verified?: boolean
      image_url?: string | null
      [attribute: string]: unknown
    }
  }
  [member: string]: unknown
}

/**
 * Signs in with Patreon. Register a client of API version 2 with the callback URL.
 *
 * Environment: `AUTH_PATREON_ID` and `AUTH_PATREON_SECRET`. https://docs.patreon.com/#apiv2-oauth
 */
export default function Patreon(options: OAuthUserConfig<PatreonProfile> = {}): OAuth2Config<PatreonProfile> {
  return {
    id: 'patreon',
    name: 'Patreon',
    type: 'oauth',
    authorization: {
      url: 'https://www.patreon.com/oauth2/authorize',
      params: { scope: 'identity identity[email]' },
    },
    token: 'https://www.patreon.com/api/oauth2/token',
    // Version 2 returns only the requested fields.
    userinfo: {
      url: 'https://www.patreon.com/api/oauth2/v2/identity',
      params: { 'fields[user]': 'full_name,email,is_email_verified,image_url' },
    },
    // There are no public clients, so a missing secret is reported at construction.
    client: { token_endpoint_auth_method: 'client_secret_basic' },
    profile: ({ data: { id, attributes } }) => ({
      id,
      name: attributes.full_name ?? null,
      email: attributes.email ?? null,
      image: attributes.image_url ?? null,
    }),
    emailVerified: ({ data }) => data.attributes.is_email_verified,
    style: {
      brandColor: '#e85b46',
      mark: 'M22.957 7.21c-.004-3.064-2.391-5.576-5.191-6.482-3.478-1.125-8.064-.962-11.384.604C2.357 3.231 1.093 7.391 1.046 11.54c-.039 3.411.302 12.396 5.369 12.46 3.765.047 4.326-4.804 6.068-7.141 1.24-1.662 2.836-2.132 4.801-2.618 3.376-.836 5.678-3.501 5.673-7.031Z',
    },
    options,
  }
}
