/** The table of provider tokens. It is the same with every preset: no other library has it. */
import type { Database, Dialect } from './database.js'
import { type Schema, tableExists } from './schema.js'
import { isStorableId } from './values.js'

export const tokensTable = 'auth_provider_tokens'

/**
 * The statements that make the table. `expiresAt` is in seconds since 1970; `leaseUntil` and `updatedAt` are in milliseconds, by the
 * database's clock. It has no foreign key: users may be in the tables of any adapter, or in none.
 */
export function providerTokens({ table, types, index }: Schema): readonly string[] {
  const made = table(tokensTable)
    .addColumn('provider', types.key, (column) => column.notNull())
    .addColumn('providerAccountId', types.key, (column) => column.notNull())
    .addColumn('userId', types.key, (column) => column.notNull())
    .addColumn('sealed', types.longText, (column) => column.notNull())
    .addColumn('version', types.number, (column) => column.notNull())
    .addColumn('expiresAt', types.number)
    .addColumn('scope', types.text)
    .addColumn('leaseId', types.name)
    .addColumn('leaseUntil', types.number, (column) => column.notNull())
    .addColumn('needsConsent', types.boolean, (column) => column.notNull())
    .addColumn('updatedAt', types.number, (column) => column.notNull())
    .addPrimaryKeyConstraint('auth_provider_tokens_pk', ['provider', 'providerAccountId'])
  return [made.compile().sql, index('auth_provider_tokens_user', tokensTable, ['userId', 'provider'])]
}

/** Removes what a user has there. Tables that were not migrated since have no such table. */
export async function removeTokensOf(db: Database, dialect: Dialect, userId: string): Promise<void> {
  // Looked for first: on PostgreSQL a statement that fails would end the transaction of the caller.
  if (!isStorableId(userId) || !(await tableExists(db, dialect, tokensTable))) return
  await db.deleteFrom(tokensTable).where('userId', '=', userId).execute()
}
