/** The option `tokens`, and the parameters and results of `auth.tokens`. */
import type { ProviderId } from '../../types/calls.js'
import type { AccountKey } from '../../types/identity.js'
import type { Store } from '../../types/store.js'

/** The option `tokens`. */
export interface TokensOptions {
  /**
   * The store of the tokens: `sqlStore(db)`, `redisStore(client)`, `memoryStore()`, or a custom one. Default `true`:
   * the adapter's.
   *
   * `cookie`: sealed in the user's browser, for applications without a database that have one process, or providers
   * whose refresh tokens can be used more than once.
   */
  store?: Pick<Store, 'records'> | true | 'cookie'
}

/** The requested access token, and its requirements. */
export interface AccessTokenOptions {
  /** The id of a provider of OAuth or OpenID Connect. */
  readonly provider: ProviderId
  /** The user's id at the provider, if they have linked several accounts of it. */
  readonly providerAccountId?: string
  /** The scopes that the token must have. */
  readonly scope?: readonly string[]
  /** The seconds that the token must still be valid. Default: the provider's `refresh.minTtl`, otherwise 30. */
  readonly minTtl?: number
  /** Refreshes a token that seems valid, because a service has rejected it. */
  readonly forceRefresh?: boolean
}

/** An access token of a user at a provider. */
export interface ProviderToken {
  /** The access token. Send it to the provider's API only, and keep it out of logs. */
  readonly accessToken: string
  /** The expiry; `null` if the provider does not return one. */
  readonly expiresAt: Date | null
  /** Its scopes; empty if the provider does not return them. */
  readonly scope: readonly string[]
  /** The authentication scheme, in lower case: `bearer`, or `dpop` (RFC 9449 §7.1). */
  readonly tokenType: string
  /** The account that it belongs to. */
  readonly account: AccountKey
}

/** A user, for calls without a request, such as a nightly job. The caller is responsible for the permission. */
export interface TokensOfUser {
  /** The id of the stored user. */
  readonly userId: string
}

/** The account and its required scopes. */
export type ProviderFetchOptions = Pick<AccessTokenOptions, 'provider' | 'providerAccountId' | 'scope'>

/** A connection that a user is asked to make. */
export interface ConnectOptions {
  /** The id of a provider of OAuth or OpenID Connect. */
  readonly provider: ProviderId
  /** The user's id at the provider, if they have linked several accounts of it. Other accounts are rejected. */
  readonly providerAccountId?: string
  /**
   * The scopes that the tokens must have, beyond those of sign-ins. Scopes that were granted before are requested as
   * well.
   */
  readonly scope?: readonly string[]
  /** The URL to which the user returns. Default: the site's root. */
  readonly callbackUrl?: string
  /** Further parameters of the authorization request, such as `{ access_type: 'offline', prompt: 'consent' }`. */
  readonly params?: Readonly<Record<string, string>>
}

/** The connection that a guard requires. */
export interface RequireConnectionOptions extends Omit<ConnectOptions, 'callbackUrl'> {
  /** The sign-in page, as for `requireSession`. */
  readonly signInUrl?: string
}

/** The token that the user's is exchanged for (RFC 8693 §2.1). */
export interface ExchangeTokenOptions {
  /** The id of a provider of OAuth or OpenID Connect. */
  readonly provider: ProviderId
  /** The user's id at the provider, if they have linked several accounts of it. */
  readonly providerAccountId?: string
  /** Names of the services that the token is for, as the provider knows them. */
  readonly audience?: string | readonly string[]
  /** URLs of those services (RFC 8707). */
  readonly resource?: string | readonly string[]
  /** The scopes of the new token. Default: the provider decides. */
  readonly scope?: readonly string[]
  /** The type, such as `urn:ietf:params:oauth:token-type:jwt`. Default: the provider decides. */
  readonly requestedTokenType?: string
}

/** A token for another service. It is not stored: exchange again when it expires. */
export interface ExchangedToken {
  /** The token. Send it to the other service only. */
  readonly accessToken: string
  /** The authentication scheme, in lower case: `bearer`, or `n_a` if it is no access token. */
  readonly tokenType: string
  /** The type of the token (RFC 8693 §3). */
  readonly issuedTokenType: string
  /** The expiry; `null` if the provider does not return one. */
  readonly expiresAt: Date | null
  /** Its scopes; empty if the provider does not return them. */
  readonly scope: readonly string[]
}

/** The option `tokens` of the configuration. */
export interface TokensOption {
  /**
   * Keep the tokens of providers, encrypted and renewed, to call their APIs with (`auth.tokens.get`, `auth.tokens.fetch`, `auth.tokens.requireConnection`
   * of `server-auth/tokens`): `{ store: true }` with one of our adapters, `{ store: 'cookie' }` without a database. Default: they are stored
   * with the account by the adapter, as they came, and are never renewed.
   */
  tokens?: TokensOptions
}
