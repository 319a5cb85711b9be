/** The table of provider tokens. It is the same with every preset: no other library has it. */
import type { Schema } from './schema.js'

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
