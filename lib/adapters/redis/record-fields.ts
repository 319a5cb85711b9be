/** The fields of a hash in Redis that stores a record, and their values as text. */
import type { ColumnType, RecordKey, RecordTable, RecordValue, StoredRecord } from '../../types/store.js'
import type { Commands } from './commands.js'
import { readListResult } from './script-results.js'

/** The field names that differ from the column names. */
const fieldNameByColumn: Readonly<Record<string, string>> = {
  userId: 'user',
  expiresAt: 'expires',
  needsConsent: 'consent',
}

/** Returns the name of a table in keys. */
export function redisTableName({ name }: RecordTable): string {
  return name.replace(/^auth_(provider_)?/, '')
}

/** Returns a text for the key of a record. The quotes of JSON separate the values. */
export function recordName({ key }: RecordTable, row: StoredRecord): string {
  return JSON.stringify(key.map((column) => row[column]))
}

export function fieldFor(column: string): string {
  return fieldNameByColumn[column] ?? column
}

/** Returns the columns that are fields: all except those in the name of the key. */
function fieldColumns({ columns, key }: RecordTable): Array<[name: string, type: ColumnType]> {
  return Object.entries(columns).filter(([name]) => !key.includes(name))
}

export function fieldNames(table: RecordTable): string[] {
  return [...fieldColumns(table).map(([name]) => fieldFor(name)), 'version']
}

/** Converts a record to fields. Nullable values are JSON. */
export function toFields(table: RecordTable, record: StoredRecord): string[] {
  return fieldColumns(table).flatMap(([name, type]) => {
    const value = record[name] ?? null
    if (type === 'boolean') return [fieldFor(name), value === true ? '1' : '0']
    const plain = value instanceof Date ? value.toISOString() : value
    return [fieldFor(name), type.endsWith('?') ? JSON.stringify(plain) : String(plain)]
  })
}

/** Reads a record of fields. `values` are those of the key. */
export function fromFields(table: RecordTable, values: readonly string[], answer: unknown): StoredRecord | null {
  const texts = readListResult(answer)
  const [first, version] = [texts[0], texts.at(-1)]
  if (first === null || first === undefined) return null
  const key = table.key.map((name, at) => [name, values[at] ?? ''] as const)
  const columns = fieldColumns(table).map(([name, type], at) => [name, fromField(type, String(texts[at]))] as const)
  return { ...Object.fromEntries([...key, ...columns]), version: Number(version) }
}

/** Finds the record in a hash. */
export async function findFields(
  run: Commands['run'],
  hash: string,
  { table, key }: { readonly table: RecordTable; readonly key: RecordKey },
): Promise<StoredRecord | null> {
  const values = table.key.map((column) => key[column] ?? '')
  return fromFields(table, values, await run(findScript, [hash], ...fieldNames(table)))
}

const findScript = `return redis.call('HMGET', KEYS[1], unpack(ARGV))`

function fromField(type: ColumnType, text: string): RecordValue {
  if (type === 'boolean') return text === '1'
  return toTypedValue(type, type.endsWith('?') ? (JSON.parse(text) as RecordValue) : text)
}

export function toTypedValue(type: ColumnType, value: RecordValue): RecordValue {
  if (value !== null && type.startsWith('time')) return new Date(String(value))
  return value !== null && type.startsWith('number') ? Number(value) : value
}
