/** `server-auth/audit`: who did what and when, in a table that only grows. Needs Kysely, as `server-auth/adapters/sql` does. */
import type { Kysely } from 'kysely'
import { type AuditFilter, appendRows, readRows, removeRows } from '../adapters/sql/audit-table.js'
import { type Dialect, detectDialect, toDatabase } from '../adapters/sql/database.js'
import { createHousekeeping } from '../adapters/sql/housekeeping.js'
import { readDialect } from '../adapters/sql/layout.js'
import type { EventCallbacks } from '../types/config.js'
import { type AuditedEvent, type AuditFacts, createRows, factsOf } from './rows.js'
import { AuditWriter } from './writer.js'

/** Options of {@link auditLog}. */
export interface AuditLogOptions {
  /** Days after which rows are removed: about once an hour, by whichever process writes. Default: never. */
  retention?: number
  /**
   * Seconds for which what happens waits for its row, so that it is there before the answer is. After that it goes on, and the row is
   * tried again. Default 1; 0 waits for nothing.
   */
  wait?: number
  /** So many rows are kept in memory while the database is away. Default 10000. */
  limit?: number
  /** The dialect, where it cannot be told from the Kysely instance. */
  dialect?: Dialect
}

/** What {@link auditLog} returns. */
export interface AuditLog {
  /** For the option `events`. Functions of your own call the one of the same name: `signIn: (message) => audit.events.signIn(message)`. */
  readonly events: Pick<EventCallbacks, AuditedEvent>
  /**
   * Writes what waits in memory. Call it when the process ends, before the database is closed.
   *
   * @param seconds For so long it tries. Default 5.
   * @throws {Error} When something could not be written: it is lost with the process.
   */
  flush(seconds?: number): Promise<void>
  /** Removes what is older than `retention` at once, and resolves to how many rows that were. Rejects when the database fails. */
  prune(): Promise<number>
}

/** What happened, as it is read. */
export interface AuditEntry {
  /** Unique. In the order of time. */
  readonly id: string
  /** When it happened, by the clock of the process that was there. */
  readonly at: Date
  /** The name of the event, such as `signIn`; `gap`: so many rows (`detail.dropped`) were lost before this one. */
  readonly type: string
  /** Whom it happened to. `null` where nobody knows, as of a failed sign-in. */
  readonly userId: string | null
  /** The id of the user who did it. `null` where that is nobody who is known: a stranger, a provider, a job of yours. */
  readonly actor: string | null
  /** The id of the provider. */
  readonly provider: string | null
  /** The network of the request, such as `203.0.113.0/24` or `2001:db8:1::/48`. Never a whole address. */
  readonly network: string | null
  /** The rest: the session (`sid`), a reason, the type of an error. */
  readonly detail: Readonly<Record<string, unknown>>
}

/** What {@link readAudit} looks for: all that is set must match. */
export interface AuditQuery {
  /** The name of an event. */
  type?: AuditedEvent | 'gap'
  /** Whom it happened to. Where it is there it must be an id: of somebody who is not known nobody reads everything. */
  userId?: string
  /** Who did it. Where it is there it must be an id, too. */
  actor?: string
  /** From this time on. */
  since?: Date
  /** Before this time. */
  until?: Date
  /** For the next page: the `id` of the last entry that you have. */
  before?: string
  /** How many at the most, up to 1000. Default 100. */
  limit?: number
}

const day = 24 * 60 * 60 * 1000

/**
 * Writes down what the library tells `events`, all but the reads of sessions, in the table `auth_audit`: who, whom, when, from which
 * network, and why. No name, address, token or whole IP address. {@link migrate} makes the table. Make one for a process.
 *
 * A database that fails or hangs keeps nobody from signing in: the row is kept in memory and tried again, and the log says so
 * (`EventError`). While it is away nothing waits for it.
 *
 * @throws {TypeError} When an option is wrong.
 * @example
 * ```ts
 * const audit = auditLog(db, { retention: 400 })
 * const config = { providers: [Google], adapter: sqlAdapter(db), events: audit.events }
 * process.once('SIGTERM', () => server.close(() => audit.flush().finally(() => db.destroy())))
 * ```
 */
export function auditLog<Tables>(db: Kysely<Tables>, options: AuditLogOptions = {}): AuditLog {
  const database = toDatabase(db)
  const dialect = readDialect(options.dialect) ?? detectDialect(database)
  const { retention, wait = 1, limit = 10_000 } = options
  if (retention !== undefined && !(retention > 0)) throw new TypeError('`retention` is a number of days above 0.')
  if (!(wait >= 0 && wait <= 60)) throw new TypeError('`wait` is a number of seconds from 0 to 60.')
  if (!(Number.isSafeInteger(limit) && limit >= 2)) throw new TypeError('`limit` is a whole number, 2 or more.')
  const prune = async () => (retention === undefined ? 0 : removeRows(database, Date.now() - retention * day))
  const housekeeping = createHousekeeping(retention === undefined ? 0 : 3600, prune)
  const createRow = createRows()
  const writer = new AuditWriter({
    wait: wait * 1000,
    limit,
    gap: (dropped) => createRow('gap', { detail: { dropped } }),
    async append(rows) {
      await appendRows(database, dialect, rows)
      housekeeping.tick()
    },
  })
  return Object.freeze({
    events: createEvents((type, facts) => writer.add(createRow(type, facts), type === 'failure' || type === 'denied')),
    flush: (seconds = 5) => writer.flush(seconds * 1000),
    prune,
  })
}

function createEvents(note: (type: AuditedEvent, facts: AuditFacts) => Promise<void>): AuditLog['events'] {
  return Object.freeze({
    signIn: (message) => note('signIn', factsOf.signIn(message)),
    signOut: (message) => note('signOut', factsOf.signOut(message)),
    createUser: (message) => note('createUser', factsOf.createUser(message)),
    updateUser: (message) => note('updateUser', factsOf.updateUser(message)),
    linkAccount: (message) => note('linkAccount', factsOf.linkAccount(message)),
    unlinkAccount: (message) => note('unlinkAccount', factsOf.unlinkAccount(message)),
    passkeyRemoved: (message) => note('passkeyRemoved', factsOf.passkeyRemoved(message)),
    factorAdded: (message) => note('factorAdded', factsOf.factorAdded(message)),
    factorRemoved: (message) => note('factorRemoved', factsOf.factorRemoved(message)),
    sessionEnded: (message) => note('sessionEnded', factsOf.sessionEnded(message)),
    userDisabled: (message) => note('userDisabled', factsOf.userDisabled(message)),
    userEnabled: (message) => note('userEnabled', factsOf.userEnabled(message)),
    passwordChanged: (message) => note('passwordChanged', factsOf.passwordChanged(message)),
    failure: (message) => note('failure', factsOf.failure(message)),
    denied: (message) => note('denied', factsOf.denied(message)),
  } satisfies AuditLog['events'])
}

/**
 * What was written down, newest first. Who may read it is yours to decide.
 *
 * @throws {TypeError} When the query is wrong. Rejects when the database fails.
 * @example
 * ```ts
 * const page = await readAudit(db, { userId, limit: 50 })
 * const next = await readAudit(db, { userId, limit: 50, before: page.at(-1)?.id })
 * ```
 */
export async function readAudit<Tables>(db: Kysely<Tables>, query: AuditQuery = {}): Promise<AuditEntry[]> {
  const { since, until, limit = 100, ...others } = query
  if (!(Number.isSafeInteger(limit) && limit >= 1 && limit <= 1000)) {
    throw new TypeError('`limit` is a whole number from 1 to 1000.')
  }
  for (const name of ['type', 'userId', 'actor', 'before'] as const) assertText(name, query)
  const filter: AuditFilter = { ...others, since: timeOf('since', since), until: timeOf('until', until), limit }
  const rows = await readRows(toDatabase(db), filter)
  return rows.map(({ at, detail, ...row }) => ({ ...row, at: new Date(at), detail: JSON.parse(detail) }))
}

/** What stands in a query may come from a client. Without the id of a person, the rows would be those of all. */
function assertText(name: 'type' | 'userId' | 'actor' | 'before', query: AuditQuery): void {
  const value: unknown = query[name]
  if (typeof value === 'string' || !Object.hasOwn(query, name)) return
  if (value === undefined && name !== 'userId' && name !== 'actor') return
  throw new TypeError(`\`${name}\` is no text. Leave it out to read what is of anybody.`)
}

function timeOf(name: string, date: Date | undefined): number | undefined {
  const time = date?.getTime()
  if (time === undefined || Number.isFinite(time)) return time
  throw new TypeError(`\`${name}\` is no date.`)
}
