/**
 * The contracts of stores: `records`, `counter` and `log`. A driver implements contracts for its database. It knows no capability: the engine
 * passes the description of a table with each call.
 *
 * All methods reject when the database is not available. An answer such as "there is none" would sign users in with one factor, or open
 * sessions that have ended.
 */
import type { Awaitable } from './identity.js'

/** A store. Each option `store` needs one of the three contracts, and accepts an object without the others. */
export interface Store {
  /** Keeps passwords, second factors and provider tokens. */
  readonly records: RecordStore
  /** Counts attempts, for `rateLimit`. */
  readonly counter: CounterStore
  /** Keeps the ends of sessions, for `session.revocation`. */
  readonly log: LogStore
  /** Describes the database, for `npx server-auth doctor`. Rejects when the database does not answer. */
  inspect?(): Awaitable<readonly StoreInspection[]>
}

/** What a store says of the database behind it, for `npx server-auth doctor`. What is left out is not known, or does not matter. */
export interface StoreInspection {
  /** What it is: `postgres`, `mysql`, `sqlite`, `redis`, `memory`. */
  kind: string
  /** Milliseconds since the epoch, by the clock of the database. */
  now?: number
  /** The steps of the migration that have not been made. */
  due?: readonly string[]
  /** Columns that are not there, as `table.column`. */
  missing?: readonly string[]
  /** Columns in which texts that differ are the same, as by a collation that takes `A` for `a`. */
  inexact?: readonly string[]
  /** By which rule records are thrown away when memory is short. */
  evicts?: string
  /** Nothing is left when the database, or the process, starts again. */
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
  /** The column by which records are listed. Absent: they are never listed. */
  readonly by?: string
  /** The columns and their types. */
  readonly columns: Readonly<Record<string, ColumnType>>
  /** Whether records have the column `version`. Those without are written once, and taken once. */
  readonly version: boolean
  /** The column with the time after which a record may be deleted; never where its value is `null`. Absent: no record is deleted by its age. */
  readonly expires?: string
  /** Whether records can be leased. */
  readonly lease?: boolean
  /** The columns by which the engine sorts a list. */
  readonly order?: readonly string[]
  /**
   * The column by which a full store in memory makes room: it drops the oldest record with the same value, then the oldest of all. Absent: a
   * full store rejects, and drops expired records only.
   */
  readonly evict?: string
}

/** The value of a column. */
export type RecordValue = string | number | boolean | Date | null

/** A record: a value for each column, and `version` where the table has it. */
export type StoredRecord = Readonly<Record<string, RecordValue>>

/** The values by which records are selected. */
export type RecordKey = Readonly<Record<string, string>>

/** The right to change something outside that belongs to a record. One process has it at a time. */
export interface RecordLease {
  /** The version that was read. The lease is refused where the record has another version. */
  readonly version: number
  /** The name of the holder: 22 characters of `A-Z a-z 0-9 _ -`. */
  readonly leaseId: string
  /** The duration, by the clock of the store. Whole seconds, from 1 to 300. */
  readonly seconds: number
}

/** Keeps records. Keys that differ in case, or by a space at an end, are different keys. Returned records are copies. */
export interface RecordStore {
  /** Returns the record with this key; `null` where there is none. */
  find(table: RecordTable, key: RecordKey): Awaitable<StoredRecord | null>
  /** Returns the records whose column `by` has this value, in any order. Expired records may be among them. */
  list(table: RecordTable, by: string): Awaitable<readonly StoredRecord[]>
  /**
   * Writes a record, with the version `previous + 1`, if the stored one has the version `previous`; with 0, if there is none. One atomic
   * step. A lease on the record continues. Records without versions are written with `previous` 0 only.
   *
   * @param record A value for each column, without `version`.
   * @returns `false` where the version was another one. Nothing is written then.
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
   * Takes the lease of a record, if the record has this version and nobody else holds a lease. A call with the `leaseId` of the holder extends
   * the lease: it then lasts for `seconds` from now. One atomic step.
   *
   * @returns Whether it was taken.
   */
  lease(table: RecordTable, key: RecordKey, lease: RecordLease): Awaitable<boolean>
  /** Ends a lease before its time. Nothing happens where another holder has it. */
  release(table: RecordTable, key: RecordKey, leaseId: string): Awaitable<unknown>
}

/* ---- counter ------------------------------------------------------------------------------------------------ */

/** One attempt, as a store counts it. */
export interface Consumption {
  /** 1. With 0 nothing is counted, and the answer tells whether one more would be let through. */
  readonly cost: 0 | 1
  /** As many are let through within the window. */
  readonly limit: number
  /** Seconds. */
  readonly window: number
  /**
   * As `delay` of a rule: from the `limit`th on each makes the next one wait, one second and then twice as long each time, 900 at the
   * most; all are forgotten so many seconds (`window`) after that time.
   */
  readonly delay?: 'exponential' | undefined
}

/** What a store says of an attempt. One that is refused was not counted. */
export interface Consumed {
  /** Whether the attempt may be made. Then it was counted. */
  readonly allowed: boolean
  /** Seconds until one more is let through, as far as is known now; 0 for one that is allowed. */
  readonly retryAfter: number
}

/** A key, and what is to be counted under it. */
export interface KeyedConsumption extends Consumption {
  /** At most 64 characters of `A-Z a-z 0-9 . _ : -`; no address, no secret. */
  readonly key: string
}

/** Counts attempts. Each method is one atomic step: of concurrent calls, in whichever process, no more are allowed than the limit says. */
export interface CounterStore {
  /** Counts an attempt, if it may be made. @param key At most 64 characters of `A-Z a-z 0-9 . _ : -`; no address, no secret. */
  consume(key: string, consumption: Consumption): Awaitable<Consumed>
  /** Takes back what was counted: the attempt was no failure. A key that is not there is no error. */
  refund(key: string, consumption: Consumption): Awaitable<unknown>
  /**
   * The same as {@link consume} for one after the other, up to the first that is refused, in one round trip. Without it `consume` is
   * called for each.
   */
  consumeInTurn?(consumptions: readonly KeyedConsumption[]): Awaitable<readonly Consumed[]>
}

/* ---- log ---------------------------------------------------------------------------------------------------- */

/** What has ended. (`key`, `exceptSid`) is unique. All times are in whole seconds since the epoch. */
export interface Revocation {
  /** Which sessions: one, or those of a user. At most 64 characters of `A-Z a-z 0-9 . _ -`; no secret, and no address. */
  readonly key: string
  /** Of these sessions this one goes on. Empty where none does. Characters as in `key`. */
  readonly exceptSid: string
  /** Those that began until then have ended. */
  readonly notBefore: number
  /** None of them lives longer: the entry may be removed then. */
  readonly until: number
}

/** Some of the changes, in the order in which they were written. */
export interface RevocationPage {
  /** The entries, the oldest first. */
  readonly revocations: readonly Revocation[]
  /** Where the next call goes on. The store's own text. */
  readonly cursor: string
  /** Nothing more was written by now. */
  readonly isLast: boolean
}

/** Entries that were asked for. */
export interface FoundRevocations {
  /** The entries that were found. */
  readonly revocations: readonly Revocation[]
  /** What the clock of the store says. */
  readonly now: number
}

/** A session that goes on, in the list of its user's. All times are in whole seconds since the epoch. */
export interface ListedSession {
  /** Unique. Characters as in {@link Revocation.key}. */
  readonly sid: string
  /** Whose it is: a hash of the user's id, with characters as in {@link Revocation.key}. */
  readonly userKey: string
  /** When it began. */
  readonly begunAt: number
  /** When it was begun or extended the last time. */
  readonly usedAt: number
  /** When it ends if it is not used: the entry may be removed then. */
  readonly until: number
  /**
   * What the engine notes of its beginning, by what and on which kind of device: usually some sixty letters, digits, `-` and `_`, at most 1,000. Given
   * with the first call for a session and with no later one. Keep it as it is.
   */
  readonly beginning?: string | undefined
}

/**
 * A log that processes share: they report to each other which JWT sessions have ended before their time, and which users are disabled.
 * The meaning of a key is the engine's business.
 */
export interface LogStore {
  /**
   * Notes what has ended. Where there is an entry with the same `key` and `exceptSid`, the later `notBefore` and the later
   * `until` count. Takes part in no transaction: what is noted has ended, whatever becomes of the rest.
   */
  add(revocations: readonly Revocation[]): Awaitable<unknown>
  /** Replaces the entry with this `key` and no `exceptSid`, if it is there. Others learn of that as of an addition. */
  replace(revocation: Omit<Revocation, 'exceptSid'>): Awaitable<unknown>
  /** The entries with one of these keys, and the time by the store's clock. */
  find(keys: readonly string[]): Awaitable<FoundRevocations>
  /**
   * What was written since the cursor; with `null` everything whose `until` has not passed. An entry may come twice, and none
   * may be left out because its statement took long to commit. Without this method `find` is called at each read of a session.
   */
  changes?(cursor: string | null): Awaitable<RevocationPage>
  /**
   * For lists of sessions, with the next two methods: notes one. Of one that is there already the later times count, and its
   * `begunAt` and `beginning` stay.
   */
  list?(session: ListedSession): Awaitable<unknown>
  /** The sessions of a user that were noted, but those whose `until` has passed. Whether they have ended is asked apart. */
  listed?(userKey: string): Awaitable<readonly ListedSession[]>
  /** Removes sessions of a user from the list. */
  unlist?(userKey: string, sids: readonly string[]): Awaitable<unknown>
}
