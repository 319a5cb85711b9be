/**
 * The contracts of stores: `records`, `counter` and `log`. A driver implements contracts for its database. It depends
 * on no capability: the engine passes the description of a table with each call.
 * All methods reject if the database is not available. A result such as "there is none" would sign users in with one
 * factor, or restore sessions that have ended.
 */
import type { Awaitable } from './identity.js'

/** A store. Each option `store` needs one of the three contracts, and accepts an object without the others. */
export interface Store {
  /** Stores passwords, second factors and provider tokens. */
  readonly records: RecordStore
  /** Counts attempts, for `rateLimit`. */
  readonly counter: CounterStore
  /** Stores the ends of sessions, for `session.revocation`. */
  readonly log: LogStore
  /** Describes the database, for `npx server-auth doctor`. Rejects if the database does not respond. */
  inspect?(): Awaitable<readonly StoreInspection[]>
}

/**
 * The description of a store's database, for `npx server-auth doctor`. Omitted values are not known or not relevant.
 */
export interface StoreInspection {
  /** The kind: `postgres`, `mysql`, `sqlite`, `redis`, `memory`. */
  kind: string
  /** The time of the database's clock, in milliseconds since the epoch. */
  now?: number
  /** The pending steps of the migration. */
  due?: readonly string[]
  /** The missing columns, as `table.column`. */
  missing?: readonly string[]
  /** The columns that treat different texts as equal, for example by a case-insensitive collation. */
  inexact?: readonly string[]
  /** The rule by which records are evicted if memory is short. */
  evicts?: string
  /** `true` if the data is lost when the database or the process restarts. */
  isVolatile?: boolean
}

/* ---- records ------------------------------------------------------------------------------------------------ */

/**
 * The type of a column. `id`: text of at most 255 characters, which is compared exactly. `text`: at most some thousand characters.
 * `longText`: at most some hundred thousand. `number`: a whole number. `time`: a `Date` in whole milliseconds. With `?` the value can be `null`.
 */
export type ColumnType = 'id' | 'text' | 'text?' | 'longText' | 'number' | 'number?' | 'boolean' | 'time' | 'time?'

/** The description of a table. */
export interface RecordTable {
  /** The name of the table: letters, digits and `_`. */
  readonly name: string
  /** The columns that are unique together. All have the type `id`. */
  readonly key: readonly string[]
  /** The column by which records are listed. Absent if they are never listed. */
  readonly by?: string
  /** The columns and their types. */
  readonly columns: Readonly<Record<string, ColumnType>>
  /** `true` if records have the column `version`. Records without it are written once and taken once. */
  readonly version: boolean
  /**
   * The column with the time after which a record may be deleted; never if the value is `null`. Absent: no record is
   * deleted by age.
   */
  readonly expires?: string
  /** `true` if records can be leased. */
  readonly lease?: boolean
  /**
   * The name of the tables that `writeAll` changes together. They have versions and no leases. A driver may keep them in one place,
   * such as a slot of a cluster. Absent: the table is changed alone.
   */
  readonly group?: string
  /**
   * The columns that an export of the user's data contains. All others are withheld. Required in tables by `userId`; empty
   * if every column is a secret.
   */
  readonly exported?: readonly string[]
  /** The columns by which the engine sorts a list. */
  readonly order?: readonly string[]
  /**
   * The column by which a full store in memory evicts: the oldest record with the same value, then the oldest of all.
   * Absent: a full store deletes only expired records, and rejects.
   */
  readonly evict?: string
}

/** The value of a column. */
export type RecordValue = string | number | boolean | Date | null

/** A record: a value for each column, and `version` if the table has it. */
export type StoredRecord = Readonly<Record<string, RecordValue>>

/** The values by which records are selected. */
export type RecordKey = Readonly<Record<string, string>>

/** A lease: the exclusive right of one process to change something outside the store that belongs to a record. */
export interface RecordLease {
  /** The version that was read. The lease is rejected if the record has another version. */
  readonly version: number
  /** The name of the holder: 22 characters of `A-Z a-z 0-9 _ -`. */
  readonly leaseId: string
  /** The duration, by the clock of the store. Whole seconds, from 1 to 300. */
  readonly seconds: number
}

/**
 * A change of one record, or the removal of records: of the one with this key, or of all with this value in the first column of
 * their key.
 */
export type RecordChange =
  | {
      /** The table. */
      readonly table: RecordTable
      /** A value for each column, without `version`. */
      readonly record: StoredRecord
      /** The version that the stored record must have; 0 if there must be none. */
      readonly previous: number
    }
  | {
      /** The table. */
      readonly table: RecordTable
      /** The values of the key, or only that of its first column. */
      readonly remove: RecordKey
    }

/** The part of a list that {@link RecordStore.page} returns. */
export interface RecordPageQuery {
  /** The value of the second column of the key after which the page begins. Absent: the first page. */
  readonly after?: string | undefined
  /** The maximum number of records. */
  readonly limit: number
}

/**
 * A store of records. Keys that differ in case, or by a space at an end, are different keys. Returned records are
 * copies.
 */
export interface RecordStore {
  /** Returns the record with this key, or `null`. */
  find(table: RecordTable, key: RecordKey): Awaitable<StoredRecord | null>
  /**
   * Returns what `find` returns, but `null` if no user has the id in the column `userId`. Only stores in the database of the
   * users have this method. Without it, the engine also calls `getUser`.
   */
  findOfUser?(table: RecordTable, key: RecordKey): Awaitable<StoredRecord | null>
  /**
   * The method `getUser` of the adapter whose users `findOfUser` knows. The engine calls `findOfUser` only with that adapter: another
   * `getUser` may leave out users whom the database has.
   */
  readonly usersBy?: unknown
  /** Returns the records whose column `by` has this value, in any order. They may include expired ones. */
  list(table: RecordTable, by: string): Awaitable<readonly StoredRecord[]>
  /**
   * Writes a record with the version `previous + 1` if the stored one has the version `previous`, or with 0, if there
   * is none. One atomic step. A lease on the record continues. Records without versions are only written with
   * `previous` 0.
   * @param record A value for each column, without `version`.
   * @returns `false` if the version was another one. Nothing is written then.
   */
  write(table: RecordTable, record: StoredRecord, previous: number): Awaitable<boolean>
  /** Deletes a record without versions, and returns it. One atomic step: of concurrent calls exactly one gets the record. */
  take(table: RecordTable, key: RecordKey): Awaitable<StoredRecord | null>
  /**
   * Deletes records. One atomic step: of concurrent calls exactly one counts a record.
   *
   * @param where The value of `by`, or the whole key, or both: then the record with the key is deleted if `by` has the value.
   * @returns The number of deleted records.
   */
  remove(table: RecordTable, where: RecordKey): Awaitable<number>
  /**
   * Takes the lease of a record, if the record has this version and there is no other holder. A call with the `leaseId`
   * of the holder extends the lease to `seconds` from now. One atomic step.
   * @returns `true` if the lease was taken.
   */
  lease(table: RecordTable, key: RecordKey, lease: RecordLease): Awaitable<boolean>
  /** Ends a lease early. Does nothing if another holder has it. */
  release(table: RecordTable, key: RecordKey, leaseId: string): Awaitable<unknown>
  /**
   * Makes all changes in their order, or none, in one atomic step. All tables have the same `group`. A record is written once at
   * most, and may be removed after that. Stored organizations require this method and {@link page}.
   *
   * @returns `false` if a record had another version than `previous`, or the database undid the changes because of concurrent ones.
   *   Nothing is changed then.
   */
  writeAll?(changes: readonly RecordChange[]): Awaitable<boolean>
  /**
   * Returns the records of a table with a `group` whose first column of the key has this value, in the order of the second
   * column, by any rule that stays the same. They may include expired ones.
   */
  page?(table: RecordTable, first: string, query: RecordPageQuery): Awaitable<readonly StoredRecord[]>
}

/* ---- counter ------------------------------------------------------------------------------------------------ */

/** An attempt to count. */
export interface Consumption {
  /** The cost. With 0 nothing is counted, and the result says whether an attempt would be allowed. */
  readonly cost: 0 | 1
  /** The maximum number of attempts within the window. */
  readonly limit: number
  /** The length of the window in seconds. */
  readonly window: number
  /**
   * The delay of a rule. From the `limit`th attempt on, each makes the next one wait: one second, then twice as long
   * each time, 900 at most. All are forgotten `window` seconds after that time.
   */
  readonly delay?: 'exponential' | undefined
}

/** The result of an attempt. A rejected attempt is not counted. */
export interface Consumed {
  /** `true` if the attempt is allowed, and counted. */
  readonly allowed: boolean
  /** Seconds until the next attempt is allowed, as far as is known; 0 if it is allowed now. */
  readonly retryAfter: number
}

/** An attempt to count, with its key. */
export interface KeyedConsumption extends Consumption {
  /** The key: at most 64 characters of `A-Z a-z 0-9 . _ : -`, without email addresses or secrets. */
  readonly key: string
}

/**
 * A counter of attempts. Each method is one atomic step: concurrent calls of all processes together never exceed the
 * limit.
 */
export interface CounterStore {
  /**
   * Counts an attempt if it is allowed. @param key At most 64 characters of `A-Z a-z 0-9 . _ : -`, without email
   * addresses or secrets.
   */
  consume(key: string, consumption: Consumption): Awaitable<Consumed>
  /** Takes back an attempt that did not fail. A missing key is not an error. */
  refund(key: string, consumption: Consumption): Awaitable<unknown>
  /**
   * Calls {@link consume} for each one in turn, up to the first that is rejected, in one round trip. Without this
   * method, `consume` is called for each.
   */
  consumeInTurn?(consumptions: readonly KeyedConsumption[]): Awaitable<readonly Consumed[]>
}

/* ---- log ---------------------------------------------------------------------------------------------------- */

/** The end of sessions. (`key`, `exceptSid`) is unique. All times are in whole seconds since the epoch. */
export interface Revocation {
  /**
   * The key of one session, or of all sessions of a user. At most 64 characters of `A-Z a-z 0-9 . _ -`, without secrets
   * or email addresses.
   */
  readonly key: string
  /** The session that does not end. Empty if there is none. Characters as in `key`. */
  readonly exceptSid: string
  /** The latest start of the sessions that have ended. */
  readonly notBefore: number
  /** The time at which the last of them expires. The entry may then be removed. */
  readonly until: number
}

/** A page of the changes, in the order in which they were written. */
export interface RevocationPage {
  /** The entries, the oldest first. */
  readonly revocations: readonly Revocation[]
  /** The position at which the next call continues, in the store's own format. */
  readonly cursor: string
  /** `true` if there are no more changes yet. */
  readonly isLast: boolean
}

/** The result of a query for entries. */
export interface FoundRevocations {
  /** The matching entries. */
  readonly revocations: readonly Revocation[]
  /** The time of the store's clock. */
  readonly now: number
}

/** An active session in the list of a user. All times are in whole seconds since the epoch. */
export interface ListedSession {
  /** The unique id. Characters as in {@link Revocation.key}. */
  readonly sid: string
  /** The hash of the user's id, with characters as in {@link Revocation.key}. */
  readonly userKey: string
  /** The time of the sign-in. */
  readonly begunAt: number
  /** The time of the sign-in or the last extension. */
  readonly usedAt: number
  /** The time at which the session ends if it is not used. The entry may then be removed. */
  readonly until: number
  /**
   * The engine's metadata of the sign-in, such as its method and the kind of device. Usually about sixty letters,
   * digits, `-` and `_`, at most 1,000. Passed only with the first call for a session. Must be stored unchanged.
   */
  readonly beginning?: string | undefined
}

/**
 * A log that processes share, to report JWT sessions that ended early and disabled users to each other. The keys are
 * opaque to the store.
 */
export interface LogStore {
  /**
   * Adds entries. If there is an entry with the same `key` and `exceptSid`, the later `notBefore` and the later `until`
   * are kept. Must not be part of a transaction: the sessions have ended even if the transaction fails.
   */
  add(revocations: readonly Revocation[]): Awaitable<unknown>
  /** Replaces the entry with this `key` and no `exceptSid`, if it exists. `changes` must report it like an addition. */
  replace(revocation: Omit<Revocation, 'exceptSid'>): Awaitable<unknown>
  /** Returns the entries with one of these keys, and the time of the store's clock. */
  find(keys: readonly string[]): Awaitable<FoundRevocations>
  /**
   * Returns the entries written since the cursor; with `null` all whose `until` has not passed. An entry may be
   * returned twice. No entry may be left out because its statement took long to commit. Without this method, `find` is
   * called at each read of a session.
   */
  changes?(cursor: string | null): Awaitable<RevocationPage>
  /**
   * Adds a session to the list, or updates it: the later times are kept, `begunAt` and `beginning` do not change.
   * Session lists require this method and the next two.
   */
  list?(session: ListedSession): Awaitable<unknown>
  /**
   * Returns the listed sessions of a user, except those whose `until` has passed. It does not check whether they were
   * ended.
   */
  listed?(userKey: string): Awaitable<readonly ListedSession[]>
  /** Removes sessions of a user from the list. */
  unlist?(userKey: string, sids: readonly string[]): Awaitable<unknown>
}
