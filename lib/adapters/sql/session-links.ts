/**
 * The table of session links: the provider session of each session. It is the same with every preset, because no other
 * library has it. A link without its session is no longer found, and `prune` removes it.
 */
import type { AdapterSessionLink, SessionLinkQuery } from '../../types/adapter.js'
import type { Database } from './database.js'
import { linksTable } from './layout.js'
import type { Schema } from './schema.js'

/** Returns the statements that create the table. */
export function sessionLinksStatements({ table, types, index }: Schema): readonly string[] {
  const links = table(linksTable)
    .addColumn('sessionToken', types.key, (column) => column.notNull().primaryKey())
    .addColumn('subject', types.key, (column) => column.notNull())
    .addColumn('providerSession', types.key)
    .compile().sql
  return [
    links,
    index('auth_session_links_subject', linksTable, ['subject']),
    index('auth_session_links_provider_session', linksTable, ['providerSession']),
  ]
}

/** Creates the methods of the adapter. */
export function createSqlSessionLinks(db: Database) {
  return {
    async linkSession({ sessionToken, subject, providerSession }: AdapterSessionLink): Promise<void> {
      await db.insertInto(linksTable).values({ sessionToken, subject, providerSession }).execute()
    },
    async listSessionLinks(by: SessionLinkQuery): Promise<AdapterSessionLink[]> {
      const [column, value] = 'subject' in by ? ['subject', by.subject] : ['providerSession', by.providerSession]
      const query = db.selectFrom(linksTable).select(['sessionToken', 'subject', 'providerSession'])
      return (await query.where(column, '=', value).execute()) as unknown as AdapterSessionLink[]
    },
  }
}
