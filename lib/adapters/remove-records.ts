/** Removes the records of a user from any store. */
import { tablesOfUsers } from '../store/tables.js'
import type { Store } from '../types/store.js'

/**
 * Removes the password, the second factors and the provider tokens of a user from a store.
 *
 * `deleteUser` of this library's adapters does it in its own database. Call it for a store elsewhere, before you delete
 * the user.
 *
 * @returns The number of removed records.
 * @example
 * ```ts
 * await removeRecordsOf(store, userId)
 * await adapter.deleteUser(userId)
 * ```
 */
export async function removeRecordsOf({ records }: Pick<Store, 'records'>, userId: string): Promise<number> {
  let count = 0
  for (const table of tablesOfUsers()) count += await records.remove(table, { userId })
  return count
}
