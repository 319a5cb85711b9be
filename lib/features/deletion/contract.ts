/** The option `deletion`, resolved. */
import type { RecordStore } from '../../types/store.js'

/** Deletions of users. */
export interface ResolvedDeletion {
  /** The store of deletions, unguarded. `features/deletion/store` guards it. */
  readonly store: RecordStore
  /** The adapter's own store of records, if it has one. */
  readonly adapterStore?: RecordStore
  /** The columns of users that the adapter declares. */
  readonly userColumns: readonly string[]
  /** Milliseconds that a method of a store may take. */
  readonly timeout: number
}
