/** Passwords that the library keeps: their store as the engine asks it, and what their pages are about. */
import type { NewRecord, Records } from '../../types/records.js'
import type { RecordStore } from '../../types/store.js'
import type { passwordAttemptsTable, passwordsTable, StoredPassword } from './description.js'

/** A store whose methods answer in time, or reject with `AdapterError`. Its return values are validated. */
export interface GuardedPasswords {
  /** The store itself, for the deletion of users. */
  readonly store: RecordStore
  find(userId: string): Promise<StoredPassword | null>
  write(password: NewRecord<typeof passwordsTable>, previous: number): Promise<boolean>
  remove(userId: string): Promise<void>
  /** The records of links for sign-ups and resets. */
  readonly links: Records<typeof passwordAttemptsTable>
}

/**
 * The change of a password that is possible, or the reason why none is.
 *
 * `current`: change it with the current one. `fresh`: change it without, just after a sign-in. `first`: set a first
 * one. `signedOut`: not signed in. `stale`: a first password needs a recent sign-in. `unverified`: it needs a verified
 * email.
 */
export type ChangeStep = 'current' | 'fresh' | 'first' | 'signedOut' | 'stale' | 'unverified'

/** The link of a form. */
export interface PasswordFormLink {
  /** The link itself, sealed for this browser: the hidden field `link` of the built-in forms. */
  readonly sealed: string
  /** A hash that names the link: the parameter `link` of a custom page, whose form sends it back. */
  readonly reference: string
}

/** The content of a page of passwords. */
export type PasswordPageFacts =
  | { readonly step: 'signUp'; readonly callbackUrl: string }
  | { readonly step: 'forgot' }
  | { readonly step: 'reset'; readonly email: string; readonly link: PasswordFormLink }
  | { readonly step: 'verify'; readonly email: string; readonly isElsewhere: boolean; readonly link: PasswordFormLink }
  | {
      readonly step: 'change'
      readonly change: ChangeStep
      readonly email?: string | undefined
      readonly callbackUrl?: string
    }
