/** Takes an address from a user who only claimed it. */

import type { Store } from '../contracts/index.js'
import { AdapterError, toError } from '../errors.js'
import type { AdapterUser } from '../types/adapter.js'

/** A user without an address; adapters' types have one for everybody. */
export const noAddress = null as unknown as string

/**
 * Takes the address from a user who never proved it. They keep all that is theirs.
 *
 * @throws {@link AdapterError} where the adapter cannot store a user without an address.
 */
export async function releaseAddress(store: Store, claimant: AdapterUser): Promise<AdapterUser> {
  const method = 'updateUser'
  const cause = await store.updateUser({ id: claimant.id, email: noAddress }).then(
    (user) => (user.email ? undefined : user),
    (error: unknown) => ({ error: toError(error) }),
  )
  if (cause && 'id' in cause) return cause
  throw new AdapterError(
    'The address of a user who never proved it could not be taken from them for its owner: the column `email` of the users must take null.',
    { method, ...(cause && { err: cause.error }) },
  )
}
