/**
 * Nextcloud — https://docs.nextcloud.com/server/latest/admin_manual/configuration_server/oauth2.html
 * callback: <origin>/auth/callback/nextcloud
 */
import type { OAuth2Config, OAuthUserConfig, UserinfoEndpoint } from './types.js'

/** What Nextcloud's provisioning API tells. */
export interface NextcloudProfile {
  id: string
  displayname?: string | null
  email?: string | null
  /** The issuer: pictures are there. Filled in by us. */
  server?: string
  [field: string]: unknown
}

/**
 * Signs in with Nextcloud. `issuer` is the server's URL, with `/index.php` at the end where pretty URLs are off. Add the
 * client with the callback URL under "Security" of the administration settings.
 */
export default function Nextcloud(options: OAuthUserConfig<NextcloudProfile> = {}): OAuth2Config<NextcloudProfile> {
  return {
    id: 'nextcloud',
    name: 'Nextcloud',
    type: 'oauth',
    authorization: '{issuer}/apps/oauth2/authorize',
    token: '{issuer}/apps/oauth2/api/v1/token',
    userinfo: { request: requestProfile },
    // There are no public clients: a missing secret is told at construction.
    client: { token_endpoint_auth_method: 'client_secret_basic' },
    profile: ({ id, displayname, email, server = options.issuer }) => ({
      id,
      name: displayname ?? null,
      email: email ?? null,
      image: server ? `${server.replace(/\/$/, '')}/avatar/${encodeURIComponent(id)}/512` : null,
    }),
    style: { brandColor: '#0082C9' },
    options,
  }
}

/** Who signed in is told beside the token; the API wants a header against forged requests, and wraps its answer. */
const requestProfile: NonNullable<UserinfoEndpoint['request']> = async ({ fetch, tokens, provider }) => {
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
  if (ocs?.data?.id !== id) throw new Error('Nextcloud told of nobody, or of somebody else')
  return { ...ocs.data, server }
}
