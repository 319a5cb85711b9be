/** Twitch — https://dev.twitch.tv/docs/authentication/getting-tokens-oidc · callback: <origin>/auth/callback/twitch */
import type { OIDCConfig, OIDCProfile, OIDCUserConfig } from '../types/provider.js'

/** The claims of Twitch's id_token. */
export type TwitchProfile = OIDCProfile

/**
 * Signs in with Twitch. Register an application of the type "Confidential" with the callback URL.
 *
 * Environment: `AUTH_TWITCH_ID` and `AUTH_TWITCH_SECRET`. https://dev.twitch.tv/docs/authentication/getting-tokens-oidc
 */
export default function Twitch(options: OIDCUserConfig<TwitchProfile> = {}): OIDCConfig<TwitchProfile> {
  return {
    id: 'twitch',
    name: 'Twitch',
    type: 'oidc',
    issuer: 'https://id.twitch.tv/oauth2',
    authorization: {
      params: {
        scope: 'openid user:read:email',
        // Without this request its id_tokens contain only `sub`.
        claims: { id_token: { email: null, email_verified: null, picture: null, preferred_username: null } },
      },
    },
    token: { conform: conformTwitchTokens },
    client: { token_endpoint_auth_method: 'client_secret_post' },
    style: {
      brandColor: '#65459b',
      mark: 'M11.571 4.714h1.715v5.143H11.57zm4.715 0H18v5.143h-1.714zM6 0L1.714 4.286v15.428h5.143V24l4.286-4.286h3.428L22.286 12V0zm14.571 11.143l-3.428 3.428h-3.429l-3 3v-3H6.857V1.714h13.714Z',
    },
    options,
  }
}

/**
 * Conforms the response. Twitch lists scopes in an array, and has its own error format: `{ "status": 400, "message":
 * "Invalid …" }`.
 */
async function conformTwitchTokens(response: Response): Promise<Response | undefined> {
  const body: unknown = await response.json().catch(() => undefined)
  if (typeof body !== 'object' || body === null) return undefined
  if (response.ok && 'scope' in body && Array.isArray(body.scope)) {
    return Response.json({ ...body, scope: body.scope.join(' ') })
  }
  if (response.ok || 'error' in body || !('message' in body)) return undefined
  return Response.json({ error: 'invalid_request', error_description: body.message }, { status: response.status })
}
