/** Turns among all processes at what a user has. */

import type { Store } from '../contracts/index.js'
import type { AdapterUser } from '../types/adapter.js'

/**
 * Locks the user's row until the transaction ends, and says who they are by now: whoever attaches something, takes it away
 * or moves the address begins with this. Writing locks in every database; the picture is what matters least.
 *
 * @param tx Of a transaction. @throws {@link AdapterError} when there is no such user any more.
 */
export function lockUser(tx: Store, { id, image }: AdapterUser): Promise<AdapterUser> {
  return tx.updateUser({ id, image: image ?? null })
}
