/** The account as callbacks and events are told of it. */
import type { SignedIn } from '../contracts/index.js'
import type { Account } from '../types/identity.js'

/** A provider's account; `null` where the application's own code said who somebody is. */
export function toldAccount({ account }: Pick<SignedIn, 'account'>): Account | null {
  return account.type === 'application' ? null : account
}
