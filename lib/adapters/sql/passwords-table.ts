/** The tables of passwords, and of those that wait. They are the same with every preset: no other library has them. */
import type { Schema } from './schema.js'

export const passwordsTable = 'auth_passwords'
export const attemptsTable = 'auth_password_attempts'

/**
 * The statements that make the tables. Times are milliseconds since 1970. They have no foreign key: users may be in the tables of any
 * adapter, or in none.
 */
export function passwords({ table, types, index }: Schema): readonly string[] {
  const made = table(passwordsTable)
    .addColumn('userId', types.key, (column) => column.notNull().primaryKey())
    .addColumn('hash', types.text, (column) => column.notNull())
    .addColumn('version', types.number, (column) => column.notNull())
    .addColumn('changedAt', types.number, (column) => column.notNull())
  const attempts = table(attemptsTable)
    .addColumn('tokenHash', types.key, (column) => column.notNull().primaryKey())
    .addColumn('identifier', types.text, (column) => column.notNull())
    .addColumn('data', types.text, (column) => column.notNull())
    .addColumn('expires', types.number, (column) => column.notNull())
  return [
    made.compile().sql,
    attempts.compile().sql,
    index('auth_password_attempts_expires', attemptsTable, ['expires']),
  ]
}
