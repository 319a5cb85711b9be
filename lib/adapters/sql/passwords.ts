/**
 * Passwords in a table, `auth_passwords`, and those that wait in another, `auth_password_attempts`. Each change is one statement, which
 * asks for the version it was made for: so of processes at once one writes.
 */
import type { Kysely } from 'kysely'
import type { PasswordAttempt, PasswordStore, StoredPassword } from '../../types/passwords.js'
import { type Database, type Dialect, detectDialect, type Row, toDatabase } from './database.js'
import { readDialect } from './layout.js'
import { withAdvice } from './missing-table.js'
import { fromTime, insertFirst, toTime } from './own-rows.js'
import { attemptsTable, passwordsTable as table } from './passwords-table.js'
import { createHousekeeping, removeExpired } from './prune.js'
import { isStorableId } from './values.js'

/** Options of {@link sqlPasswords}. */
export interface SqlPasswordsOptions {
  /** The dialect, where it cannot be told from the Kysely instance. */
  dialect?: Dialect
}

/** Rows that one statement removes at the most. */
const pruneLimit = 1000

/**
 * Keeps passwords in a database. {@link migrate} makes its tables. Make it once, as the Kysely instance. The database need not be that
 * of the adapter.
 *
 * `deleteUser` of {@link sqlAdapter} removes the password of a user in its own database. What waited in vain is removed once an hour.
 *
 * @throws {TypeError} When an option is wrong.
 * @example
 * ```ts
 * const passwords = sqlPasswords(db)
 * ```
 */
export function sqlPasswords<Tables>(db: Kysely<Tables>, options: SqlPasswordsOptions = {}): PasswordStore {
  const database = toDatabase(db)
  return createPasswords(database, readDialect(options.dialect) ?? detectDialect(database))
}

/**
 * The same where the dialect is known, or in a transaction.
 *
 * @param pruneEvery Seconds after which rows whose time is over are removed again; 0: never.
 */
export function createPasswords(db: Database, dialect: Dialect, pruneEvery = 3600): PasswordStore {
  const advised = <Args extends readonly unknown[], T>(method: (...args: Args) => Promise<T>) =>
    withAdvice(method, { preset: 'default', ownColumns: true })
  const housekeeping = createHousekeeping(pruneEvery, () => removeExpired(db, dialect, expiredNow(), pruneLimit))
  return {
    find: advised(async (userId: string) => {
      if (!isStorableId(userId)) return null
      const query = db.selectFrom(table).select(['userId', 'hash', 'version', 'changedAt'])
      const row = await query.where('userId', '=', userId).executeTakeFirst()
      return row ? toStored(row) : null
    }),
    write: advised(async ({ userId, hash, changedAt }: Omit<StoredPassword, 'version'>, previous: number) => {
      assertStorable(userId)
      const row = { hash, changedAt: toTime(changedAt), version: previous + 1 }
      if (previous === 0) return insertFirst(db, dialect, { into: table, keys: ['userId'], row: { userId, ...row } })
      const query = db.updateTable(table).set(row).where('userId', '=', userId).where('version', '=', previous)
      return (await query.executeTakeFirstOrThrow()).numUpdatedRows > 0n
    }),
    remove: advised(async (userId: string) => {
      if (isStorableId(userId)) await db.deleteFrom(table).where('userId', '=', userId).execute()
    }),
    keepAttempt: advised(async ({ tokenHash, identifier, data, expires }: PasswordAttempt) => {
      assertStorable(tokenHash)
      const row = { tokenHash, identifier, data, expires: toTime(expires) }
      // MySQL's own message would have the hash in it.
      if (!(await insertFirst(db, dialect, { into: attemptsTable, keys: ['tokenHash'], row })))
        throw new Error('There is such a password that waits already.')
      housekeeping.tick()
    }),
    findAttempt: advised((tokenHash: string) => findAttempt(db, tokenHash)),
    takeAttempt: advised((tokenHash: string) => takeAttempt(db, dialect, tokenHash)),
  }
}

/** The value stays out of the message: an id may be an address. */
function assertStorable(id: string): void {
  if (!isStorableId(id)) throw new TypeError('An id cannot be stored exactly.')
}

/** The waiting passwords whose time is over now. */
function expiredNow() {
  return { table: attemptsTable, column: 'expires', now: Date.now() }
}

const attemptColumns = ['tokenHash', 'identifier', 'data', 'expires'] as const

async function findAttempt(db: Database, tokenHash: string): Promise<PasswordAttempt | null> {
  if (!isStorableId(tokenHash)) return null
  const query = db.selectFrom(attemptsTable).select(attemptColumns).where('tokenHash', '=', tokenHash)
  const row = await query.executeTakeFirst()
  return row ? toAttempt(row) : null
}

async function takeAttempt(db: Database, dialect: Dialect, tokenHash: string): Promise<PasswordAttempt | null> {
  if (!isStorableId(tokenHash)) return null
  const query = db.deleteFrom(attemptsTable).where('tokenHash', '=', tokenHash)
  if (dialect === 'mysql') {
    // Many may see the row; the database tells one of them that it was the one who removed it.
    const found = await findAttempt(db, tokenHash)
    return found && (await query.executeTakeFirstOrThrow()).numDeletedRows > 0n ? found : null
  }
  const row = await query.returning(attemptColumns).executeTakeFirst()
  return row ? toAttempt(row) : null
}

function toStored(row: Row): StoredPassword {
  return {
    userId: String(row.userId),
    hash: String(row.hash),
    version: Number(row.version),
    changedAt: fromTime(row.changedAt),
  }
}

function toAttempt(row: Row): PasswordAttempt {
  return {
    tokenHash: String(row.tokenHash),
    identifier: String(row.identifier),
    data: String(row.data),
    expires: fromTime(row.expires),
  }
}
