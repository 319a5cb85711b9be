/** Storing what must be unique, also where the tables of another library have no unique constraint. */
import { sql } from 'kysely'
import type { Database, Row } from './database.js'
import type { Layout } from './layout.js'
import { createStore, type Store } from './store.js'
import { runTransaction } from './transaction.js'

type Checked = 'accounts' | 'sessions' | 'users'

/**
 * Runs `write`, which stores the record. Without a unique constraint of the table it looks first: on PostgreSQL nobody else
 * stores the same meanwhile; on the others that is certain only after `migrate` with the preset, which adds the constraint.
 *
 * @throws {Error} When there is such a row.
 */
export async function storeUnique<T>(
  { db, layout, table, record }: { db: Database; layout: Layout; table: Checked; record: Row },
  write: (store: Store) => Promise<T>,
): Promise<T> {
  const unique = uniqueOf(table, record)
  if (!layout.unchecked.has(table) || !unique) return write(createStore(db, layout))
  return runTransaction(db, layout.dialect, async (transaction) => {
    if (layout.dialect === 'postgres') await lock(transaction, [table, ...Object.values(unique)])
    const store = createStore(transaction, layout)
    if (await store.find(table, unique)) throw new Error(`There is such a row in ${layout.tables[table]} already.`)
    return write(store)
  })
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
