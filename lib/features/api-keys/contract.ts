/** The option `apiKeys`, resolved. */
import type { RecordStore } from '../../types/store.js'

/** API keys. */
export interface ResolvedApiKeys {
  /** The store of the keys, unguarded. `features/api-keys/store` guards it. */
  readonly store: RecordStore
  /** `true` if the store finds the users that `getUser` of the adapter finds. */
  readonly knowsUsers: boolean
  readonly prefix: string
  readonly scopes: ReadonlySet<string>
  /** Milliseconds. */
  readonly maxAge: number
  /** Milliseconds for which a check is used again. */
  readonly cacheFor: number
  /** The name of the other header that may contain a key, in lower case. */
  readonly header?: string
  /** Milliseconds that a method of the store may take. */
  readonly timeout: number
}
