/** The table of counted attempts. It is the same with every preset, because no other library has it. */
import type { Schema } from './schema.js'

export const limitsTable = 'auth_limits'

/**
 * Returns the statements that create the table. Times are milliseconds since 1970, by the database's clock.
 *
 * `times`: the times of counted attempts, newest first, 13 digits each. `next`: when the next attempt is allowed, if it
 * has to wait. `until`: when the row expires. `wait`: the wait of the latest attempt, 0 if it was counted.
 */
export function limitsStatements({ table, types, index }: Schema): readonly string[] {
  const made = table(limitsTable)
    .addColumn('key', types.name, (column) => column.notNull().primaryKey())
    .addColumn('times', types.times, (column) => column.notNull())
    .addColumn('next', types.number, (column) => column.notNull())
    .addColumn('until', types.number, (column) => column.notNull())
    .addColumn('wait', types.number, (column) => column.notNull())
  return [made.compile().sql, index('auth_limits_until', limitsTable, ['until'])]
}
