/** The facts about an entry of the catalogue that tests use. Each file beside this one has a table of them. */
import type { ServerAuthConfig } from '../../../lib/index.js'
import type { User } from '../../../lib/types/identity.js'
import type { Answers } from '../internet.js'

/** Anything that the option `providers` takes. */
export type ListedProvider = ServerAuthConfig['providers'][number]

/** One provider. */
export interface Entry {
  /** The default export of its file. Type test: it fits into `providers`, as a function and as an object. */
  readonly create: ListedProvider & ((options: { clientId: string; clientSecret: string }) => ListedProvider)
  /** In the names of its environment variables. */
  readonly variable: string
  /** The required options of the provider, beside id and secret. */
  readonly issuer?: string
  /** Options of its own that it cannot do without; without one construction throws. */
  readonly required?: Readonly<Record<string, unknown>>
  readonly needsSecret?: true
  /** The URL at which the sign-in starts; for OpenID Connect from the provider's discovery document. */
  readonly authorization: string
  /** The query of the authorization URL, beside `response_type`, `client_id`, `redirect_uri` and `state`. `*` is random. */
  readonly params: Readonly<Record<string, string>>
  readonly discovery?: { readonly url: string; readonly issuer: string }
  /** The profiles of users as the engine sees them, and the resulting users. The first one signs in. */
  /** The issuer in its id_tokens, if it is not that of the discovery document. */
  readonly iss?: string
  readonly people: ReadonlyArray<{ readonly profile: object; readonly user: User }>
  /**
   * The answers of its addresses in a whole sign-in, if they are not a plain token answer and the first profile.
   * Written as `<host>/<path>`.
   */
  readonly answers?: Answers
  /** The token request is authenticated so. Default `client_secret_basic`. */
  readonly authentication?: 'client_secret_post' | 'other'
  /** The reason why it no longer signs users in: construction throws, and names the date. */
  readonly gone?: string
}

/** Parameters of PKCE. */
export const pkce = { code_challenge_method: 'S256', code_challenge: '*' }
/** Parameters of an OpenID Connect sign-in. */
export const oidc = { scope: 'openid profile email', nonce: '*', ...pkce }
