/** The values of records in SQL columns. */
import type { RecordTable, RecordValue, StoredRecord } from '../../types/store.js'
import type { Dialect, Row } from './database.js'
import { fromColumn, isStorableId } from './values.js'

/**
 * Converts a record to a row. Errors omit the value, because an id can be an address.
 *
 * @throws {TypeError} for a value that the database would not return unchanged.
 */
export function encodeRecord({ columns }: RecordTable, dialect: Dialect, record: StoredRecord): Row {
  const values = Object.entries(columns).map(([column, type]) => {
    const value = record[column] ?? null
    if (type === 'id' && !(typeof value === 'string' && isStorableId(value)))
      throw new TypeError('An id cannot be stored exactly.')
    return [column, toValue(dialect, value)] as const
  })
  return Object.fromEntries(values)
}

function toValue(dialect: Dialect, value: RecordValue): unknown {
  if (value instanceof Date) return dateToTime(value)
  if (typeof value === 'number') return Math.trunc(value)
  return typeof value === 'boolean' && dialect !== 'postgres' ? Number(value) : value
}

/**
 * Returns milliseconds since the epoch.
 *
 * @throws {TypeError} for an invalid date, which a database could store as null.
 */
function dateToTime(date: Date): number {
  const time = date.getTime()
  if (Number.isNaN(time)) throw new TypeError('A date is needed.')
  return time
}

/** Converts a row to a record. */
export function decodeRecord({ columns, version }: RecordTable, row: Row): StoredRecord {
  const values = Object.entries(columns).map(([column, type]) => [column, fromValue(type, row[column])] as const)
  return { ...Object.fromEntries(values), ...(version && { version: Number(row.version) }) }
}

/** Converts a column to a value. Drivers return large numbers as text. */
function fromValue(type: RecordTable['columns'][string], value: unknown): RecordValue {
  if (value === null || value === undefined) return null
  if (type.startsWith('time')) return new Date(Number(value))
  if (type.startsWith('number')) return Number(value)
  return type === 'boolean' ? fromColumn('boolean', value) === true : String(value)
}
