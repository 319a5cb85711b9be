/** The option `apiKeys`, and the values of its functions, guards and events. */
import type { Awaitable } from '../../types/identity.js'
import type { RequestInfo } from '../../types/request-info.js'
import type { Store } from '../../types/store.js'

/** The option of the configuration. */
export interface ApiKeysOption {
  /**
   * API keys, which users create for their scripts: `auth.apiKeys` and `requireSession({ apiKey })`. Needs an `adapter`.
   * Default: off.
   */
  apiKeys?: ApiKeysOptions
}

/** The options of API keys. */
export interface ApiKeysOptions {
  /**
   * The store of the keys, which has hashes only: `sqlStore(db)`, `redisStore(client)`, `memoryStore()`, or a custom one.
   * `true`: the adapter's.
   */
  store: true | Pick<Store, 'records'>
  /**
   * The first part of each key, by which users and secret scanners recognize it: 2 to 12 characters of `a-z 0-9`, the first
   * one a letter. Keys with an earlier prefix are rejected.
   */
  prefix: string
  /** The scopes that keys may have, such as `['notes:read']`. Guards and functions accept these words only. */
  scopes: readonly string[]
  /** Seconds: the longest lifetime of a key, and the default. From 60 to ten years. Default: one year. */
  maxAge?: number
  /**
   * Seconds for which this process uses an earlier check of a key, from 0 to 300. A key that another process revoked, or
   * whose owner lost a membership, is accepted for this time. Default 10.
   */
  cacheFor?: number
  /** The name of a header that may contain a key, beside `Authorization`: `'X-Api-Key'`. Default: none. */
  header?: string
}

/** The scopes of a configuration. */
export type ApiKeyScopeOf<C> = C extends {
  /** The option `apiKeys` of the configuration. */
  apiKeys: {
    /** The scopes. */
    scopes: ReadonlyArray<infer Scope extends string>
  }
}
  ? Scope
  : string

/** The key of a request that a guard has allowed. */
export interface ApiKey<Scope extends string = string> {
  /** The id of the key, which is no secret. Use it for limits and logs of your own. */
  readonly id: string
  /** The id of the stored user who created the key. */
  readonly userId: string
  /** The id of the organization that the key is for. Absent: the key is for the user's own data. */
  readonly organization?: string
  /** The scopes of the key that the configuration still has. */
  readonly scopes: readonly Scope[]
}

/** A key that is to be created. */
export interface CreateApiKeyOptions<Scope extends string = string> {
  /** A name by which the user recognizes the key: 1 to 100 characters on one line. */
  readonly name: string
  /** The scopes, at least one. */
  readonly scopes: readonly Scope[]
  /** The expiry. Default and latest: `maxAge` from now. */
  readonly expires?: Date | undefined
  /** The id of an organization of which the user is a member. Needs `organizations`. Default: none. */
  readonly organization?: string | undefined
}

/** A key in the list of its user. */
export interface ApiKeyEntry {
  /** The id: the 12 characters after the prefix. */
  readonly id: string
  /** The name that the user gave. */
  readonly name: string
  /** The scopes that were given. Those that the configuration no longer has count for nothing. */
  readonly scopes: readonly string[]
  /** The id of the organization; `null` if the key is for the user's own data. */
  readonly organization: string | null
  /** The time of creation. */
  readonly createdAt: Date
  /** The expiry. */
  readonly expires: Date
  /** The last use, recorded at most once in five minutes; `null` if there was none. */
  readonly lastUsedAt: Date | null
}

/** A new key. */
export interface CreatedApiKey extends ApiKeyEntry {
  /** The key. Show it once: only its hash is stored. */
  readonly key: string
}

/** The key that a guard requires. */
export interface RequireApiKeyOptions<Scope extends string = string> {
  /** The scope that the key must have, or several, of which it must have all. Default: none. */
  readonly scope?: Scope | readonly Scope[]
  /**
   * `'any'`: also allows keys of organizations. The handler then reads the data of `apiKey.organization`. Default: only keys
   * for the user's own data, so that the key of an organization does not read the data of its owner.
   */
  readonly organization?: 'any'
}

/** The keys that a guard of sessions allows, too. */
export interface ApiKeyRequirement<Scope extends string = string> {
  /**
   * Also allows requests with an API key that has this scope, or all of these. The session is `null` then. Not possible
   * with `allow`, `aal`, `maxAge` and `amr`, which no key can meet. With `organization`, the key must be for that
   * organization, and the role and permission are those of its owner. Without it, keys of organizations are rejected.
   */
  apiKey: Scope | readonly Scope[]
}

/** A request that a guard has allowed: with a session or with a key, never with both. */
export type SessionOrApiKey<S, Scope extends string = string> =
  | {
      /** The session of the signed-in user. */
      readonly session: S
      /** No key was sent. */
      readonly apiKey: null
    }
  | {
      /** Requests with a key have no session. */
      readonly session: null
      /** The key of the request. */
      readonly apiKey: ApiKey<Scope>
    }

/** The argument of the `apiKeyCreated` event. It contains no key. */
export interface ApiKeyCreatedMessage {
  /** The id of the user who created the key. */
  userId: string
  /** The id of the key. */
  keyId: string
  /** Its scopes. */
  scopes: readonly string[]
  /** The id of its organization. */
  organization?: string
  /** Its expiry. */
  expires: Date
  /** The id of the session. */
  sid?: string
  /** The IP address and browser of the request. */
  request: RequestInfo
}

/** The argument of the `apiKeyRevoked` event. */
export interface ApiKeyRevokedMessage {
  /** The id of the user who created the key. */
  userId: string
  /** The id of the key. */
  keyId: string
  /** The id of the user who revoked it. Absent without a request or without a signed-in user. */
  by?: string
  /** The id of the session in which it was revoked. */
  sid?: string
  /** The IP address and browser of the request. */
  request?: RequestInfo
}

/** The events of API keys. */
export interface ApiKeyEvents {
  /** Called after a user created an API key. */
  apiKeyCreated(message: ApiKeyCreatedMessage): Awaitable<void>
  /**
   * Called after an API key was revoked, by its user or with `auth.apiKeys.revokeAll`. Not called for a key that expires, or
   * that is removed with its user.
   */
  apiKeyRevoked(message: ApiKeyRevokedMessage): Awaitable<void>
}
