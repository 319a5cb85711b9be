/** EVE Online — https://developers.eveonline.com/docs/services/sso · callback: <origin>/auth/callback/eveonline */
import type { Profile, TokenSet } from '../types/identity.js'
import type { OAuth2Config, OAuthUserConfig, UserinfoEndpoint } from '../types/provider.js'

/** The character that the user chose. A user may have several. */
export interface EVEOnlineProfile {
  CharacterID: number
  CharacterName: string | null
  /** Changes when the character is sold to another player. */
  CharacterOwnerHash?: string
  [field: string]: unknown
}

/**
 * Signs in with a character of EVE Online. The application there needs the callback URL and the scope `publicData`.
 *
 * Environment: `AUTH_EVEONLINE_ID` and `AUTH_EVEONLINE_SECRET`. https://developers.eveonline.com/docs/services/sso
 */
export default function EVEOnline(options: OAuthUserConfig<EVEOnlineProfile> = {}): OAuth2Config<EVEOnlineProfile> {
  return {
    id: 'eveonline',
    name: 'EVE Online',
    type: 'oauth',
    authorization: { url: 'https://login.eveonline.com/v2/oauth/authorize', params: { scope: 'publicData' } },
    token: 'https://login.eveonline.com/v2/oauth/token',
    userinfo: { url: verify, request: requestEVEOnlineProfile },
    checks: ['state'],
    client: { token_endpoint_auth_method: 'client_secret_basic' },
    profile: ({ CharacterID, CharacterName }) => ({
      id: String(CharacterID),
      name: CharacterName ?? null,
      email: null,
      image: `https://images.evetech.net/characters/${CharacterID}/portrait?size=128`,
    }),
    style: { brandColor: '#1f1f1f' },
    options,
  }
}

const verify = 'https://login.eveonline.com/oauth/verify'

/**
 * Returns the profile. The access token itself names the character since 2021; the former endpoint may be removed at
 * any time.
 */
const requestEVEOnlineProfile: NonNullable<UserinfoEndpoint['request']> = async ({ fetch, tokens }) => {
  const named = characterOf(tokens)
  if (named) return named
  const response = await fetch(verify, { headers: { authorization: `Bearer ${tokens.access_token}` } })
  if (!response.ok) throw new Error(`EVE Online answered with status ${response.status}`)
  return (await response.json()) as Profile
}

/** Returns the character in an access token. The token came from the token endpoint over TLS, so it is authentic. */
function characterOf({ access_token: token }: TokenSet): Profile | undefined {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token?.split('.')[1] ?? '', 'base64url').toString())
    const { sub, name, owner } = claims as Record<string, unknown>
    const id = /^CHARACTER:EVE:(\d+)$/.exec(String(sub))?.[1]
    return id ? { CharacterID: Number(id), CharacterName: name, CharacterOwnerHash: owner } : undefined
  } catch {
    return undefined
  }
}
