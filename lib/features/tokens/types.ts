/** The option `tokens`, and what the functions of `server-auth/tokens` take and return. */
import type { ProviderId } from '../../types/calls.js'
import type { AccountKey } from '../../types/identity.js'
import type { Store } from '../../types/store.js'

/** The option `tokens`. */
export interface TokensOptions {
  /**
   * The store of the tokens: `sqlStore(db)`, `redisStore(client)`, `memoryStore()`, one of your own. Default `true`: the adapter's. `cookie`:
   * the user's browser, sealed, for applications without a database: of one process, or of providers whose refresh tokens can be used more
   * than once.
   */
  store?: Pick<Store, 'records'> | true | 'cookie'
}

/** Which tokens are wanted, and how good they have to be. */
export interface AccessTokenOptions {
  /** The id of a provider of OAuth or OpenID Connect. */
  readonly provider: ProviderId
  /** The person's id at the provider, where they have linked several accounts of it. */
  readonly providerAccountId?: string
  /** What the token must be good for. */
  readonly scope?: readonly string[]
  /** Seconds that the token must be good for at the least. Default: the provider's `refresh.minTtl`, else 30. */
  readonly minTtl?: number
  /** Ask the provider for a new one, though the old one seems good: a service has refused it. */
  readonly forceRefresh?: boolean
}

/** An access token of a person at a provider. */
export interface ProviderToken {
  /** The access token. Send it to the provider's API only, and keep it out of logs. */
  readonly accessToken: string
  /** When it ends; `null` where the provider does not say. */
  readonly expiresAt: Date | null
  /** What it is good for; empty where the provider does not say. */
  readonly scope: readonly string[]
  /** How it is sent, in lower case: `bearer`, or `dpop` (RFC 9449 §7.1). */
  readonly tokenType: string
  /** Which account of the person it belongs to. */
  readonly account: AccountKey
}

/** A user, where no request is being answered: in a nightly job. Whoever names one has decided that it may be done for them. */
export interface TokensOfUser {
  /** The id of the stored user. */
  readonly userId: string
}

/** Which account's tokens, and what they must be good for. */
export type ProviderFetchOptions = Pick<AccessTokenOptions, 'provider' | 'providerAccountId' | 'scope'>

/** What a person is to agree to at a provider. */
export interface ConnectOptions {
  /** The id of a provider of OAuth or OpenID Connect. */
  readonly provider: ProviderId
  /** The person's id at the provider, where they have linked several accounts of it. Another account is refused. */
  readonly providerAccountId?: string
  /** What the tokens must be good for, beyond what sign-ins ask for. What was granted before is asked for as well. */
  readonly scope?: readonly string[]
  /** Where the person goes afterwards. Default: the site's root. */
  readonly callbackUrl?: string
  /** More parameters of the authorization request, such as `{ access_type: 'offline', prompt: 'consent' }`. */
  readonly params?: Readonly<Record<string, string>>
}

/** Which connection a guard wants. */
export interface RequireConnectionOptions extends Omit<ConnectOptions, 'callbackUrl'> {
  /** As for `requireSession`: where people sign in who are not. */
  readonly signInUrl?: string
}

/** Which token the person's is exchanged for (RFC 8693 §2.1). */
export interface ExchangeTokenOptions {
  /** The id of a provider of OAuth or OpenID Connect. */
  readonly provider: ProviderId
  /** The person's id at the provider, where they have linked several accounts of it. */
  readonly providerAccountId?: string
  /** Names of the services that the token is for, as the provider knows them. */
  readonly audience?: string | readonly string[]
  /** URLs of those services (RFC 8707). */
  readonly resource?: string | readonly string[]
  /** What the new token must be good for. Default: as the provider decides. */
  readonly scope?: readonly string[]
  /** For example `urn:ietf:params:oauth:token-type:jwt`. Default: as the provider decides. */
  readonly requestedTokenType?: string
}

/** A token for another service. It is not stored: exchange again when it ends. */
export interface ExchangedToken {
  /** The token, to be sent to the other service only. */
  readonly accessToken: string
  /** How it is sent, in lower case: `bearer`, or `n_a` where it is no access token. */
  readonly tokenType: string
  /** What it is (RFC 8693 §3). */
  readonly issuedTokenType: string
  /** When it ends; `null` where the provider does not say. */
  readonly expiresAt: Date | null
  /** What it is good for; empty where the provider does not say. */
  readonly scope: readonly string[]
}
