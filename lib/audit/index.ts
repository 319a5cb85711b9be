/** `server-auth/audit`: an append-only log of events in a table. Needs Kysely, as `server-auth/adapters/sql` does. */
import type { Kysely } from 'kysely'
import { type AuditFilter, anonymizeRows, appendRows, readRows, removeRows } from '../adapters/sql/audit-table.js'
import { type Dialect, detectDialect, toDatabase } from '../adapters/sql/database.js'
import { createHousekeeping } from '../adapters/sql/housekeeping.js'
import { readDialect } from '../adapters/sql/layout.js'
import type { UserDeletedMessage } from '../features/deletion/types.js'
import type { EventCallbacks } from '../types/config.js'
import { type AuditedEvent, type AuditFacts, auditFactsOf, createRowMaker } from './rows.js'
import { AuditWriter } from './writer.js'

/** Options of {@link auditLog}. */
export interface AuditLogOptions {
  /** Days after which records are removed, about once an hour, by a process that writes. Default: never. */
  retention?: number
  /**
   * The seconds that an event waits for its record to be stored, so that it is there before the response. After that
   * the request continues, and the record is retried. Default 1; 0 does not wait.
   */
  wait?: number
  /** The number of records kept in memory while the database is unavailable. Default 10000. */
  limit?: number
  /** The dialect, if it cannot be detected from the Kysely instance. */
  dialect?: Dialect
}

/** The audit log of {@link auditLog}. */
export interface AuditLog {
  /**
   * The callbacks for the option `events`. From callbacks of your own, call the one of the same name: `signIn:
   * (message) => audit.events.signIn(message)`.
   */
  readonly events: Pick<EventCallbacks, AuditedEvent>
  /**
   * Writes the pending records. Call it when the process ends, before you close the database.
   *
   * @param seconds The time limit. Default 5.
   * @throws {Error} When records could not be written. They are lost with the process.
   */
  flush(seconds?: number): Promise<void>
  /** Removes the records older than `retention` now, and resolves to their number. Rejects when the database fails. */
  prune(): Promise<number>
}

/** An entry of the audit log. */
export interface AuditEntry {
  /** A unique id. Ids sort by time. */
  readonly id: string
  /** The time of the event, by the clock of the process that logged it. */
  readonly at: Date
  /**
   * The name of the event, such as `signIn`. `gap` stands for records that were lost before this one
   * (`detail.dropped`).
   */
  readonly type: string
  /** The user that the event is about. `null` when unknown, as for a failed sign-in. */
  readonly userId: string | null
  /**
   * The id of the user who caused the event. `null` when it was no known user, such as a visitor, a provider or a job.
   */
  readonly actor: string | null
  /** The id of the provider. */
  readonly provider: string | null
  /** The network of the request, such as `203.0.113.0/24` or `2001:db8:1::/48`. Never a whole address. */
  readonly network: string | null
  /** Further data: the session (`sid`), a reason, the type of an error. */
  readonly detail: Readonly<Record<string, unknown>>
}

/** The filter of {@link readAudit}. An entry must match all values. */
export interface AuditQuery {
  /** The name of an event. */
  type?: AuditedEvent | 'gap'
  /**
   * The user that the events are about. If set, it must be an id: an undefined id must not return the entries of all
   * users.
   */
  userId?: string
  /** The user who caused the events. If set, it must be an id. */
  actor?: string
  /** The earliest time, inclusive. */
  since?: Date
  /** The latest time, exclusive. */
  until?: Date
  /** For the next page: the `id` of the last entry of this page. */
  before?: string
  /** The maximum number of entries, up to 1000. Default 100. */
  limit?: number
}

const millisecondsPerDay = 24 * 60 * 60 * 1000

/**
 * Creates an audit log that stores all `events` except `session` in the table `auth_audit`.
 *
 * A record has the users, the time, the network and the reason, but no name, address, token or whole IP address. {@link
 * migrate} creates the table. Create one log for each process.
 *
 * If the database fails or hangs, sign-in still works: the record is kept in memory and retried, and the logger reports
 * an `EventError`. While the database is unavailable, requests do not wait for it.
 *
 * @throws {TypeError} When an option is invalid.
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
  if (retention !== undefined && !(retention > 0)) throw new TypeError('`retention` must be a number of days above 0.')
  if (!(wait >= 0 && wait <= 60)) throw new TypeError('`wait` must be a number of seconds from 0 to 60.')
  if (!(Number.isSafeInteger(limit) && limit >= 2)) throw new TypeError('`limit` must be a whole number, 2 or more.')
  const prune = async () =>
    retention === undefined ? 0 : removeRows(database, Date.now() - retention * millisecondsPerDay)
  const housekeeping = createHousekeeping(retention === undefined ? 0 : 3600, prune)
  const createRow = createRowMaker()
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
    events: createEvents({
      record: (type, facts) => writer.add(createRow(type, facts), type === 'failure' || type === 'denied'),
      async forget({ userId, keepAudit }) {
        // Pending records of the user must not be written afterwards.
        await writer.flush(5000)
        await anonymizeRows(database, { userId, isRemoved: !keepAudit })
      },
    }),
    flush: (seconds = 5) => writer.flush(seconds * 1000),
    prune,
  })
}

interface EventWriter {
  record(type: AuditedEvent, facts: AuditFacts): Promise<void>
  /** Removes the networks of a deleted user, or all of their records. */
  forget(deleted: UserDeletedMessage): Promise<void>
}

function createEvents({ record, forget }: EventWriter): AuditLog['events'] {
  return Object.freeze({
    signIn: (message) => record('signIn', auditFactsOf.signIn(message)),
    signOut: (message) => record('signOut', auditFactsOf.signOut(message)),
    createUser: (message) => record('createUser', auditFactsOf.createUser(message)),
    updateUser: (message) => record('updateUser', auditFactsOf.updateUser(message)),
    linkAccount: (message) => record('linkAccount', auditFactsOf.linkAccount(message)),
    unlinkAccount: (message) => record('unlinkAccount', auditFactsOf.unlinkAccount(message)),
    passkeyRemoved: (message) => record('passkeyRemoved', auditFactsOf.passkeyRemoved(message)),
    factorAdded: (message) => record('factorAdded', auditFactsOf.factorAdded(message)),
    factorRemoved: (message) => record('factorRemoved', auditFactsOf.factorRemoved(message)),
    sessionEnded: (message) => record('sessionEnded', auditFactsOf.sessionEnded(message)),
    userDisabled: (message) => record('userDisabled', auditFactsOf.userDisabled(message)),
    userEnabled: (message) => record('userEnabled', auditFactsOf.userEnabled(message)),
    async userDeleted(message) {
      await record('userDeleted', auditFactsOf.userDeleted(message))
      await forget(message)
    },
    passwordLinkSent: (message) => record('passwordLinkSent', auditFactsOf.passwordLinkSent(message)),
    passwordChanged: (message) => record('passwordChanged', auditFactsOf.passwordChanged(message)),
    impersonationBegan: (message) => record('impersonationBegan', auditFactsOf.impersonationBegan(message)),
    impersonationEnded: (message) => record('impersonationEnded', auditFactsOf.impersonationEnded(message)),
    apiKeyCreated: (message) => record('apiKeyCreated', auditFactsOf.apiKeyCreated(message)),
    apiKeyRevoked: (message) => record('apiKeyRevoked', auditFactsOf.apiKeyRevoked(message)),
    organizationChanged: (message) => record('organizationChanged', auditFactsOf.organizationChanged(message)),
    failure: (message) => record('failure', auditFactsOf.failure(message)),
    denied: (message) => record('denied', auditFactsOf.denied(message)),
  } satisfies AuditLog['events'])
}

/**
 * Reads the audit log, newest entries first. Your application decides which users may read it.
 *
 * @throws {TypeError} When the query is invalid. Rejects when the database fails.
 * @example
 * ```ts
 * const page = await readAudit(db, { userId, limit: 50 })
 * const next = await readAudit(db, { userId, limit: 50, before: page.at(-1)?.id })
 * ```
 */
export async function readAudit<Tables>(db: Kysely<Tables>, query: AuditQuery = {}): Promise<AuditEntry[]> {
  const { since, until, limit = 100, ...others } = query
  if (!(Number.isSafeInteger(limit) && limit >= 1 && limit <= 1000)) {
    throw new TypeError('`limit` must be a whole number from 1 to 1000.')
  }
  for (const name of ['type', 'userId', 'actor', 'before'] as const) assertQueryText(name, query)
  const filter: AuditFilter = {
    ...others,
    since: queryTimeOf('since', since),
    until: queryTimeOf('until', until),
    limit,
  }
  const rows = await readRows(toDatabase(db), filter)
  return rows.map(({ at, detail, ...row }) => ({ ...row, at: new Date(at), detail: JSON.parse(detail) }))
}

/**
 * Checks a value that may come from a client. With an undefined user id, the query would return the entries of all
 * users.
 */
function assertQueryText(name: 'type' | 'userId' | 'actor' | 'before', query: AuditQuery): void {
  const value: unknown = query[name]
  if (typeof value === 'string' || !Object.hasOwn(query, name)) return
  if (value === undefined && name !== 'userId' && name !== 'actor') return
  throw new TypeError(`\`${name}\` is not text. Omit it to read the entries of all users.`)
}

function queryTimeOf(name: string, date: Date | undefined): number | undefined {
  const time = date?.getTime()
  if (time === undefined || Number.isFinite(time)) return time
  throw new TypeError(`\`${name}\` is not a valid date.`)
}
