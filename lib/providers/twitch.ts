/** Twitch — https://dev.twitch.tv/docs/authentication/getting-tokens-oidc · callback: <origin>/auth/callback/twitch */
import type { OIDCConfig, OIDCUserConfig } from './types.js'

/** Claims of Twitch's id_token. */
export interface TwitchProfile {
  sub: string
  preferred_username?: string
  email?: string
  email_verified?: boolean
  picture?: string
  [claim: string]: unknown
}

/** Signs in with Twitch. Register an application of the type "Confidential" with the callback URL. */
export default function Twitch(options: OIDCUserConfig<TwitchProfile> = {}): OIDCConfig<TwitchProfile> {
  return {
    id: 'twitch',
    name: 'Twitch',
    type: 'oidc',
    issuer: 'https://id.twitch.tv/oauth2',
    authorization: {
      params: {
        scope: 'openid user:read:email',
        // Nothing but `sub` is in its id_tokens unless it is asked for by name.
        claims: { id_token: { email: null, email_verified: null, picture: null, preferred_username: null } },
      },
    },
    token: { conform },
    client: { token_endpoint_auth_method: 'client_secret_post' },
    style: { brandColor: '#65459b' },
    options,
  }
}

/** Twitch lists scopes in an array, and has errors of its own form: `{ "status": 400, "message": "Invalid …" }`. */
async function conform(response: Response): Promise<Response | undefined> {
  const body: unknown = await response.json().catch(() => undefined)
  if (typeof body !== 'object' || body === null) return undefined
  if (response.ok && 'scope' in body && Array.isArray(body.scope)) {
    return Response.json({ ...body, scope: body.scope.join(' ') })
  }
  if (response.ok || 'error' in body || !('message' in body)) return undefined
  return Response.json({ error: 'invalid_request', error_description: body.message }, { status: response.status })
}
