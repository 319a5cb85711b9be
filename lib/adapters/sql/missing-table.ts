/** Explains queries before `migrate`, a common mistake. */
import { catchMaybePromise } from '../../base/maybe-promise.js'
import type { Layout } from './layout.js'
import type { Method } from './transaction.js'

/**
 * Wraps a method so that its error about a missing table also says how to create it.
 *
 * @param ownColumns Whether to do the same for a missing column. Default: if the application declares columns.
 */
export function withAdvice<Args extends readonly unknown[], T>(
  method: Method<Args, T>,
  {
    preset,
    userFields = {},
    ownColumns = Object.keys(userFields).length > 0,
  }: Pick<Layout, 'preset'> & Partial<Pick<Layout, 'userFields'>> & { readonly ownColumns?: boolean },
): Method<Args, T> {
  const advice =
    preset === 'default'
      ? `Create the tables first: ${migrateCalls(userFields)}. Tables of another library need the option \`preset\`.`
      : `The preset "${preset}" uses the tables of the adapter of that name, and does not create them.`
  const explain = async (error: unknown): Promise<never> => {
    if (!isMissingTable(error) && !(ownColumns && isMissingColumn(error))) throw error
    throw Object.assign(new Error(`${error.message}. ${advice}`, { cause: error }), { code: error.code })
  }
  return (...args) => catchMaybePromise(() => method(...args), explain)
}

/** Returns the calls that create all tables and columns. `migrate(db)` does not know the application's own columns. */
function migrateCalls(userFields: Layout['userFields']): string {
  return Object.keys(userFields).length > 0
    ? '`await adapter.migrate()`, or `npx server-auth migrate --config <file>`'
    : '`await migrate(db)`, or `npx server-auth migrate`'
}

/** Checks for a missing column, in a table of an earlier version. */
function isMissingColumn(error: unknown): error is Error & { code: string } {
  if (!(error instanceof Error) || !('code' in error)) return false
  return (
    error.code === '42703' ||
    error.code === 'ER_BAD_FIELD_ERROR' ||
    (error.code === 'SQLITE_ERROR' && /no such column|has no column named/.test(error.message))
  )
}

/** Checks for a missing table. PostgreSQL and MySQL have an error code for it. */
function isMissingTable(error: unknown): error is Error & { code: string } {
  if (!(error instanceof Error) || !('code' in error)) return false
  return (
    error.code === '42P01' ||
    error.code === 'ER_NO_SUCH_TABLE' ||
    (error.code === 'SQLITE_ERROR' && error.message.includes('no such table'))
  )
}
