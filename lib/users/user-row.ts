/** Writes to the row of a user: as a lock, and to take away an address that they never proved. */

import type { Store } from '../contracts/index.js'
import { AdapterError, toError } from '../errors.js'
import type { AdapterUser } from '../types/adapter.js'

/**
 * Locks the user's row until the transaction ends, and returns it as it is by then. Every transaction that attaches something
 * to a user, removes something or changes the address begins with this, in all processes. It writes because a write locks the
 * row in every database, and it writes the picture because a lost update of that does the least harm.
 *
 * @param tx Of a transaction. @throws {@link AdapterError} when there is no such user any more.
 */
export function lockUser(tx: Store, { id, image }: AdapterUser): Promise<AdapterUser> {
  return tx.updateUser({ id, image: image ?? null })
}

/** A user without an address; adapters' types have one for everybody. */
export const noAddress = null as unknown as string

/**
 * Takes the address from a user who never proved it. They keep everything else.
 *
 * @throws {@link AdapterError} where the adapter cannot store a user without an address.
 */
export async function releaseAddress(store: Store, { id }: AdapterUser): Promise<AdapterUser> {
  let err: Error | undefined
  try {
    const user = await store.updateUser({ id, email: noAddress })
    if (!user.email) return user
  } catch (error) {
    err = toError(error)
  }
  throw new AdapterError(
    'The address of a user who never proved it could not be taken from them for its owner: the column `email` of the users must take null.',
    { method: 'updateUser', ...(err && { err }) },
  )
}
