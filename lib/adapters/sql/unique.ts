/** Storing what must be unique, also where the tables of another library do not see to it. */
import { sql } from 'kysely'
import type { Database, Row } from './database.js'
import type { Layout, TableName } from './layout.js'
import { createStore } from './store.js'
import { runTransaction } from './transaction.js'

type Checked = 'accounts' | 'sessions' | 'users'

/**
 * Stores a row and returns it. Without a unique constraint of the table it looks first: on PostgreSQL nobody else stores
 * the same meanwhile; on the others that is certain only after `migrate` with the preset, which adds the constraint.
 *
 * @throws {Error} When there is such a row.
 */
export async function insertUnique(db: Database, layout: Layout, table: Checked, record: Row): Promise<Row> {
  const unique = uniqueOf(table, record)
  if (!layout.unchecked.has(table) || !unique) return insert(db, layout, table, record)
  return runTransaction(db, layout.dialect, async (transaction) => {
    if (layout.dialect === 'postgres') await lock(transaction, [table, ...Object.values(unique)])
    const there = await createStore(transaction, layout).find(table, unique)
    if (there) throw new Error(`There is such a row in ${layout.tables[table]} already.`)
    return insert(transaction, layout, table, record)
  })
}

/** Only a user gets values that the record does not have: an id, and defaults of the owner's columns. */
async function insert(db: Database, layout: Layout, table: TableName, record: Row): Promise<Row> {
  const store = createStore(db, layout)
  if (table === 'users') return store.insert(table, record)
  await store.add(table, record)
  return record
}

function uniqueOf(table: Checked, { email, provider, providerAccountId, sessionToken }: Row): Row | undefined {
  if (table === 'accounts') return { provider, providerAccountId }
  if (table === 'sessions') return { sessionToken }
  return email ? { email } : undefined
}

/** Until the end of the transaction. */
async function lock(transaction: Database, names: readonly unknown[]): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${JSON.stringify(names)}, 0))`.execute(transaction)
}
