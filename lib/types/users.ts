/** The values that `auth.users` takes and returns, for an admin page. */

import type { EnrolledFactor } from '../features/factors/types.js'
import type { LinkedAccount, LinkedPasskey, OpenSession } from './account.js'
import type { AdapterUser } from './adapter.js'

/** The columns that every adapter stores. */
type BuiltInColumn = 'id' | 'name' | 'email' | 'emailVerified' | 'image'

/** The application's own columns of a stored user. */
type OwnColumns<U> = Partial<Omit<U, BuiltInColumn>>

/** The query for a page of users. */
export interface UserQuery {
  /**
   * The beginning of an email address or a name, of at most 100 characters. Upper and lower case are equal. Empty or
   * absent: all users.
   */
  readonly search?: string | undefined
  /** `true`: users with a verified email address only. `false`: users without one. Absent: all users. */
  readonly emailVerified?: boolean | undefined
  /** The maximum number of users on the page, from 1 to 200. Default 50. */
  readonly limit?: number | undefined
  /** `next` of the previous page, with the same `search` and `emailVerified`. Absent, empty or `null`: the first page. */
  readonly cursor?: string | null | undefined
}

/** A user of a list. */
export interface ListedUser<U extends AdapterUser = AdapterUser> {
  /** The stored user. */
  readonly user: U
  /** `true` if the user is disabled. Always `false` without `session.revocation`. */
  readonly disabled: boolean
}

/** A page of users. */
export interface UserPage<U extends AdapterUser = AdapterUser> {
  /**
   * The users by email address, then those without one. With `search`: those who are found by address, then those who
   * are found by name, by name.
   */
  readonly users: ReadonlyArray<ListedUser<U>>
  /** The `cursor` of the next page. `null` on the last page. It is encrypted, and valid for a day. */
  readonly next: string | null
}

/** Everything that the library knows about a user, without secrets. */
export interface UserDetails<U extends AdapterUser = AdapterUser> extends ListedUser<U> {
  /** The accounts at providers, without tokens. A password is one of them. */
  readonly accounts: readonly LinkedAccount[]
  /** The passkeys, the newest first. Empty without a passkey provider. */
  readonly passkeys: readonly LinkedPasskey[]
  /** The second factors, recovery codes included. Empty if none are configured. */
  readonly factors: readonly EnrolledFactor[]
  /**
   * The open sessions, the most recently used first. JWT sessions are listed only by `session.revocation.list`.
   */
  readonly sessions: ReadonlyArray<Omit<OpenSession, 'current'>>
  /** The stored password. `null` if the user has none, or the provider `Password` is not configured. */
  readonly password: {
    /** The time at which it was set. */
    readonly changedAt: Date
  } | null
  /** The latest sign-in of the open sessions. `null` if not known. */
  readonly lastSignIn: Date | null
}

/** A user to create. Further properties are columns of your own. */
export type NewUser<U extends AdapterUser = AdapterUser> = OwnColumns<U> & {
  /** The email address as typed. `null`: none. */
  readonly email: string | null
  /** `true` if you know that the address belongs to the user. `false` without an address. */
  readonly emailVerified: boolean
  /** The name to show. */
  readonly name?: string | null | undefined
  /** The URL of a picture. */
  readonly image?: string | null | undefined
}

/** The changes of a user. Properties that are absent or `undefined` are not changed; further ones are columns of your own. */
export type UserChange<U extends AdapterUser = AdapterUser> = OwnColumns<U> & {
  /** The id of the stored user. */
  readonly userId: string
  /** The new email address as typed. It is unverified, unless `emailVerified` is `true`. `null` removes it. */
  readonly email?: string | null | undefined
  /** `true` if the email address is verified, `false` if not. Absent: unchanged for the same address. */
  readonly emailVerified?: boolean | undefined
  /**
   * `true` states that the accounts, passkeys and second factors of the user belong to the owner of the email address. Then
   * `emailVerified: true` is accepted for a user whose address was unverified. Default `false`: it is rejected with the
   * reason `methods`, because an attacker may have created the user with the address of a victim.
   */
  readonly keepSignInMethods?: boolean | undefined
  /** The name to show. */
  readonly name?: string | null | undefined
  /** The URL of a picture. */
  readonly image?: string | null | undefined
}
