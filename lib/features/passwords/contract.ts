/** Passwords that the library keeps: their store as the engine asks it, and what their pages are about. */
import type { NewRecord, passwordAttemptsTable, passwordsTable, Records, StoredPassword } from '../../store/tables.js'

/** A store whose methods answer in time, or reject with `AdapterError`. What they return is what the types say. */
export interface GuardedPasswords {
  find(userId: string): Promise<StoredPassword | null>
  write(password: NewRecord<typeof passwordsTable>, previous: number): Promise<boolean>
  remove(userId: string): Promise<void>
  /** The records of links: to sign up, and to set a new password. */
  readonly links: Records<typeof passwordAttemptsTable>
}

/**
 * What a person may do about their password: give another one, with the `current` one or, a moment after a sign-in, without (`fresh`); or a
 * `first` one. `signedOut`: nobody is signed in; `stale`: a first password needs a session that has just begun; `unverified`: and an address
 * that was proved.
 */
export type ChangeStep = 'current' | 'fresh' | 'first' | 'signedOut' | 'stale' | 'unverified'

/** The link of a form. */
export interface PasswordFormLink {
  /** The link itself, sealed for this browser: the hidden field `link` of our own forms. */
  readonly sealed: string
  /** A hash that names the link: the parameter `link` of a custom page, whose form sends it back. */
  readonly reference: string
}

/** What a page of passwords is about. */
export type PasswordFacts =
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
