/** Our adapters with which account linking is tested, each on a database of its own. */
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import { migrate, sqlAdapter } from '../../lib/adapters/sql/index.js'
import type { Adapter } from '../../lib/types/adapter.js'
import { type DatabaseKind, databaseKinds, requireDatabase } from '../support/databases.js'

export const adapterKinds = ['memory', ...databaseKinds] as const

export interface OpenAdapter {
  readonly adapter: Adapter
  close(): Promise<void>
}

/** Opens an adapter for a `before` hook or a test. Skips it if the server is not there. */
export async function openAdapter(context: Mocha.Context, kind: 'memory' | DatabaseKind): Promise<OpenAdapter> {
  if (kind === 'memory') return { adapter: memoryAdapter(), close: async () => {} }
  const database = await requireDatabase(context, kind)
  await migrate(database.db)
  return { adapter: sqlAdapter(database.db, { pruneEvery: 0 }), close: database.close }
}
