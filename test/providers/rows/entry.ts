/** What tests know of an entry of the catalogue. Each file beside this one has a table of them. */
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
  /** What the provider cannot do without, beside id and secret. */
  readonly issuer?: string
  /** Options of its own that it cannot do without; without one construction throws. */
  readonly required?: Readonly<Record<string, unknown>>
  readonly needsSecret?: true
  /** Where the sign-in starts; for OpenID Connect as the provider's discovery document tells. */
  readonly authorization: string
  /** The query of the authorization URL, beside `response_type`, `client_id`, `redirect_uri` and `state`. `*` is random. */
  readonly params: Readonly<Record<string, string>>
  readonly discovery?: { readonly url: string; readonly issuer: string }
  /** What the provider tells of people, as the engine sees it, and the users that come of it. The first one signs in. */
  /** What its id_tokens name as their issuer, where that is not the discovery document's. */
  readonly iss?: string
  readonly people: ReadonlyArray<{ readonly profile: object; readonly user: User }>
  /**
   * What its addresses answer in a whole sign-in, where that is not a plain token answer and the first profile. Written as
   * `<host>/<path>`.
   */
  readonly answers?: Answers
  /** The token request is authenticated so. Default `client_secret_basic`. */
  readonly authentication?: 'client_secret_post' | 'other'
  /** Why it cannot sign anybody in any more: construction throws, and says since when. */
  readonly gone?: string
}

/** Parameters of PKCE. */
export const pkce = { code_challenge_method: 'S256', code_challenge: '*' }
/** Parameters of an OpenID Connect sign-in. */
export const oidc = { scope: 'openid profile email', nonce: '*', ...pkce }
