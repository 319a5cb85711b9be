/**
 * Second factors in a table, `auth_factors`. Each change is one statement, which asks for the version it was made for: so of processes
 * at once one writes.
 */
import { type Kysely, sql } from 'kysely'
import type { FactorStore, StoredFactor } from '../../types/factors.js'
import { type Database, type Dialect, detectDialect, type Row, toDatabase } from './database.js'
import { factorsTable as table } from './factors-table.js'
import { readDialect } from './layout.js'
import { withAdvice } from './missing-table.js'
import { fromTime, insertFirst, toTime } from './own-rows.js'
import { createHousekeeping, removeExpired } from './prune.js'
import { isStorableId } from './values.js'

/** Options of {@link sqlFactors}. */
export interface SqlFactorsOptions {
  /** The dialect, where it cannot be told from the Kysely instance. */
  dialect?: Dialect
}

/** Rows that one statement removes at the most. */
const pruneLimit = 1000

/**
 * Keeps second factors in a database, for all processes. {@link migrate} makes its table. Make it once, as the Kysely instance. The
 * database need not be that of the adapter.
 *
 * `deleteUser` of {@link sqlAdapter} removes the rows of a user in its own database. Rows whose time is over are removed once an hour.
 *
 * @throws {TypeError} When an option is wrong.
 * @example
 * ```ts
 * const factors = sqlFactors(db)
 * ```
 */
export function sqlFactors<Tables>(db: Kysely<Tables>, options: SqlFactorsOptions = {}): FactorStore {
  const database = toDatabase(db)
  return createFactors(database, readDialect(options.dialect) ?? detectDialect(database))
}

/**
 * The same where the dialect is known, or in a transaction.
 *
 * @param pruneEvery Seconds after which rows whose time is over are removed again; 0: never.
 */
export function createFactors(db: Database, dialect: Dialect, pruneEvery = 3600): FactorStore {
  const advised = <Args extends readonly unknown[], T>(method: (...args: Args) => Promise<T>) =>
    withAdvice(method, { preset: 'default', ownColumns: true })
  const housekeeping = createHousekeeping(pruneEvery, () => removeExpired(db, dialect, expiredNow(), pruneLimit))
  return {
    list: advised(async (userId: string) => {
      if (!isStorableId(userId)) return []
      const query = db.selectFrom(table).select(columns).where('userId', '=', userId)
      return (await query.orderBy('createdAt').orderBy('id').execute()).map(toStored)
    }),
    write: advised(async (factor: Omit<StoredFactor, 'version'>, previous: number) => {
      const { userId, id } = factor
      // The values stay out of the message: an id may be an address.
      if (!isStorableId(userId) || !isStorableId(id)) throw new TypeError('An id cannot be stored exactly.')
      const row = { ...valuesOf(factor), version: previous + 1 }
      const isWritten =
        previous === 0
          ? await insertFirst(db, dialect, { into: table, keys: ['userId', 'id'], row: { userId, id, ...row } })
          : await update(db, factor, previous, row)
      housekeeping.tick()
      return isWritten
    }),
    remove: advised(async (userId: string, id?: string) => {
      if (!isStorableId(userId) || (id !== undefined && !isStorableId(id))) return 0
      const all = db.deleteFrom(table).where('userId', '=', userId)
      const chosen = id === undefined ? all : all.where('id', '=', id)
      return Number((await chosen.executeTakeFirstOrThrow()).numDeletedRows)
    }),
  }
}

const columns = ['userId', 'id', 'type', 'name', 'data', 'version', 'createdAt', 'usedAt', 'expiresAt'] as const

/** The rows whose time is over now. */
function expiredNow() {
  return { table, column: 'expiresAt', now: Date.now() }
}

async function update(
  db: Database,
  { userId, id }: Pick<StoredFactor, 'id' | 'userId'>,
  previous: number,
  row: Row,
): Promise<boolean> {
  const isOf = sql<boolean>`${sql.ref('userId')} = ${userId} and ${sql.ref('id')} = ${id}`
  const query = db.updateTable(table).set(row).where(isOf).where('version', '=', previous)
  return (await query.executeTakeFirstOrThrow()).numUpdatedRows > 0n
}

function valuesOf({ type, name, data, createdAt, usedAt, expiresAt }: Omit<StoredFactor, 'version'>) {
  return {
    type,
    name,
    data,
    createdAt: toTime(createdAt),
    usedAt: usedAt && toTime(usedAt),
    expiresAt: expiresAt && toTime(expiresAt),
  }
}

function toStored(row: Row): StoredFactor {
  return {
    userId: String(row.userId),
    id: String(row.id),
    type: String(row.type),
    name: row.name === null ? null : String(row.name),
    data: String(row.data),
    version: Number(row.version),
    createdAt: fromTime(row.createdAt),
    usedAt: row.usedAt === null ? null : fromTime(row.usedAt),
    expiresAt: row.expiresAt === null ? null : fromTime(row.expiresAt),
  }
}
