/**
 * Nextcloud — https://docs.nextcloud.com/server/latest/admin_manual/configuration_server/oauth2.html
 * callback: <origin>/auth/callback/nextcloud
 */
import type { OAuth2Config, OAuthUserConfig, UserinfoEndpoint } from '../types/provider.js'

/** The response of Nextcloud's provisioning API. */
export interface NextcloudProfile {
  id: string
  displayname?: string | null
  email?: string | null
  /** The issuer, whose server has the pictures. Set by this provider. */
  server?: string
  [field: string]: unknown
}

/**
 * Signs in with Nextcloud. `issuer` is the server's URL, with `/index.php` at the end if pretty URLs are off. Add the
 * client with the callback URL under "Security" of the administration settings.
 *
 * Environment: `AUTH_NEXTCLOUD_ID`, `AUTH_NEXTCLOUD_SECRET` and `AUTH_NEXTCLOUD_ISSUER`.
 * https://docs.nextcloud.com/server/latest/admin_manual/configuration_server/oauth2.html
 */
export default function Nextcloud(options: OAuthUserConfig<NextcloudProfile> = {}): OAuth2Config<NextcloudProfile> {
  return {
    id: 'nextcloud',
    name: 'Nextcloud',
    type: 'oauth',
    authorization: '{issuer}/apps/oauth2/authorize',
    token: '{issuer}/apps/oauth2/api/v1/token',
    userinfo: { request: requestNextcloudProfile },
    // There are no public clients, so a missing secret is reported at construction.
    client: { token_endpoint_auth_method: 'client_secret_basic' },
    profile: ({ id, displayname, email, server = options.issuer }) => ({
      id,
      name: displayname ?? null,
      email: email ?? null,
      image: server ? `${server.replace(/\/$/, '')}/avatar/${encodeURIComponent(id)}/512` : null,
    }),
    style: {
      brandColor: '#0082C9',
      mark: 'M12.018 6.537c-2.5 0-4.6 1.712-5.241 4.015-.56-1.232-1.793-2.105-3.225-2.105A3.569 3.569 0 0 0 0 12a3.569 3.569 0 0 0 3.552 3.553c1.432 0 2.664-.874 3.224-2.106.641 2.304 2.742 4.016 5.242 4.016 2.487 0 4.576-1.693 5.231-3.977.569 1.21 1.783 2.067 3.198 2.067A3.568 3.568 0 0 0 24 12a3.569 3.569 0 0 0-3.553-3.553c-1.416 0-2.63.858-3.199 2.067-.654-2.284-2.743-3.978-5.23-3.977zm0 2.085c1.878 0 3.378 1.5 3.378 3.378 0 1.878-1.5 3.378-3.378 3.378A3.362 3.362 0 0 1 8.641 12c0-1.878 1.5-3.378 3.377-3.378zm-8.466 1.91c.822 0 1.467.645 1.467 1.468s-.644 1.467-1.467 1.468A1.452 1.452 0 0 1 2.085 12c0-.823.644-1.467 1.467-1.467zm16.895 0c.823 0 1.468.645 1.468 1.468s-.645 1.468-1.468 1.468A1.452 1.452 0 0 1 18.98 12c0-.823.644-1.467 1.467-1.467z',
    },
    options,
  }
}

/**
 * Requests the profile. The user's id is beside the token. The API requires a header against forged requests, and wraps
 * its response.
 */
const requestNextcloudProfile: NonNullable<UserinfoEndpoint['request']> = async ({ fetch, tokens, provider }) => {
  const { user_id: id } = tokens as { user_id?: unknown }
  if (typeof id !== 'string' || id === '') throw new Error('Nextcloud told no `user_id` with the token')
  const server = provider.issuer?.replace(/\/$/, '')
  const users = `${server?.replace(/\/index\.php$/, '')}/ocs/v1.php/cloud/users`
  const response = await fetch(`${users}/${encodeURIComponent(id)}`, {
    headers: {
      accept: 'application/json',
      authorization: `Bearer ${tokens.access_token}`,
      'ocs-apirequest': 'true',
    },
  })
  if (!response.ok) throw new Error(`Nextcloud answered with status ${response.status}`)
  const { ocs } = (await response.json()) as { ocs?: { data?: NextcloudProfile } }
  if (ocs?.data?.id !== id) throw new Error('Nextcloud returned no user, or another one')
  return { ...ocs.data, server }
}
