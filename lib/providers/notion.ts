/** Notion — https://developers.notion.com/docs/authorization · callback: <origin>/auth/callback/notion */
import type { OAuth2Config, OAuthUserConfig, UserinfoEndpoint } from './types.js'

/** What Notion tells of a person. */
export interface NotionProfile {
  id: string
  name?: string | null
  avatar_url?: string | null
  /** The address is there with the capability "user information including email addresses" only. */
  person?: { email?: string | null }
  [field: string]: unknown
}

/** Options of the provider. */
export type NotionOptions = OAuthUserConfig<NotionProfile> & {
  /** @deprecated Without effect: the callback URL is always sent. */
  redirectUri?: string
}

/** Signs in with Notion. Create a public integration that may read user information, and add the callback URL there. */
export default function Notion(options: NotionOptions = {}): OAuth2Config<NotionProfile> {
  return {
    id: 'notion',
    name: 'Notion',
    type: 'oauth',
    authorization: { url: 'https://api.notion.com/v1/oauth/authorize', params: { owner: 'user' } },
    token: 'https://api.notion.com/v1/oauth/token',
    userinfo: { url: 'https://api.notion.com/v1/users/me', request: requestProfile },
    // There are no public clients: a missing secret is told at construction.
    client: { token_endpoint_auth_method: 'client_secret_basic' },
    profile: ({ id, name, person, avatar_url }) => ({
      id,
      name: name ?? null,
      email: person?.email ?? null,
      image: avatar_url ?? null,
    }),
    style: { brandColor: '#000000' },
    options,
  }
}

/** The token is a bot's; the person is the bot's owner. The API wants to know its version. */
const requestProfile: NonNullable<UserinfoEndpoint['request']> = async ({ fetch, tokens }) => {
  const response = await fetch('https://api.notion.com/v1/users/me', {
    headers: {
      accept: 'application/json',
      authorization: `Bearer ${tokens.access_token}`,
      'notion-version': '2022-06-28',
    },
  })
  if (!response.ok) throw new Error(`Notion answered with status ${response.status}`)
  const { bot } = (await response.json()) as { bot?: { owner?: { user?: NotionProfile } } }
  if (!bot?.owner?.user) throw new Error('The Notion integration belongs to a workspace, not to a person')
  return bot.owner.user
}
