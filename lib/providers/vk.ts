/** VK — https://dev.vk.com/api/access-token/authcode-flow-user · callback: <origin>/auth/callback/vk */
import type { Profile, TokenSet } from '../types.js'
import type { OAuth2Config, OAuthUserConfig, TokenEndpoint, UserinfoEndpoint } from './types.js'

/** What VK's API tells of a person. */
export interface VkProfile {
  id: number
  first_name?: string
  last_name?: string
  photo_100?: string
  /** Comes with the tokens. */
  email?: string
  [field: string]: unknown
}

/** Signs in with VK. For apps that were created before VK ID: newer ones are only given VK ID, another protocol. */
export default function VK(options: OAuthUserConfig<VkProfile> = {}): OAuth2Config<VkProfile> {
  return {
    id: 'vk',
    name: 'VK',
    type: 'oauth',
    // The same addresses under vk.com are promised until 30 September 2025 only.
    authorization: { url: 'https://oauth.vk.ru/authorize', params: { scope: 'email', v: '5.131' } },
    token: { url: 'https://oauth.vk.ru/access_token?v=5.131', conform },
    userinfo: { url: 'https://api.vk.ru/method/users.get', request: requestProfile },
    client: { token_endpoint_auth_method: 'client_secret_post' },
    profile: ({ id, first_name, last_name, email, photo_100 }) => ({
      id: String(id),
      name: [first_name, last_name].filter(Boolean).join(' ') || null,
      email: email ?? null,
      image: photo_100 ?? null,
    }),
    style: { brandColor: '#0077FF' },
    options,
  }
}

/** VK leaves the type of the token out. */
const conform: NonNullable<TokenEndpoint['conform']> = async (response) => {
  if (!response.ok) return undefined
  return Response.json({ token_type: 'bearer', ...((await response.json()) as object) })
}

/** The address comes with the tokens. An error comes with status 200. */
const requestProfile: NonNullable<UserinfoEndpoint['request']> = async ({ fetch, tokens }) => {
  const answer = await fetch('https://api.vk.ru/method/users.get?fields=photo_100&v=5.131', {
    headers: { authorization: `Bearer ${tokens.access_token}` },
  })
  const { response, error } = (await answer.json()) as { response?: Profile[]; error?: { error_code?: number } }
  const person = response?.[0]
  if (!person) throw new Error(`VK answered users.get with error ${error?.error_code ?? answer.status}`)
  const { email } = tokens as TokenSet & { email?: string }
  return { ...person, ...(email !== undefined && { email }) }
}
