/** The table of the audit log, `auth_audit`. It is the same with every preset, because no other library has it. */
import { sql } from 'kysely'
import type { Database, Dialect, Row } from './database.js'
import { withAdvice } from './missing-table.js'
import type { Schema } from './schema.js'

export const auditTable = 'auth_audit'

/**
 * Returns the statements that create the table. `at` is in milliseconds since 1970, by the clock of the process. There
 * is no foreign key, so that entries outlive their user.
 */
export function auditStatements({ table, types, index }: Schema): readonly string[] {
  const made = table(auditTable)
    .addColumn('id', types.name, (column) => column.notNull().primaryKey())
    .addColumn('at', types.number, (column) => column.notNull())
    .addColumn('type', types.name, (column) => column.notNull())
    .addColumn('userId', types.key)
    .addColumn('actor', types.key)
    .addColumn('provider', types.key)
    .addColumn('network', types.name)
    .addColumn('detail', types.text, (column) => column.notNull())
  return [
    made.compile().sql,
    index('auth_audit_at', auditTable, ['at']),
    index('auth_audit_user', auditTable, ['userId', 'at']),
  ]
}

/** A stored row. */
export interface AuditRow {
  readonly id: string
  /** Milliseconds since 1970. */
  readonly at: number
  readonly type: string
  readonly userId: string | null
  readonly actor: string | null
  readonly provider: string | null
  readonly network: string | null
  /** JSON text. */
  readonly detail: string
}

/** The filter for reads, newest first. Every value that is set must match. */
export interface AuditFilter {
  readonly type?: string | undefined
  readonly userId?: string | undefined
  readonly actor?: string | undefined
  /** Milliseconds since 1970: inclusive start, exclusive end. */
  readonly since?: number | undefined
  readonly until?: number | undefined
  /** Only rows older than the one with this id. */
  readonly before?: string | undefined
  readonly limit: number
}

/** Appends rows. An existing row is not changed: a statement without a response is sent again. */
export async function appendRows(db: Database, dialect: Dialect, rows: readonly AuditRow[]): Promise<void> {
  const insert = db.insertInto(auditTable).values(rows.map((row) => ({ ...row })))
  // Not `insert ignore`, which would truncate long values and store them.
  const query =
    dialect === 'mysql'
      ? insert.onDuplicateKeyUpdate({ id: sql.ref('id') })
      : insert.onConflict((conflict) => conflict.column('id').doNothing())
  await advised(() => query.execute())()
}

/** Reads rows, newest first. */
export async function readRows(db: Database, filter: AuditFilter): Promise<AuditRow[]> {
  const { since, until, before, limit } = filter
  let query = db.selectFrom(auditTable).selectAll()
  for (const name of ['type', 'userId', 'actor'] as const) {
    const value = filter[name]
    if (value !== undefined) query = query.where(name, '=', value)
  }
  if (since !== undefined) query = query.where('at', '>=', since)
  if (until !== undefined) query = query.where('at', '<', until)
  if (before !== undefined) query = query.where('id', '<', before)
  const ordered = query.orderBy('id', 'desc').limit(limit)
  return (await advised(() => ordered.execute())()).map(toRow)
}

/**
 * Removes what identifies a deleted user: the networks of their requests, or with `isRemoved` all rows about them. Rows
 * about other users, which this user caused, are kept.
 */
export async function anonymizeRows(
  db: Database,
  { userId, isRemoved }: { readonly userId: string; readonly isRemoved: boolean },
): Promise<void> {
  const actor = isRemoved ? { actor: null } : {}
  await advised(async () => {
    if (isRemoved) await db.deleteFrom(auditTable).where('userId', '=', userId).execute()
    await db.updateTable(auditTable).set({ network: null }).where('userId', '=', userId).execute()
    await db
      .updateTable(auditTable)
      .set({ network: null, ...actor })
      .where('actor', '=', userId)
      .execute()
  })()
}

/** Removes rows older than a time in small statements, so that locks are held briefly. Returns the number of rows. */
export async function removeRows(db: Database, before: number): Promise<number> {
  const chosen = db.selectFrom(auditTable).select('id').where('at', '<', before).limit(1000)
  for (let removed = 0; ; ) {
    const ids = (await advised(() => chosen.execute())()).map(({ id }) => String(id))
    if (ids.length > 0) await db.deleteFrom(auditTable).where('id', 'in', ids).execute()
    removed += ids.length
    if (ids.length < 1000) return removed
  }
}

const advised = <T>(method: () => Promise<T>) => withAdvice(method, { preset: 'default' })

function toRow(row: Row): AuditRow {
  const text = (value: unknown) => (value === null ? null : String(value))
  return {
    id: String(row.id),
    at: Number(row.at),
    type: String(row.type),
    userId: text(row.userId),
    actor: text(row.actor),
    provider: text(row.provider),
    network: text(row.network),
    detail: String(row.detail),
  }
}
