/** Instagram — https://developers.facebook.com/docs/instagram-platform/instagram-api-with-instagram-login/business-login · callback: <origin>/auth/callback/instagram */
import type { OAuth2Config, OAuthUserConfig, TokenEndpoint, UserinfoEndpoint } from './types.js'

/** The fields that we ask for of an Instagram account. */
export interface InstagramProfile {
  /** The person's id for this app only. */
  id: string
  username?: string
  name?: string
  account_type?: string
  profile_picture_url?: string
  [field: string]: unknown
}

/**
 * Signs in with an Instagram account for professionals (business or creator). The app needs "API setup with Instagram
 * login", its Instagram app id and secret, and the callback URL in the business login settings. People with a personal
 * account cannot sign in: the API for them, Basic Display with the scope `user_profile`, ended on 2024-12-04.
 */
export default function Instagram(options: OAuthUserConfig<InstagramProfile> = {}): OAuth2Config<InstagramProfile> {
  return {
    id: 'instagram',
    name: 'Instagram',
    type: 'oauth',
    authorization: { url: 'https://www.instagram.com/oauth/authorize', params: { scope: 'instagram_business_basic' } },
    token: { url: 'https://api.instagram.com/oauth/access_token', conform },
    userinfo: { url: 'https://graph.instagram.com/me', request },
    client: { token_endpoint_auth_method: 'client_secret_post' },
    profile: ({ id, username, name, profile_picture_url }) => ({
      id: String(id),
      name: username ?? name ?? null,
      email: null,
      image: profile_picture_url ?? null,
    }),
    style: { brandColor: '#e4405f' },
    options,
  }
}

/** It has no `token_type`, and comes in a list of one, as its documentation says, or without. */
const conform: NonNullable<TokenEndpoint['conform']> = async (response) => {
  if (!response.ok) return undefined
  const { permissions, ...tokens } = only(await response.json())
  const scope = Array.isArray(permissions) ? permissions.join(',') : permissions
  return Response.json({ token_type: 'bearer', ...tokens, scope })
}

const request: NonNullable<UserinfoEndpoint['request']> = async ({ fetch, tokens }) => {
  const fields = 'id,username,account_type,name,profile_picture_url'
  const headers = { accept: 'application/json', authorization: `Bearer ${tokens.access_token}` }
  const response = await fetch(`https://graph.instagram.com/me?${new URLSearchParams({ fields })}`, { headers })
  if (!response.ok) throw new Error(`Instagram answered with status ${response.status}`)
  return only(await response.json())
}

function only(body: unknown): Record<string, unknown> {
  const { data, ...rest } = body as Record<string, unknown>
  return Array.isArray(data) ? data[0] : rest
}
