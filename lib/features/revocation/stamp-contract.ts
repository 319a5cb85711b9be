/** Security stamps of users, as the engine reads, compares and changes them. The term is that of ASP.NET Core Identity. */

import type { ProviderLink, ProviderLogout } from '../logout/contract.js'

/** A user, and the session at a provider with which the user's session may end. */
export interface StampOwner {
  readonly userId: string
  readonly link?: Pick<ProviderLink, 'subject' | 'session' | 'at'> | undefined
  /** The account or passkey of the sign-in: unlinking it ends pending sign-ins with it, and no others. */
  readonly method?: SignInMethod | undefined
  /** The `sid` of the JWT session in which more is proved, or something is attached: its end alone ends that as well. */
  readonly sid?: string | undefined
}

/** An account at a provider, or a passkey. */
export type SignInMethod =
  | { readonly provider: string; readonly providerAccountId: string }
  | { readonly credentialID: string }

/**
 * The stamp of a user, as a sign-in has read it before it verified anything. Plain JSON: it is carried to wherever the sign-in continues.
 */
export interface SecurityStamp extends StampOwner {
  /** Only compared. Empty where nothing has ended the sessions of the user so far. */
  readonly value: string
  /** Marks the changes that this sign-in makes itself. They do not end it. Absent where it makes none. */
  readonly mark?: string | undefined
}

/** Stamps that change with every event that ends the sessions of a user, in any process. */
export interface SecurityStamps {
  /**
   * Reads the stamp of a user from the store. `undefined` where the store fails and the application chose to continue without it.
   *
   * @throws {@link AdapterError} when the store fails.
   */
  read(of: StampOwner & Pick<SecurityStamp, 'mark'>): Promise<SecurityStamp | undefined>
  /** Checks whether a stamp has changed since it was read. @throws {@link AdapterError} when the store fails. */
  hasChanged(stamp: SecurityStamp): Promise<boolean>
  /** Changes the stamp of a user, and ends no session of a token. @param mark Of the sign-in that does it. @throws {@link AdapterError} when the store fails. */
  change(userId: string, mark?: string): Promise<void>
  /** Changes the stamps of sign-ins with this account or passkey. @throws {@link AdapterError} when the store fails. */
  changeMethod(method: SignInMethod): Promise<void>
  /** Changes the stamps that a logout at a provider concerns. @throws {@link AdapterError} when the store fails. */
  changeLinked(logout: ProviderLogout): Promise<void>
}
