/**
 * Records in tables that follow their descriptions. Each change is one statement with the expected version, so only one
 * of several concurrent processes writes. Leases end by the database's clock.
 */
import { type CreateTableBuilder, type RawBuilder, sql } from 'kysely'
import { recordTables, tablesOfUsers } from '../../store/tables.js'
import type {
  RecordChange,
  RecordKey,
  RecordPageQuery,
  RecordStore,
  RecordTable,
  StoredRecord,
} from '../../types/store.js'
import { clocks } from './clock.js'
import type { Database, Dialect, Row } from './database.js'
import { createHousekeeping, type Expiring, removeExpired } from './housekeeping.js'
import { withAdvice } from './missing-table.js'
import { decodeRecord, encodeRecord } from './record-values.js'
import { type Schema, tableExists } from './schema.js'
import { batchOf, isUndone, type Method, runTransaction } from './transaction.js'
import { isStorableId } from './values.js'

/** The options of records. */
export interface SqlRecordsOptions {
  /** Seconds after which expired records are removed again; 0: never. Default 3600. */
  readonly pruneEvery?: number | undefined
  /** The table of users in the same database, whose column `id` is text that is compared exactly. Absent: not known. */
  readonly users?: string | undefined
}

/** Creates the store of a database or of a transaction. */
export function createSqlRecords(
  db: Database,
  dialect: Dialect,
  { pruneEvery = 3600, users }: SqlRecordsOptions = {},
): RecordStore {
  const housekeeping = createHousekeeping(pruneEvery, () => pruneRecords(db, dialect, 1000))
  const now = clocks[dialect]
  const select = (table: RecordTable, where: RecordKey) =>
    db.selectFrom(table.name).select(recordColumns(table)).where(keyEquals(where))
  return {
    find: withMigrationAdvice(async (table: RecordTable, key: RecordKey) => {
      const row = areStorable(key) && (await select(table, key).executeTakeFirst())
      return row ? decodeRecord(table, row) : null
    }),
    ...(users !== undefined && {
      findOfUser: withMigrationAdvice(async (table: RecordTable, key: RecordKey) => {
        const isStored = sql<boolean>`exists (select 1 from ${sql.table(users)} where ${sql.ref(`${users}.id`)} = ${sql.ref(`${table.name}.userId`)})`
        const row = areStorable(key) && (await select(table, key).where(isStored).executeTakeFirst())
        return row ? decodeRecord(table, row) : null
      }),
    }),
    list: withMigrationAdvice(async (table: RecordTable, by: string) => {
      const rows = isStorableId(by) ? await select(table, { [String(table.by)]: by }).execute() : []
      return rows.map((row) => decodeRecord(table, row))
    }),
    write: withMigrationAdvice(async (table: RecordTable, record: StoredRecord, previous: number) => {
      const row = { ...encodeRecord(table, dialect, record), ...(table.lease && { updatedAt: now }) }
      const isWritten =
        previous === 0
          ? await insertRecord(db, dialect, { table, row })
          : await updateRecord(db, { table, row, previous })
      if (table.expires) housekeeping.tick()
      return isWritten
    }),
    take: withMigrationAdvice(async (table: RecordTable, key: RecordKey) => {
      if (!areStorable(key)) return null
      const query = db.deleteFrom(table.name).where(keyEquals(key))
      if (dialect === 'mysql') {
        // Several calls may read the row; the count shows which one removed it.
        const row = await select(table, key).executeTakeFirst()
        return row && (await query.executeTakeFirstOrThrow()).numDeletedRows > 0n ? decodeRecord(table, row) : null
      }
      const row = await query.returning(recordColumns(table)).executeTakeFirst()
      return row ? decodeRecord(table, row) : null
    }),
    remove: withMigrationAdvice(async (table: RecordTable, where: RecordKey) => {
      if (!areStorable(where)) return 0
      return Number((await db.deleteFrom(table.name).where(keyEquals(where)).executeTakeFirstOrThrow()).numDeletedRows)
    }),
    ...leaseMethods(db, dialect),
    ...groupMethods(db, dialect),
  }
}

/** Returns the methods for leases, which end by the database's clock. */
function leaseMethods(db: Database, dialect: Dialect): Pick<RecordStore, 'lease' | 'release'> {
  const now = clocks[dialect]
  return {
    lease: withMigrationAdvice(async (table: RecordTable, key: RecordKey, { version, leaseId, seconds }) => {
      if (!areStorable(key)) return false
      const until = sql`${now} + ${sql.lit(Math.ceil(seconds * 1000))}`
      const query = db.updateTable(table.name).set({ leaseId, leaseUntil: until }).where(keyEquals(key))
      // The holder may extend its lease.
      const isFree = sql<boolean>`(${sql.ref('leaseUntil')} <= ${now} or ${sql.ref('leaseId')} = ${leaseId})`
      return isChanged(query.where('version', '=', version).where(isFree))
    }),
    release: withMigrationAdvice(async (table: RecordTable, key: RecordKey, leaseId: string) => {
      if (!areStorable(key)) return
      await db.updateTable(table.name).set(noLease).where(keyEquals(key)).where('leaseId', '=', leaseId).execute()
    }),
  }
}

/** Returns the methods for records of several tables, and for pages. */
function groupMethods(db: Database, dialect: Dialect): Pick<RecordStore, 'writeAll' | 'page'> {
  return {
    // Without transactions, a part of the changes could take effect.
    ...(!batchOf(db) && { writeAll: withMigrationAdvice((changes) => changeAll(db, dialect, changes)) }),
    page: withMigrationAdvice((table, first, query) => selectPage(db, table, first, query)),
  }
}

async function selectPage(db: Database, table: RecordTable, first: string, { after, limit }: RecordPageQuery) {
  const [column = '', next = ''] = table.key
  if (!isStorableId(first) || (after !== undefined && !isStorableId(after))) return []
  const all = db
    .selectFrom(table.name)
    .select(recordColumns(table))
    .where(keyEquals({ [column]: first }))
  const rest = after === undefined ? all : all.where(sql.ref(next), '>', after)
  const rows = await rest.orderBy(sql.ref(next)).limit(limit).execute()
  return rows.map((row) => decodeRecord(table, row))
}

/** Makes all changes in one transaction, or none. */
async function changeAll(db: Database, dialect: Dialect, changes: readonly RecordChange[]): Promise<boolean> {
  const conflict = new Error('A record has another version.')
  try {
    return await runTransaction(db, dialect, async (tx) => {
      for (const change of changes) if (!(await applyChange(tx, dialect, change))) throw conflict
      return true
    })
  } catch (error) {
    if (error === conflict || isUndone(error)) return false
    throw error
  }
}

async function applyChange(db: Database, dialect: Dialect, change: RecordChange): Promise<boolean> {
  const { table } = change
  if ('remove' in change) {
    if (areStorable(change.remove)) await db.deleteFrom(table.name).where(keyEquals(change.remove)).execute()
    return true
  }
  const row = encodeRecord(table, dialect, change.record)
  if (change.previous === 0) return insertRecord(db, dialect, { table, row })
  return updateRecord(db, { table, row, previous: change.previous })
}

function withMigrationAdvice<Args extends readonly unknown[], T>(method: Method<Args, T>): Method<Args, T> {
  return withAdvice(method, { preset: 'default', ownColumns: true })
}

const noLease = { leaseId: null, leaseUntil: 0 }

/** A write to a table. */
interface Write {
  readonly table: RecordTable
  readonly row: Row
}

/** Inserts a row and returns whether there was none. An existing row is not changed, and the transaction continues. */
async function insertRecord(db: Database, dialect: Dialect, { table, row }: Write): Promise<boolean> {
  const query = db
    .insertInto(table.name)
    .values({ ...row, ...(table.version && { version: 1 }), ...(table.lease && noLease) })
  if (dialect === 'mysql') {
    // Not `insertRecord ignore`, which would truncate long values and store them.
    return query.execute().then(() => true, falseIfDuplicate)
  }
  const ignoring = query.onConflict((conflict) => conflict.columns([...table.key]).doNothing())
  return ((await ignoring.executeTakeFirstOrThrow()).numInsertedOrUpdatedRows ?? 0n) > 0n
}

function falseIfDuplicate(error: unknown): false {
  if (error instanceof Error && 'code' in error && error.code === 'ER_DUP_ENTRY') return false
  throw error
}

function updateRecord(db: Database, { table, row, previous }: Write & { readonly previous: number }): Promise<boolean> {
  const query = db.updateTable(table.name).set({ ...row, version: previous + 1 })
  return isChanged(query.where(keyEquals(keyColumnsOf(table, row))).where('version', '=', previous))
}

async function isChanged(query: { executeTakeFirstOrThrow(): Promise<{ numUpdatedRows: bigint }> }): Promise<boolean> {
  return (await query.executeTakeFirstOrThrow()).numUpdatedRows > 0n
}

/* ---- keys and values ---------------------------------------------------------------------------------------- */

function keyColumnsOf({ key }: RecordTable, row: Row): RecordKey {
  return Object.fromEntries(key.map((column) => [column, String(row[column])]))
}

/** Checks whether the columns of a key can store the values exactly. If not, no row has them. */
function areStorable(key: RecordKey): boolean {
  return Object.values(key).every(isStorableId)
}

function keyEquals(key: RecordKey): RawBuilder<boolean> {
  const parts = Object.entries(key).map(([column, value]) => sql`${sql.ref(column)} = ${value}`)
  return sql`${sql.join(parts, sql` and `)}`
}

function recordColumns({ columns, version }: RecordTable): string[] {
  return [...Object.keys(columns), ...(version ? ['version'] : [])]
}

/* ---- tables ------------------------------------------------------------------------------------------------- */

/**
 * Returns the statements that create a table and its indexes. Times are milliseconds since the epoch; `leaseUntil` and
 * `updatedAt` are by the database's clock. There is no foreign key, because users may be in the tables of any adapter,
 * or in none.
 */
export function recordTableStatements(table: RecordTable): (schema: Schema) => readonly string[] {
  const { name, key, by, expires } = table
  return ({ types, index, ...schema }) => {
    const typeOf = {
      id: types.key,
      text: types.text,
      longText: types.longText,
      number: types.number,
      boolean: types.boolean,
      time: types.number,
    }
    const columns = Object.entries(table.columns).map(([column, type]) => {
      const base = type.replace('?', '') as keyof typeof typeOf
      return [column, typeOf[base], base === type] as const
    })
    const version = table.version ? [['version', types.number, true] as const] : []
    const lease = table.lease
      ? ([
          ['leaseId', types.name, false],
          ['leaseUntil', types.number, true],
          ['updatedAt', types.number, true],
        ] as const)
      : []
    const made = [...columns, ...version, ...lease].reduce<CreateTableBuilder<string, string>>(
      (built, [column, type, isNeeded]) => built.addColumn(column, type, (each) => (isNeeded ? each.notNull() : each)),
      schema.table(name),
    )
    return [
      made.addPrimaryKeyConstraint(`${name}_pk`, [...key]).compile().sql,
      ...(by !== undefined && by !== key[0] ? [index(`${name}_user`, name, [by, ...key.slice(0, 1)])] : []),
      ...(expires === undefined ? [] : [index(`${name}_expires`, name, [expires])]),
    ]
  }
}

/** Returns the tables that exist: a database that was not migrated may lack some. */
async function presentTables(db: Database, dialect: Dialect, tables: readonly RecordTable[]): Promise<RecordTable[]> {
  const found: RecordTable[] = []
  // Checked first, because a failed statement would end the caller's transaction on PostgreSQL.
  for (const table of tables) if (await tableExists(db, dialect, table.name)) found.push(table)
  return found
}

/** Removes the records of a user. */
export async function removeSqlRecordsOf(db: Database, dialect: Dialect, userId: string): Promise<void> {
  if (!isStorableId(userId)) return
  for (const { name } of await presentTables(db, dialect, tablesOfUsers())) {
    await db.deleteFrom(name).where('userId', '=', userId).execute()
  }
}

/**
 * Removes expired records in small statements.
 *
 * @param limit The maximum number of rows that one statement removes.
 */
export async function pruneRecords(db: Database, dialect: Dialect, limit: number): Promise<void> {
  const expiring: Expiring[] = []
  for (const { name, expires } of await presentTables(db, dialect, recordTables)) {
    if (expires !== undefined) expiring.push({ table: name, column: expires, now: Date.now() })
  }
  for (const each of expiring) await removeExpired(db, dialect, each, limit)
}
