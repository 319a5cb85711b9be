/** The description of passwords. */
import type { Description } from '../../types/description.js'
import type { RecordOf } from '../../types/records.js'
import type { RecordTable } from '../../types/store.js'
import { passwordRules } from './functions.js'

/** Hashes of passwords. `changedAt` is when the user set the password: hashing the same password again leaves it. */
export const passwordsTable = {
  name: 'auth_passwords',
  key: ['userId'],
  by: 'userId',
  columns: { userId: 'id', hash: 'text', changedAt: 'time' },
  version: true,
  exported: ['changedAt'],
} as const satisfies RecordTable

/**
 * Passwords that are pending until their owner verifies an email address, and links to set a new one. `tokenHash` is a hash of a secret that
 * only the mail has. Any client can create such records.
 */
export const passwordAttemptsTable = {
  name: 'auth_password_attempts',
  key: ['tokenHash'],
  columns: { tokenHash: 'id', identifier: 'text', data: 'text', expires: 'time' },
  version: false,
  expires: 'expires',
  evict: 'identifier',
} as const satisfies RecordTable

/** The password of a user. The hash is `!` where the password was removed: no password has this hash. */
export type StoredPassword = RecordOf<typeof passwordsTable>
/** A pending password, or the newest link to set one. */
export type PasswordAttempt = RecordOf<typeof passwordAttemptsTable>

/** Passwords. */
export const passwords = {
  tables: [passwordsTable, passwordAttemptsTable],
  functions: passwordRules,
  routes: {
    signup: { segment: ['GET', 'POST'], getHasEffects: true, needs: 'passwords' },
    password: { segment: ['GET', 'POST'], getHasEffects: true, needs: 'passwords' },
  },
} as const satisfies Description
