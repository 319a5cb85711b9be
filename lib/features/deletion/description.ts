/** The description of deletions of users. */
import type { Description } from '../../types/description.js'
import type { RecordOf } from '../../types/records.js'
import type { RecordTable } from '../../types/store.js'
import { accountDeletionRules, userDeletionRules } from './functions.js'

/**
 * Deletions of users: those that are scheduled or have begun, and tombstones of deleted users. `id` is a keyed hash of the user's id. `userId` and the facts in
 * `data` are kept only until the deletion is complete.
 */
export const deletionsTable = {
  name: 'auth_deletions',
  key: ['id'],
  by: 'state',
  columns: { id: 'id', state: 'id', userId: 'text?', data: 'longText', at: 'time' },
  version: true,
  lease: true,
} as const satisfies RecordTable

/** A deletion, or the tombstone of a deleted user. */
export type StoredDeletion = RecordOf<typeof deletionsTable>

/** Deletions and exports of users. */
export const deletion = {
  tables: [deletionsTable],
  joins: { users: userDeletionRules, account: accountDeletionRules },
  routes: { 'delete-account': { plain: ['GET', 'POST'] } },
} as const satisfies Description
