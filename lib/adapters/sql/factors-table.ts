/** The table of second factors. It is the same with every preset: no other library has it. */
import type { Schema } from './schema.js'

export const factorsTable = 'auth_factors'

/**
 * The statements that make the table. Times are milliseconds since 1970. It has no foreign key: users may be in the tables of any
 * adapter, or in none.
 */
export function factors({ table, types, index }: Schema): readonly string[] {
  const made = table(factorsTable)
    .addColumn('userId', types.key, (column) => column.notNull())
    .addColumn('id', types.key, (column) => column.notNull())
    .addColumn('type', types.text, (column) => column.notNull())
    .addColumn('name', types.text)
    .addColumn('data', types.longText, (column) => column.notNull())
    .addColumn('version', types.number, (column) => column.notNull())
    .addColumn('createdAt', types.number, (column) => column.notNull())
    .addColumn('usedAt', types.number)
    .addColumn('expiresAt', types.number)
    .addPrimaryKeyConstraint('auth_factors_pk', ['userId', 'id'])
  return [made.compile().sql, index('auth_factors_expires', factorsTable, ['expiresAt'])]
}
