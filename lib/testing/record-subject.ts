/** The records of one table, as the cases of the suite use them. */
import assert from 'node:assert/strict'
import type { RecordKey, RecordStore, RecordTable, RecordValue, StoredRecord } from '../types/store.js'
import { newId } from './store-suite.js'

/** The records of one table, and records to try it with. */
export interface RecordSubject {
  readonly table: RecordTable
  readonly records: RecordStore
  /** Creates a record without writing it. */
  make(rest?: StoredRecord): StoredRecord
  /** Creates a record and writes it. It has the version 1 then, if the table has versions. */
  written(rest?: StoredRecord): Promise<StoredRecord>
  /** Returns the key of a record. */
  keyOf(record: StoredRecord): RecordKey
  /** Returns a record as it is stored in a version. */
  stored(record: StoredRecord, version?: number): StoredRecord
  find(record: StoredRecord): Promise<StoredRecord | null>
  /** Returns the records of an owner, sorted by their texts. */
  list(owner: RecordValue | undefined): Promise<readonly StoredRecord[]>
  /** The column that distinguishes the records of a test. */
  readonly markColumn: string
}

/** A case, and the tables to which it applies. Default: all. */
export type RecordCase = readonly [
  check: (subject: RecordSubject) => Promise<void>,
  isFor?: (table: RecordTable) => boolean,
]

const hour = 3_600_000
/** Returns a time an hour ago. */
export const past = () => new Date(Date.now() - hour)
/** Returns a time in an hour. */
export const future = () => new Date(Date.now() + hour)

/** Creates the subject of a case. */
export function recordSubject(table: RecordTable, records: RecordStore | undefined): RecordSubject {
  assert.ok(records, 'the store has no `records`')
  const keyOf = (record: StoredRecord) =>
    Object.fromEntries(table.key.map((column) => [column, String(record[column])]))
  const make = (rest: StoredRecord = {}) => ({ ...newRecord(table), ...rest })
  const mark = Object.keys(table.columns).findLast((column) => marked(table.columns[column] ?? ''))
  return {
    table,
    records,
    make,
    async written(rest) {
      const record = make(rest)
      assert.equal(await records.write(table, record, 0), true, 'a first write was refused')
      return record
    },
    keyOf,
    stored: (record, version = 1) => ({ ...record, ...(table.version && { version }) }),
    find: async (record) => records.find(table, keyOf(record)),
    list: async (owner) => [...(await records.list(table, String(owner)))].sort(byText),
    markColumn: mark ?? '',
  }
}

/** Compares records by their texts. */
export function byText(one: StoredRecord, other: StoredRecord): number {
  return JSON.stringify(one) < JSON.stringify(other) ? -1 : 1
}

/** Returns a record with new values. It has not expired. */
export function newRecord({ columns, expires }: RecordTable): StoredRecord {
  const made: Readonly<Record<string, () => RecordValue>> = {
    number: () => 1_900_000_000,
    boolean: () => false,
    time: () => new Date('2031-02-03T04:05:06.789Z'),
  }
  const values = Object.entries(columns).map(([column, type]) => {
    if (column === expires) return [column, type.endsWith('?') ? null : future()] as const
    return [column, (made[type.replace('?', '')] ?? newId)()] as const
  })
  return Object.fromEntries(values)
}

/* ---- kinds of tables ------------------------------------------------------------------------------------------ */

const marked = (type: string) => type === 'text' || type === 'longText'
/** Checks whether records have a column that distinguishes those of a test ({@link RecordSubject.markColumn}). */
export const hasMark = ({ columns }: RecordTable) => Object.values(columns).some(marked)
/** Checks whether records have versions. */
export const versioned = ({ version }: RecordTable) => version
/** Checks whether records are written once, and taken once. */
export const takenOnce = ({ version }: RecordTable) => !version
/** Checks whether records are listed by their owner. */
export const listed = ({ by }: RecordTable) => by !== undefined
/** Checks whether an owner can have many records. */
export const manyPerOwner = ({ by, key }: RecordTable) => by !== undefined && (key.length > 1 || key[0] !== by)
/** Checks whether records expire. */
export const expiring = ({ expires }: RecordTable) => expires !== undefined
