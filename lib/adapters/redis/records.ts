/**
 * Records in Redis. `<table>` is the name of the table without `auth_` and `provider_`.
 *
 * For tables that are listed by the first column of their key, or never (factors, passwords, password attempts):
 *
 * ```
 * <prefix><table>:<"first">   hash: other columns of the key as JSON → <version> <expires in ms, 0 for never> <JSON of the other columns>
 * ```
 *
 * An expired record is removed with the next change of the hash. The key expires when all of its records have expired.
 *
 * For tables that are listed by another column (provider tokens, deletions, API keys; such tables have versions):
 *
 * ```
 * <prefix>{<table>}:account:<["key","columns"]>   hash: the other columns; `lease` and `until` (ms) while a process holds a lease
 * <prefix>{<table>}:user:<"by">                   set of ["key","columns"]
 * ```
 *
 * A record with an expiry is a key that expires. Its name in the set is removed when the set is listed.
 *
 * The braces keep both in one slot of a cluster, so that one script changes a record and its set. Times are those of Redis' clock.
 * Tables with a `group` are in `record-groups`.
 *
 * Redis must keep these keys: no eviction (`maxmemory-policy noeviction`), and a file to restart from (`appendonly yes`, best with
 * `appendfsync always`). Without second factors users sign in with one factor. Without the newest refresh token a provider that
 * rotates tokens ends the grant.
 */
import type { ColumnType, RecordKey, RecordStore, RecordTable, RecordValue, StoredRecord } from '../../types/store.js'
import type { Commands } from './commands.js'
import {
  fieldFor,
  fieldNames,
  findFields,
  fromFields,
  recordName,
  redisTableName,
  toFields,
  toTypedValue,
} from './record-fields.js'
import { groupRecords } from './record-groups.js'
import { readCountResult, readFlag, readListResult } from './script-results.js'

/** Creates the store. */
export function createRedisRecords({ run }: Commands, prefix: string): RecordStore {
  const grouped = groupedRecords(run, prefix)
  const indexed = indexedRecords(run, prefix)
  const together = groupRecords(run, prefix)
  const of = ({ by, key, group }: RecordTable) => {
    if (group !== undefined) return together
    return by === undefined || by === key[0] ? grouped : indexed
  }
  return {
    ...indexed,
    ...grouped,
    writeAll: together.writeAll,
    page: together.page,
    find: (table, key) => of(table).find(table, key),
    list: (table, by) => of(table).list(table, by),
    write: (table, record, previous) => of(table).write(table, record, previous),
    remove: (table, where) => of(table).remove(table, where),
  }
}

/* ---- grouped in one hash ---------------------------------------------------------------------------------------- */

function groupedRecords(
  run: Commands['run'],
  prefix: string,
): Pick<RecordStore, 'find' | 'list' | 'write' | 'take' | 'remove'> {
  const groupOf = ({ key: [first = ''] }: RecordTable, row: StoredRecord) => ({ [first]: String(row[first]) })
  const keyOf = (table: RecordTable, group: RecordKey) =>
    `${prefix}${redisTableName(table)}:${JSON.stringify(Object.values(group)[0])}`
  const fieldOf = ({ key }: RecordTable, row: StoredRecord) =>
    key
      .slice(1)
      .map((column) => JSON.stringify(row[column]))
      .join()
  const ask = async (script: string, table: RecordTable, key: RecordKey) => {
    const group = groupOf(table, key)
    const text = await run(script, [keyOf(table, group)], fieldOf(table, key))
    return text === null || text === undefined ? null : fromText(table, group, String(text))
  }
  return {
    find: (table, key) => ask(groupScripts.find, table, key),
    take: (table, key) => ask(groupScripts.take, table, key),
    async list(table, by) {
      const group = { [String(table.by)]: by }
      return readListResult(await run(groupScripts.list, [keyOf(table, group)])).map((row) =>
        fromText(table, group, String(row)),
      )
    },
    async write(table, record, previous) {
      const words = [fieldOf(table, record), String(previous), expiryText(table, record), recordToText(table, record)]
      return readFlag(await run(groupScripts.write, [keyOf(table, groupOf(table, record))], ...words))
    },
    async remove(table, where) {
      const isAll = table.key.some((column) => where[column] === undefined)
      const script = isAll ? groupScripts.removeAll : groupScripts.remove
      return readCountResult(await run(script, [keyOf(table, groupOf(table, where))], fieldOf(table, where)))
    },
  }
}

/** Removes expired records, and sets the key to expire with the last record. */
const dropExpiredRecords = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local last = 0
local rows = redis.call('HGETALL', KEYS[1])
for i = 1, #rows, 2 do
  local ends = tonumber(string.match(rows[i + 1], '^%d+ (%d+) '))
  if ends == 0 then last = math.huge
  elseif ends <= now then redis.call('HDEL', KEYS[1], rows[i])
  else last = math.max(last, ends) end
end
if last == math.huge then redis.call('PERSIST', KEYS[1])
elseif last > 0 then redis.call('PEXPIREAT', KEYS[1], string.format('%.0f', last)) end`

const groupScripts = {
  find: `return redis.call('HGET', KEYS[1], ARGV[1])`,
  list: `return redis.call('HVALS', KEYS[1])`,
  write: `
local row = redis.call('HGET', KEYS[1], ARGV[1]) or '0 '
if string.match(row, '^%d+') ~= ARGV[2] then return 0 end
local version = string.format('%.0f', ARGV[2] + 1)
redis.call('HSET', KEYS[1], ARGV[1], version .. ' ' .. ARGV[3] .. ' ' .. ARGV[4])
${dropExpiredRecords}
return 1`,
  take: `
local row = redis.call('HGET', KEYS[1], ARGV[1])
redis.call('HDEL', KEYS[1], ARGV[1])
${dropExpiredRecords}
return row`,
  remove: `
local removed = redis.call('HDEL', KEYS[1], ARGV[1])
${dropExpiredRecords}
return removed`,
  removeAll: `
local removed = redis.call('HLEN', KEYS[1])
redis.call('DEL', KEYS[1])
return removed`,
}

/** Returns the end of a record in milliseconds. Throws a RangeError for an invalid date. */
function expiryText({ expires }: RecordTable, record: StoredRecord): string {
  const end = expires === undefined ? null : record[expires]
  if (!(end instanceof Date)) return '0'
  // Redis' number here has no sign. A record that expired before 1970 is still expired.
  return String(Math.max(1, Date.parse(end.toISOString())))
}

/** Returns the columns in the text of a record: all except the one in the name of its key. */
function columnsIn({ columns, key }: RecordTable): Array<[name: string, type: ColumnType]> {
  return Object.entries(columns).filter(([name]) => name !== key[0])
}

function recordToText(table: RecordTable, record: StoredRecord): string {
  // Dates are converted here: JSON would write an invalid one as `null`.
  const plain = (value: RecordValue = null) => (value instanceof Date ? value.toISOString() : value)
  return JSON.stringify(columnsIn(table).map(([name]) => plain(record[name])))
}

/** Reads the text of the script. */
function fromText(table: RecordTable, group: RecordKey, row: string): StoredRecord {
  const values = JSON.parse(row.slice(row.indexOf('['))) as readonly RecordValue[]
  const columns = columnsIn(table).map(([name, type], at) => [name, toTypedValue(type, values[at] ?? null)] as const)
  const version = table.version ? { version: Number(/^\d+/.exec(row)?.[0]) } : undefined
  return { ...group, ...Object.fromEntries(columns), ...version }
}

/* ---- one hash for each record, with sets as index --------------------------------------------------------------- */

function indexedRecords(
  run: Commands['run'],
  prefix: string,
): Pick<RecordStore, 'find' | 'list' | 'write' | 'remove' | 'lease' | 'release'> {
  const rowOf = (table: RecordTable, name: string) => `${prefix}{${redisTableName(table)}}:account:${name}`
  const setOf = (table: RecordTable, by: RecordValue | undefined) =>
    `${prefix}{${redisTableName(table)}}:user:${JSON.stringify(by)}`
  const rowFor = (table: RecordTable, key: RecordKey) => rowOf(table, recordName(table, key))
  const list = async (table: RecordTable, by: string) => {
    const names = readListResult(await run(indexScripts.names, [setOf(table, by)])).map(String)
    if (names.length === 0) return []
    const keys = [setOf(table, by), ...names.map((name) => rowOf(table, name))]
    const field = fieldFor(String(table.by))
    const rows = readListResult(await run(indexScripts.list, keys, by, field, ...names, ...fieldNames(table)))
    return rows.flatMap((row, at) => {
      const record = fromFields(table, JSON.parse(names[at] ?? '[]') as string[], row)
      return record ? [record] : []
    })
  }
  /** Removes one record. @param owner The required value of `by`. Without it, the set keeps the obsolete name. */
  const removeOne = async (table: RecordTable, row: StoredRecord, owner = '') => {
    const name = recordName(table, row)
    const keys = [rowOf(table, name), setOf(table, owner)]
    return readCountResult(await run(indexScripts.remove, keys, owner, fieldFor(String(table.by)), name))
  }
  return {
    list,
    find: (table, key) => findFields(run, rowFor(table, key), { table, key }),
    async write(table, record, previous) {
      const name = recordName(table, record)
      const keys = [rowOf(table, name), setOf(table, record[String(table.by)])]
      const words = [String(previous), name, expiryText(table, record), ...toFields(table, record)]
      return readFlag(await run(indexScripts.write, keys, ...words))
    },
    async remove(table, where) {
      const owner = where[String(table.by)]
      if (table.key.every((column) => where[column] !== undefined)) return removeOne(table, where, owner)
      const counts = (await list(table, owner ?? '')).map((row) => removeOne(table, row, owner))
      return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)
    },
    async lease(table, key, { version, leaseId, seconds }) {
      const milliseconds = String(Math.ceil(seconds * 1000))
      return readFlag(await run(indexScripts.lease, [rowFor(table, key)], String(version), leaseId, milliseconds))
    },
    release: (table, key, leaseId) => run(indexScripts.release, [rowFor(table, key)], leaseId),
  }
}

const indexScripts = {
  names: `return redis.call('SMEMBERS', KEYS[1])`,
  /** Removes obsolete names from the set: a record may have moved to another user. */
  list: `
local found = {}
for i = 2, #KEYS do
  if redis.call('HGET', KEYS[i], ARGV[2]) ~= ARGV[1] then
    redis.call('SREM', KEYS[1], ARGV[i + 1])
    found[i - 1] = {}
  else
    found[i - 1] = redis.call('HMGET', KEYS[i], unpack(ARGV, #KEYS + 2))
  end
end
return found`,
  write: `
local version = redis.call('HGET', KEYS[1], 'version') or '0'
if version ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'version', string.format('%.0f', ARGV[1] + 1), unpack(ARGV, 4))
if ARGV[3] ~= '0' then redis.call('PEXPIREAT', KEYS[1], ARGV[3]) end
redis.call('SADD', KEYS[2], ARGV[2])
return 1`,
  lease: `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local row = redis.call('HMGET', KEYS[1], 'version', 'until', 'lease')
if row[1] ~= ARGV[1] then return 0 end
if tonumber(row[2] or 0) > now and row[3] ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], 'lease', ARGV[2], 'until', string.format('%.0f', now + ARGV[3]))
return 1`,
  release: `
if redis.call('HGET', KEYS[1], 'lease') ~= ARGV[1] then return 0 end
return redis.call('HDEL', KEYS[1], 'lease', 'until')`,
  remove: `
if ARGV[1] ~= '' and redis.call('HGET', KEYS[1], ARGV[2]) ~= ARGV[1] then return 0 end
redis.call('SREM', KEYS[2], ARGV[3])
return redis.call('DEL', KEYS[1])`,
}
