/** Users, accounts and sessions in a database: SQLite, PostgreSQL, MySQL or MariaDB. */
import { connect, migrate, type SqlAdapter, sqlAdapter } from 'server-auth/adapters/sql'

export interface OpenDatabase {
  readonly adapter: SqlAdapter
  close(): Promise<void>
}

/** Opens the database, and makes the tables or brings them up to date. */
export async function openDatabase(url: string): Promise<OpenDatabase> {
  const db = connect(url)
  try {
    await migrate(db)
  } catch (error) {
    await db.destroy()
    throw error
  }
  return { adapter: sqlAdapter(db), close: () => db.destroy() }
}
