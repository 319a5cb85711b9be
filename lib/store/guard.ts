/** Guards stores: a timeout for each method, errors that name it, and records with the described columns. */

import { isRecord } from '../base/guards.js'
import { isPromiseLike } from '../base/maybe-promise.js'
import { withTimeout } from '../base/timeout.js'
import type { AdapterStore, ResolvedConfig } from '../contracts/index.js'
import { AdapterError, MissingAdapter } from '../errors.js'
import type { Awaitable } from '../types/identity.js'
import type { KeyOf, NewRecord, RecordOf, Records } from '../types/records.js'
import type { RecordChange, RecordStore, RecordTable } from '../types/store.js'
import { toRedactedError } from './redacted-error.js'

/**
 * Calls a method and reads its result. A synchronous result is read synchronously.
 *
 * @throws {@link AdapterError}
 */
type GuardedCall<S> = <T>(
  method: keyof S & string,
  args: readonly unknown[],
  read: (value: unknown) => T,
) => Awaitable<T>

/** The options of a guard. */
export interface StoreGuard {
  /** The content of the store, for errors. */
  readonly keeps: string
  /** The time limit of a method, in milliseconds. */
  readonly timeout: number
  /** The first argument of all methods. Errors may show it, because it contains no values. */
  readonly table?: RecordTable
}

/** Returns a function that calls the methods of a store. */
export function guardedCalls<S extends { [M in keyof S]?: unknown }>(
  store: S,
  { keeps, timeout, table }: StoreGuard,
): GuardedCall<S> {
  return (method, args, read) => {
    const fail = (error: unknown): never => {
      throw new AdapterError(`The store of ${keeps} failed (\`${method}\`).`, {
        err: toRedactedError(error, args),
        method,
      })
    }
    try {
      const own: unknown = store[method]
      if (typeof own !== 'function') throw new TypeError('The method does not exist.')
      const answer: unknown = Reflect.apply(own, store, table ? [table, ...args] : args)
      if (!isPromiseLike(answer)) return read(answer)
      return withTimeout(Promise.resolve(answer), timeout, `\`${method}\``).then(read).catch(fail)
    } catch (error) {
      return fail(error)
    }
  }
}

/** Ignores a result. */
export const ignoreResult = (): undefined => undefined

/** Reads a boolean. Another value treated as true would let two concurrent callers both succeed. */
function readBoolean(value: unknown): boolean {
  if (typeof value === 'boolean') return value
  throw new TypeError('It returned neither true nor false.')
}

/** Guards the records of a table. */
export function guardRecords<T extends RecordTable>(
  store: RecordStore,
  table: T,
  guard: Pick<StoreGuard, 'keeps' | 'timeout'>,
): Records<T> {
  const call = guardedCalls<RecordStore>(store, { ...guard, table })
  const keyOf = (row: object) => selected(row, table.key)
  const { by = '' } = table
  const find = (method: 'find' | 'findOfUser') => async (key: object) =>
    call(method, [keyOf(key)], (value) => readRecordOf(table, value, keyOf(key)))
  return {
    find: find('find'),
    findOfUser: store.findOfUser && find('findOfUser'),
    list: async (owner) => call('list', [owner], (value) => readRecordsOf(table, value, { [by]: owner })),
    page: async (first, query) =>
      call('page', [first, query], (value) => readRecordsOf(table, value, { [table.key[0] ?? '']: first })),
    write: async (record, previous) => call('write', [toWritten(table, record, previous), previous], readBoolean),
    take: async (key) => call('take', [keyOf(key)], (value) => readRecordOf(table, value, keyOf(key))),
    async remove(where) {
      const chosen = selected(where, [...table.key, by])
      // A column without a value would select more records than intended.
      if (!Object.values(chosen).every(isTextValue))
        throw new TypeError(`Records of ${table.name} are selected by text.`)
      return call('remove', [chosen], readCount)
    },
    lease: async (key, lease) => call('lease', [keyOf(key), lease], readBoolean),
    release: async (key, leaseId) => call('release', [keyOf(key), leaseId], ignoreResult),
  }
}

/** Changes of records of a group of tables. All take effect, or none. */
export interface GuardedChanges {
  /** Adds a write. @param previous The version that was read; 0 if there was no record. */
  write<T extends RecordTable>(table: T, record: NewRecord<T>, previous: number): void
  /** Adds the removal of a record, or of all records with the value in the first column of the key. */
  remove<T extends RecordTable>(table: T, key: Partial<KeyOf<T>>): void
  /** Makes the changes. Returns `false`, and changes nothing, if a record has another version. */
  commit(): Promise<boolean>
}

/** Returns an empty list of changes. */
export function guardChanges(store: RecordStore, guard: Pick<StoreGuard, 'keeps' | 'timeout'>): GuardedChanges {
  const call = guardedCalls<RecordStore>(store, guard)
  const changes: RecordChange[] = []
  return {
    write(table, record, previous) {
      changes.push({ table, record: toWritten(table, record, previous), previous })
    },
    remove(table, key) {
      const remove = selected(key, table.key)
      // Without the first value, records of all owners would be removed.
      if (typeof remove[table.key[0] ?? ''] !== 'string' || !Object.values(remove).every(isTextValue))
        throw new TypeError(`Records of ${table.name} are selected by text.`)
      changes.push({ table, remove })
    },
    commit: async () => call('writeAll', [changes], readBoolean),
  }
}

function selected(row: object, columns: readonly string[]) {
  return Object.fromEntries(Object.entries(row).filter(([column]) => columns.includes(column)))
}

/** Returns the columns of a record. Once stored, an invalid record would make every read of the owner's records fail. */
function toWritten(table: RecordTable, record: object, previous: number) {
  const row = selected(record, Object.keys(table.columns))
  if (isRecordOf(table, { ...row, version: previous })) return row
  throw new TypeError(`The value is not a record of ${table.name}.`)
}

/**
 * Reads a record. Some databases treat keys that differ in case as equal, so a record with another key is not returned.
 */
function readRecordOf<T extends RecordTable>(table: T, value: unknown, key: object): RecordOf<T> | null {
  if (value === null || value === undefined) return null
  if (!isRecordOf(table, value)) throw new TypeError('It returned no record of the table.')
  return Object.entries(key).every(([column, each]) => Reflect.get(value, column) === each) ? value : null
}

/** Reads a list. Any other result must not pass for an empty list: users would sign in with one factor. */
function readRecordsOf<T extends RecordTable>(table: T, value: unknown, owner: object): ReadonlyArray<RecordOf<T>> {
  if (!Array.isArray(value)) throw new TypeError('It returned no list of records.')
  const rows = value.map((row: unknown) => {
    if (isRecordOf(table, row)) return row
    throw new TypeError('It returned a record that does not match the table.')
  })
  const now = Date.now()
  const isOpen = (end: unknown) => !(end instanceof Date) || end.getTime() > now
  const { expires = '', order = [] } = table
  const isOwn = (row: object) => Object.entries(owner).every(([column, each]) => Reflect.get(row, column) === each)
  const own = rows.filter((row) => isOwn(row) && isOpen(Reflect.get(row, expires)))
  return own.sort((one, other) => compareBy(order, one, other))
}

function compareBy(order: readonly string[], one: object, other: object): number {
  for (const column of order) {
    const [left, right] = [Reflect.get(one, column), Reflect.get(other, column)].map((value) => value?.valueOf())
    if (left !== right) return left < right ? -1 : 1
  }
  return 0
}

const valueChecks: Readonly<Record<string, (value: unknown) => boolean>> = {
  number: Number.isFinite,
  boolean: (value) => typeof value === 'boolean',
  // An invalid date is neither past nor future: the record would never expire.
  time: (value) => value instanceof Date && !Number.isNaN(value.getTime()),
}

const isTextValue = (value: unknown) => typeof value === 'string'

function isRecordOf<T extends RecordTable>({ columns, version }: T, value: unknown): value is RecordOf<T> {
  if (!isRecord(value)) return false
  return (
    (!version || Number.isSafeInteger(value.version)) &&
    Object.entries(columns).every(([column, type]) => {
      const own = value[column]
      return (type.endsWith('?') && own === null) || (valueChecks[type.replace('?', '')] ?? isTextValue)(own)
    })
  )
}

/** Reads a count. Exactly one of concurrent calls may see that it removed a record, because that uses up codes. */
function readCount(value: unknown): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value
  throw new TypeError('It did not return the number of removed records.')
}

/**
 * Returns the store. Email and passkey providers cannot be configured without one.
 *
 * @throws {@link MissingAdapter}
 */
export function requireStore({ store }: ResolvedConfig): AdapterStore {
  if (store) return store
  throw new MissingAdapter('Sign-in by email or passkey needs an `adapter`.')
}
