/**
 * Pipedrive — https://pipedrive.readme.io/docs/marketplace-oauth-authorization
 * callback: <origin>/auth/callback/pipedrive
 */
import type { OAuth2Config, OAuthUserConfig } from '../types/provider.js'

/** The response of Pipedrive's user endpoint. */
export interface PipedriveProfile {
  data: {
    id: number
    name?: string | null
    email?: string | null
    icon_url?: string | null
    company_id?: number
    company_domain?: string
    [field: string]: unknown
  }
  [field: string]: unknown
}

/**
 * Signs in with Pipedrive. The app in the Developer Hub has the callback URL and the scopes, so none are sent.
 *
 * Environment: `AUTH_PIPEDRIVE_ID` and `AUTH_PIPEDRIVE_SECRET`.
 * https://pipedrive.readme.io/docs/marketplace-oauth-authorization
 */
export default function Pipedrive(options: OAuthUserConfig<PipedriveProfile> = {}): OAuth2Config<PipedriveProfile> {
  return {
    id: 'pipedrive',
    name: 'Pipedrive',
    type: 'oauth',
    authorization: 'https://oauth.pipedrive.com/oauth/authorize',
    token: 'https://oauth.pipedrive.com/oauth/token',
    userinfo: 'https://api.pipedrive.com/v1/users/me',
    // There are no public clients, so a missing secret is reported at construction.
    client: { token_endpoint_auth_method: 'client_secret_basic' },
    profile: ({ data: { id, name, email, icon_url } }) => ({
      id: String(id),
      name: name ?? null,
      email: email ?? null,
      image: icon_url ?? null,
    }),
    style: { brandColor: '#017737' },
    options,
  }
}
