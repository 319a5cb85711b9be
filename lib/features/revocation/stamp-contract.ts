/**
 * Security stamps of users: the interfaces to read, compare and change them. The term is from ASP.NET Core Identity.
 */

import type { ProviderLink, ProviderLogout } from '../logout/contract.js'

/** A user, and the session at a provider with which the user's session may end. */
export interface StampOwner {
  readonly userId: string
  readonly link?: Pick<ProviderLink, 'subject' | 'session' | 'at'> | undefined
  /** The account or passkey of the sign-in. Unlinking it ends pending sign-ins with it, and no others. */
  readonly method?: SignInMethod | undefined
  /**
   * The `sid` of the JWT session of a step-up or of a linking. The end of that session alone ends the operation as
   * well.
   */
  readonly sid?: string | undefined
}

/** An account at a provider, or a passkey. */
export type SignInMethod =
  | { readonly provider: string; readonly providerAccountId: string }
  | { readonly credentialID: string }

/**
 * The stamp of a user, read by a sign-in before it verifies anything. Plain JSON, because it is carried to where the
 * sign-in continues.
 */
export interface SecurityStamp extends StampOwner {
  /** A value to compare. Empty if nothing has ended the user's sessions so far. */
  readonly value: string
  /** The mark of changes that this sign-in makes itself, which do not end it. Absent if it makes none. */
  readonly mark?: string | undefined
}

/** Stamps that change with every event that ends the sessions of a user, in any process. */
export interface SecurityStamps {
  /**
   * Reads the stamp of a user from the store. `undefined` if the store fails and the application chose to continue
   * without it.
   *
   * @throws {@link AdapterError} if the store fails.
   */
  read(of: StampOwner & Pick<SecurityStamp, 'mark'>): Promise<SecurityStamp | undefined>
  /** Checks whether a stamp has changed since it was read. @throws {@link AdapterError} if the store fails. */
  hasChanged(stamp: SecurityStamp): Promise<boolean>
  /**
   * Changes the stamp of a user, without ending JWT sessions. @param mark The mark of the sign-in that makes the
   * change. @throws {@link AdapterError} if the store fails.
   */
  change(userId: string, mark?: string): Promise<void>
  /** Changes the stamps of sign-ins with this account or passkey. @throws {@link AdapterError} if the store fails. */
  changeMethod(method: SignInMethod): Promise<void>
  /** Changes the stamps that a logout at a provider concerns. @throws {@link AdapterError} if the store fails. */
  changeLinked(logout: ProviderLogout): Promise<void>
}
