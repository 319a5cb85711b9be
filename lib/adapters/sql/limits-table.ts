/** The table of counted attempts. It is the same with every preset: no other library has it. */
import type { Schema } from './schema.js'

export const limitsTable = 'auth_limits'

/**
 * The statements that make the table. Times are milliseconds since 1970, by the database's clock. `times`: when attempts were counted,
 * newest first, 13 digits each. `next`: when the next one is let through, where they make it wait. `until`: the row is of use so long.
 * `wait`: how long the latest attempt was told to wait, 0 where it was counted.
 */
export function limits({ table, types, index }: Schema): readonly string[] {
  const made = table(limitsTable)
    .addColumn('key', types.name, (column) => column.notNull().primaryKey())
    .addColumn('times', types.times, (column) => column.notNull())
    .addColumn('next', types.number, (column) => column.notNull())
    .addColumn('until', types.number, (column) => column.notNull())
    .addColumn('wait', types.number, (column) => column.notNull())
  return [made.compile().sql, index('auth_limits_until', limitsTable, ['until'])]
}
