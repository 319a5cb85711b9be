/**
 * The table of session links: by which session at a provider a session began. It is the same with every preset, since no other
 * library has it. A link is of no use without its session, and found no more; `prune` removes it then.
 */
import type { AdapterSessionLink, SessionLinkQuery } from '../../types/adapter.js'
import type { Database } from './database.js'
import { linksTable } from './layout.js'
import type { Schema } from './schema.js'

/** The statements that make the table. */
export function sessionLinks({ table, types, index }: Schema): readonly string[] {
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

/** The methods of the adapter. */
export function createSessionLinks(db: Database) {
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
