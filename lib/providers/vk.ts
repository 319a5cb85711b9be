/** VK — https://dev.vk.com/api/access-token/authcode-flow-user · callback: <origin>/auth/callback/vk */
import type { Profile, TokenSet } from '../types/identity.js'
import type { OAuth2Config, OAuthUserConfig, TokenEndpoint, UserinfoEndpoint } from '../types/provider.js'

/** The profile of a user at VK's API. */
export interface VkProfile {
  id: number
  first_name?: string
  last_name?: string
  photo_100?: string
  /** Received with the tokens. */
  email?: string
  [field: string]: unknown
}

/**
 * Signs in with VK. Only for apps that were created before VK ID: newer ones must use VK ID, another protocol.
 *
 * Environment: `AUTH_VK_ID` and `AUTH_VK_SECRET`. https://dev.vk.com/api/access-token/authcode-flow-user
 */
export default function VK(options: OAuthUserConfig<VkProfile> = {}): OAuth2Config<VkProfile> {
  return {
    id: 'vk',
    name: 'VK',
    type: 'oauth',
    // The same URLs under vk.com are guaranteed only until 30 September 2025.
    authorization: { url: 'https://oauth.vk.ru/authorize', params: { scope: 'email', v: '5.131' } },
    token: { url: 'https://oauth.vk.ru/access_token?v=5.131', conform: conformVkTokens },
    userinfo: { url: 'https://api.vk.ru/method/users.get', request: requestVkProfile },
    client: { token_endpoint_auth_method: 'client_secret_post' },
    profile: ({ id, first_name, last_name, email, photo_100 }) => ({
      id: String(id),
      name: [first_name, last_name].filter(Boolean).join(' ') || null,
      email: email ?? null,
      image: photo_100 ?? null,
    }),
    style: {
      brandColor: '#0077FF',
      mark: 'm9.489.004.729-.003h3.564l.73.003.914.01.433.007.418.011.403.014.388.016.374.021.36.025.345.03.333.033c1.74.196 2.933.616 3.833 1.516.9.9 1.32 2.092 1.516 3.833l.034.333.029.346.025.36.02.373.025.588.012.41.013.644.009.915.004.98-.001 3.313-.003.73-.01.914-.007.433-.011.418-.014.403-.016.388-.021.374-.025.36-.03.345-.033.333c-.196 1.74-.616 2.933-1.516 3.833-.9.9-2.092 1.32-3.833 1.516l-.333.034-.346.029-.36.025-.373.02-.588.025-.41.012-.644.013-.915.009-.98.004-3.313-.001-.73-.003-.914-.01-.433-.007-.418-.011-.403-.014-.388-.016-.374-.021-.36-.025-.345-.03-.333-.033c-1.74-.196-2.933-.616-3.833-1.516-.9-.9-1.32-2.092-1.516-3.833l-.034-.333-.029-.346-.025-.36-.02-.373-.025-.588-.012-.41-.013-.644-.009-.915-.004-.98.001-3.313.003-.73.01-.914.007-.433.011-.418.014-.403.016-.388.021-.374.025-.36.03-.345.033-.333c.196-1.74.616-2.933 1.516-3.833.9-.9 2.092-1.32 3.833-1.516l.333-.034.346-.029.36-.025.373-.02.588-.025.41-.012.644-.013.915-.009ZM6.79 7.3H4.05c.13 6.24 3.25 9.99 8.72 9.99h.31v-3.57c2.01.2 3.53 1.67 4.14 3.57h2.84c-.78-2.84-2.83-4.41-4.11-5.01 1.28-.74 3.08-2.54 3.51-4.98h-2.58c-.56 1.98-2.22 3.78-3.8 3.95V7.3H10.5v6.92c-1.6-.4-3.62-2.34-3.71-6.92Z',
    },
    options,
  }
}

/** Conforms the response. VK leaves out the type of the token. */
const conformVkTokens: NonNullable<TokenEndpoint['conform']> = async (response) => {
  if (!response.ok) return undefined
  return Response.json({ token_type: 'bearer', ...((await response.json()) as object) })
}

/** Requests the profile. The email address is received with the tokens. An error has status 200. */
const requestVkProfile: NonNullable<UserinfoEndpoint['request']> = async ({ fetch, tokens }) => {
  const answer = await fetch('https://api.vk.ru/method/users.get?fields=photo_100&v=5.131', {
    headers: { authorization: `Bearer ${tokens.access_token}` },
  })
  const { response, error } = (await answer.json()) as { response?: Profile[]; error?: { error_code?: number } }
  const person = response?.[0]
  if (!person) throw new Error(`VK answered users.get with error ${error?.error_code ?? answer.status}`)
  const { email } = tokens as TokenSet & { email?: string }
  return { ...person, ...(email !== undefined && { email }) }
}
