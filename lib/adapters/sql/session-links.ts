/**
 * The table of session links: by which session at a provider a session began. It is the same with every preset, since no other
 * library has it. A link is of no use without its session, and found no more; `prune` removes it then.
 */
import { sql } from 'kysely'
import type { AdapterSessionLink, SessionLinkQuery } from '../../types/adapter.js'
import type { Database } from './database.js'
import type { Layout } from './layout.js'
import { type Schema, tableExists } from './schema.js'

const linksTable = 'auth_session_links'

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

/** Removes the links whose sessions are gone, in small statements. Tables that were not migrated since have none. */
export async function pruneSessionLinks(db: Database, { dialect, tables }: Layout, limit: number): Promise<void> {
  if (!(await tableExists(db, dialect, linksTable))) return
  const session = db
    .selectFrom(`${tables.sessions} as session`)
    .select(sql`1`.as('one'))
    .whereRef('session.sessionToken', '=', `${linksTable}.sessionToken`)
  const chosen = db
    .selectFrom(linksTable)
    .select('sessionToken')
    .where(({ not, exists }) => not(exists(session)))
    .limit(limit)
  for (;;) {
    const orphans = (await chosen.execute()).map(({ sessionToken }) => String(sessionToken))
    if (orphans.length > 0) await db.deleteFrom(linksTable).where('sessionToken', 'in', orphans).execute()
    if (orphans.length < limit) return
  }
}
