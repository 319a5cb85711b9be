/**
 * What a store of provider tokens is: where the grants that people gave at a provider are kept, sealed, so that all processes
 * use and renew the same ones.
 *
 * A store stores and compares. What is inside `sealed`, whose it is and when it is renewed is the engine's business. Methods
 * reject when the store is away: taken for "there is none", that would ask people for their consent again.
 */
import type { ProviderId } from './calls.js'
import type { AccountKey, Awaitable } from './identity.js'

/** The tokens of one account at a provider. (`provider`, `providerAccountId`) is unique. */
export interface StoredTokens extends AccountKey {
  /** Whose they are. Tokens are found by this and the provider, and used for nobody else. */
  readonly userId: string
  /** The token set, encrypted and bound to the three ids above. Text without line breaks; may be some ten thousand characters long. */
  readonly sealed: string
  /** 1 when the row is made, and one more with each write. */
  readonly version: number
  /** Seconds since the epoch at which the access token ends; `null` where the provider does not say. */
  readonly expiresAt: number | null
  /** What was granted, separated by spaces (RFC 6749 §3.3); `null` where the provider does not say. */
  readonly scope: string | null
  /** The provider gives no more tokens until the person agrees again. */
  readonly needsConsent: boolean
}

/** The right to renew the tokens of a row, which one process has at a time. */
export interface TokenLease {
  /** The version that was read. Where the row has another one by now, somebody else has renewed them. */
  readonly version: number
  /** Names who holds it: 22 characters of `A-Z a-z 0-9 _ -`. */
  readonly leaseId: string
  /** How long it lasts, by the clock of the store. Whole seconds, from 1 to 300. */
  readonly seconds: number
}

/** Where provider tokens are kept. */
export interface TokenStore {
  /** The row of an account; `null` where there is none. Ids that differ in case are different. */
  find(key: AccountKey): Awaitable<StoredTokens | null>
  /** The rows of a user, of one provider where it is named. */
  findByUser(userId: string, provider?: string): Awaitable<readonly StoredTokens[]>
  /**
   * Writes a row, with the version `previous + 1`, if the stored one has the version `previous`; 0: if there is none. One
   * atomic step. A lease on the row goes on.
   *
   * @returns `false` where the version was another one. Nothing is written then.
   */
  write(row: Omit<StoredTokens, 'version'>, previous: number): Awaitable<boolean>
  /**
   * Takes the lease of a row, if it has this version and nobody else holds one. The same `leaseId` extends the lease that it has: it then
   * lasts for `seconds` from now. One atomic step.
   *
   * @returns Whether it was taken.
   */
  lease(key: AccountKey, lease: TokenLease): Awaitable<boolean>
  /** Gives a lease back before its time. Nothing happens where another one holds. */
  release(key: AccountKey, leaseId: string): Awaitable<unknown>
  /** Removes the row of an account, if it belongs to this user. */
  remove(key: AccountKey, userId: string): Awaitable<unknown>
}

/** The option `tokens`. */
export interface TokensOptions {
  /**
   * Where they are kept: `sqlTokens(db)`, `redisTokens(client)`, `memoryTokens()`. `true`: in a store of the adapter's own. `cookie`: in
   * the person's browser, sealed, for applications without a database: of one process, or of providers whose refresh tokens can be used
   * more than once.
   */
  store: TokenStore | true | 'cookie'
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
