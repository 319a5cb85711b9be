/** WorkOS — https://workos.com/docs/reference/sso · callback: <origin>/auth/callback/workos */
import type { OAuth2Config, OAuthUserConfig, TokenEndpoint } from '../types/provider.js'

/** The profile of a user at WorkOS. */
export interface WorkOSProfile {
  id: string
  email?: string
  first_name?: string | null
  last_name?: string | null
  connection_id?: string
  organization_id?: string | null
  /** The original attributes of the identity provider. */
  raw_attributes?: { picture?: string; [attribute: string]: unknown }
  [field: string]: unknown
}

/**
 * The options of the provider: the connection, organisation or provider. One of them is required, or the same in
 * `authorization.params`.
 */
export type WorkOSOptions = OAuthUserConfig<WorkOSProfile> & {
  /** The id of a connection. */
  connection?: string
  /** The id of an organisation. */
  organization?: string
  /** An identity provider for all users, such as `GoogleOAuth`. */
  provider?: string
}

/**
 * Signs in with WorkOS: one connection, one organisation or one provider. Add the callback URL under "Redirects".
 *
 * Environment: `AUTH_WORKOS_ID` and `AUTH_WORKOS_SECRET`. https://workos.com/docs/reference/sso
 */
export default function WorkOS(options: WorkOSOptions = {}): OAuth2Config<WorkOSProfile> {
  const base = (options.issuer ?? 'https://api.workos.com').replace(/\/$/, '')
  const { connection, organization, provider } = options
  return {
    id: 'workos',
    name: 'WorkOS',
    type: 'oauth',
    authorization: {
      get url() {
        if (hasChoice(options)) return `${base}/sso/authorize`
        throw new TypeError('Provider "workos": one of `connection`, `organization` and `provider` must be set.')
      },
      params: { connection, organization, provider },
    },
    token: { url: `${base}/sso/token`, conform: conformWorkOSTokens },
    userinfo: `${base}/sso/profile`,
    client: { token_endpoint_auth_method: 'client_secret_post' },
    profile: ({ id, first_name, last_name, email, raw_attributes }) => ({
      id,
      name: [first_name, last_name].filter(Boolean).join(' ') || null,
      email: email ?? null,
      image: raw_attributes?.picture ?? null,
    }),
    style: { brandColor: '#6363f1' },
    options,
  }
}

/**
 * Checks whether a choice exists. Without one WorkOS shows users an error. Browsers may choose only if the developer
 * allows it.
 */
function hasChoice({ authorization, ...options }: WorkOSOptions): boolean {
  const { url, params, allowedParams = [] } = typeof authorization === 'object' ? authorization : { url: authorization }
  const chosen: Record<string, unknown> = { ...options, ...params }
  const ways = ['connection', 'organization', 'provider']
  return url !== undefined || ways.some((way) => chosen[way] || allowedParams.includes(way))
}

/** Conforms the response, which may lack the type of the token. */
const conformWorkOSTokens: NonNullable<TokenEndpoint['conform']> = async (response) => {
  if (!response.ok) return undefined
  return Response.json({ token_type: 'bearer', ...((await response.json()) as object) })
}
