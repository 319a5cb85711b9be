/** Stores unique records, also in tables of other libraries without a unique constraint. */
import { sql } from 'kysely'
import type { Database, Row } from './database.js'
import type { Layout } from './layout.js'
import { createTableStore, type TableStore } from './store.js'
import { runTransaction } from './transaction.js'

type Checked = 'accounts' | 'sessions' | 'users'

/**
 * Runs `write`, which stores the record.
 *
 * If the table has no unique constraint, it looks first. On PostgreSQL no other process can store the same meanwhile.
 * On other databases that is certain only after `migrate` with the preset, which adds the constraint.
 *
 * @throws {Error} When such a row exists.
 */
export async function storeUnique<T>(
  { db, layout, table, record }: { db: Database; layout: Layout; table: Checked; record: Row },
  write: (store: TableStore) => Promise<T>,
): Promise<T> {
  const unique = uniqueOf(table, record)
  if (!layout.tablesWithoutUnique.has(table) || !unique) return write(createTableStore(db, layout))
  return runTransaction(db, layout.dialect, async (transaction) => {
    if (layout.dialect === 'postgres') await lockNames(transaction, [table, ...Object.values(unique)])
    const store = createTableStore(transaction, layout)
    if (await store.find(table, unique))
      throw new Error(`A row with this key already exists in ${layout.tables[table]}.`)
    return write(store)
  })
}

function uniqueOf(table: Checked, { email, provider, providerAccountId, sessionToken }: Row): Row | undefined {
  if (table === 'accounts') return { provider, providerAccountId }
  if (table === 'sessions') return { sessionToken }
  return email ? { email } : undefined
}

/** Locks these names until the end of the transaction. */
async function lockNames(transaction: Database, names: readonly unknown[]): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${JSON.stringify(names)}, 0))`.execute(transaction)
}
