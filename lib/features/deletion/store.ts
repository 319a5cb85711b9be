/** The records of deletions, and all stores that may have records of a user. */
import { isRecord } from '../../base/guards.js'
import type { ResolvedConfig, ResolvedDeletion } from '../../contracts/index.js'
import { keyedHashes } from '../../crypto/keyed-hashes.js'
import { InvalidConfiguration, InvalidRequest } from '../../errors.js'
import { guardRecords } from '../../store/guard.js'
import { tablesOfUsers } from '../../store/tables.js'
import type { Records } from '../../types/records.js'
import type { RecordStore, RecordTable } from '../../types/store.js'
import { factorOwnersOf } from '../factors/store.js'
import { passwordProviderOf } from '../passwords/store.js'
import { deletionsTable, type StoredDeletion } from './description.js'

/** Returns the option `deletion`. @throws {@link InvalidConfiguration} without it. */
export function requireDeletion({ deletion }: ResolvedConfig): ResolvedDeletion {
  if (deletion) return deletion
  throw new InvalidConfiguration('Users cannot be deleted or exported. Set `deletion: true`.')
}

/** Returns the records of deletions, behind the guard. @throws {@link InvalidConfiguration} without the option. */
export function deletionsOf(config: ResolvedConfig): Records<typeof deletionsTable> {
  const { store, timeout } = requireDeletion(config)
  return guardRecords(store, deletionsTable, { keeps: 'deletions', timeout })
}

/** Returns the names of the record of a user, one for each secret. The first one is for new records. */
export function deletionIdsOf(config: ResolvedConfig, userId: string): string[] {
  return keyedHashes(config, 'deleted user', [userId])
}

/** Returns the deletion of a user; `null` if none has begun. */
export async function findDeletion(config: ResolvedConfig, userId: string): Promise<StoredDeletion | null> {
  const records = deletionsOf(config)
  for (const id of deletionIdsOf(config, userId)) {
    const found = await records.find({ id })
    if (found) return found
  }
  return null
}

/** Checks whether data of the user may have been removed. */
export function hasBegun(found: StoredDeletion | null): boolean {
  return found?.state === 'started' || found?.state === 'done'
}

/**
 * Cancels a scheduled deletion of a user who is enabled. A user whose deletion has begun is rejected: enabled again, they
 * could sign in to an account without data.
 *
 * @throws {@link InvalidRequest}
 */
export async function cancelDeletion(config: ResolvedConfig, userId: string): Promise<void> {
  const found = config.deletion && (await findDeletion(config, userId))
  if (!found || found.state === 'cancelled') return
  const { version, ...row } = found
  const cancelled = { ...row, state: 'cancelled', userId: null }
  // The version decides between this call and a job that begins the deletion.
  if (row.state === 'scheduled' && (await deletionsOf(config).write(cancelled, version))) return
  throw new InvalidRequest('The deletion of this user has begun, so the user cannot be enabled.', 409)
}

/** The records of one user in one table of one store. */
export interface UserRecords {
  readonly table: RecordTable
  readonly records: Records<RecordTable>
  /** The names under which the user's records are stored: the id, and names of accounts that are not stored. */
  readonly names: readonly string[]
}

/**
 * Returns the records of a user in all tables with a column `userId`, and in all stores of the configuration: a store
 * beside the adapter's is not covered by `deleteUser`.
 */
export function userRecordsOf(config: ResolvedConfig, userId: string): UserRecords[] {
  const names = factorOwnersOf(config, userId)
  const { timeout } = requireDeletion(config)
  const tables = tablesOfUsers()
  return recordStoresOf(config).flatMap((store) =>
    tables.map((table) => ({ table, names, records: guardRecords(store, table, { keeps: table.name, timeout }) })),
  )
}

/** Checks whether a store has records of a user. */
export async function hasRecords(config: ResolvedConfig, userId: string): Promise<boolean> {
  for (const { records, names } of userRecordsOf(config, userId))
    for (const name of names) if ((await records.list(name)).length > 0) return true
  return false
}

/** Removes the records of a user in all stores. */
export async function removeRecords(config: ResolvedConfig, userId: string): Promise<void> {
  for (const { records, names } of userRecordsOf(config, userId))
    for (const name of names) await records.remove({ userId: name })
}

/**
 * Removes what was just written of a user whose deletion began before. A deletion that begins later removes it itself. A scheduled
 * or cancelled deletion has not begun: that user keeps passwords and second factors.
 */
export async function removeLateRecords(config: ResolvedConfig, userId: string): Promise<void> {
  if (config.deletion && hasBegun(await findDeletion(config, userId))) await removeRecords(config, userId)
}

/** Returns the stores of records of a configuration: the adapter's, and those in the options of capabilities. */
function recordStoresOf(config: ResolvedConfig): RecordStore[] {
  const parts = [...Object.values(config), config.organizations?.stored, passwordProviderOf(config)?.password.store]
  const stores = parts.flatMap((part: unknown) => {
    const store = isRecord(part) ? part.store : undefined
    return isRecordStore(store) ? [store] : []
  })
  const { adapterStore } = requireDeletion(config)
  return [...new Set(adapterStore ? [adapterStore, ...stores] : stores)]
}

function isRecordStore(value: unknown): value is RecordStore {
  return isRecord(value) && ['list', 'remove', 'lease', 'take'].every((name) => typeof value[name] === 'function')
}
