/** The option `deletion`, resolved. */
import type { RecordStore } from '../../types/store.js'

/** Deletions of users. */
export interface ResolvedDeletion {
  /** The store of deletions, unguarded. `features/deletion/store` guards it. */
  readonly store: RecordStore
  /** The adapter's own store of records, if it has one. */
  readonly adapterStore?: RecordStore
  /** The days before an account is deleted that its user deletes. 0: at once. */
  readonly graceDays: number
  /** The columns of users that the adapter declares. */
  readonly userColumns: readonly string[]
  /** Milliseconds that a method of a store may take. */
  readonly timeout: number
}

/**
 * The deletion of the signed-in user. `ready`: it can be confirmed now. `unknown`: no stored user is signed in. `stale`: the
 * user has to sign in again. `refused`: by the application. `lastOwner`:
 * organizations would have no owner. `done`: deleted, or at the time `due`.
 */
export type OwnDeletion =
  | { readonly kind: 'ready'; readonly label: string }
  | { readonly kind: 'unknown' | 'stale' | 'refused' | 'lastOwner' }
  | { readonly kind: 'done'; readonly due?: Date }
