/**
 * Records in Redis of tables that are changed together, such as those of organizations.
 *
 * ```
 * <prefix>{<group>}:<table>:<["key","columns"]>   hash: the other columns, `version`, and the names of its sets
 * <prefix>{<group>}:<table>:<column>:<"value">    sorted set of ["key","columns"]: by the first column of the key, and by `by`
 * ```
 *
 * The braces keep all tables of a group in one slot of a cluster, so that one script changes them together. A record that
 * has expired is removed with the next write to the same set.
 */
import type {
  RecordChange,
  RecordKey,
  RecordPageQuery,
  RecordStore,
  RecordTable,
  RecordValue,
  StoredRecord,
} from '../../types/store.js'
import type { Commands } from './commands.js'
import { fieldNames, findFields, fromFields, recordName, redisTableName, toFields } from './record-fields.js'
import { readListResult } from './script-results.js'

/** A change, as the script reads it: a write, the removal of a record, or the removal of all records in a set. */
interface Step {
  readonly row?: string
  readonly name?: string
  readonly previous?: string
  readonly fields?: readonly string[]
  readonly sets?: readonly string[]
  /** The time in milliseconds after which the record is removed, with the next write to its set. */
  readonly until?: number
  /** The set in which the record to remove must be. */
  readonly within?: string | undefined
  readonly set?: string
  readonly place?: string
}

/** Returns the functions that name keys, and describe changes to the script. */
function stepsFor(prefix: string) {
  const placeOf = (table: RecordTable) => `${prefix}{${table.group}}:${redisTableName(table)}:`
  const setOf = (table: RecordTable, column: string, value: RecordValue | undefined) =>
    `${placeOf(table)}${column}:${JSON.stringify(value)}`
  const rowOf = (table: RecordTable, name: string) => placeOf(table) + name
  /** Returns the sets of a record: by the first column of its key, and by the column by which it is listed. */
  const setsOf = (table: RecordTable, record: StoredRecord) =>
    [...new Set([table.key[0] ?? '', table.by ?? table.key[0] ?? ''])].map((column) =>
      setOf(table, column, record[column]),
    )
  const toRemoval = (table: RecordTable, where: RecordKey): Step => {
    const [first = ''] = table.key
    const { by = first } = table
    if (!table.key.every((column) => where[column] !== undefined)) {
      const column = where[first] === undefined ? by : first
      return { set: setOf(table, column, where[column]), place: placeOf(table) }
    }
    const name = recordName(table, where)
    const within = where[by] === undefined ? undefined : setOf(table, by, where[by])
    return { row: rowOf(table, name), name, within }
  }
  const toStep = (change: RecordChange): Step => {
    const { table } = change
    if ('remove' in change) return toRemoval(table, change.remove)
    const name = recordName(table, change.record)
    const fields = toFields(table, change.record)
    const end = table.expires === undefined ? undefined : change.record[table.expires]
    return {
      row: rowOf(table, name),
      name,
      previous: String(change.previous),
      fields: [...fields, 'version', String(change.previous + 1)],
      sets: setsOf(table, change.record),
      ...(end instanceof Date && { until: end.getTime() }),
    }
  }
  return { placeOf, setOf, rowOf, toStep, toRemoval }
}

/** Creates the store of these tables. */
export function groupRecords(
  run: Commands['run'],
  prefix: string,
): Pick<Required<RecordStore>, 'find' | 'list' | 'write' | 'remove' | 'writeAll' | 'page'> {
  const { placeOf, setOf, rowOf, toStep, toRemoval } = stepsFor(prefix)
  /** Makes changes. Returns the number of removed records; -1 if a record had another version. */
  const apply = async (steps: readonly Step[]) => {
    const keys = steps.flatMap(({ row, set, sets = [] }) => [row, set, ...sets]).filter((key) => key !== undefined)
    const count = Number(await run(scripts.apply, [...new Set(keys)], JSON.stringify(steps)))
    if (Number.isSafeInteger(count) && count >= -1) return count
    throw new Error('Redis: a script returned no count')
  }
  const select = async (table: RecordTable, set: string, { after, limit = -1 }: Partial<RecordPageQuery>) => {
    const from = after === undefined ? '-' : `(${after}`
    const rows = await run(scripts.select, [set], from, String(limit), placeOf(table), ...fieldNames(table))
    return readListResult(rows).flatMap((row) => {
      const [name, fields] = readListResult(row)
      const record = fromFields(table, JSON.parse(String(name)) as string[], fields)
      return record ? [record] : []
    })
  }
  return {
    find: (table, key) => findFields(run, rowOf(table, recordName(table, key)), { table, key }),
    list: (table, by) => select(table, setOf(table, String(table.by), by), {}),
    page(table, first, { after, limit }) {
      const last = after === undefined ? {} : { after: JSON.stringify([first, after]) }
      return select(table, setOf(table, table.key[0] ?? '', first), { ...last, limit })
    },
    write: async (table, record, previous) => (await apply([toStep({ table, record, previous })])) === 0,
    remove: async (table, where) => apply([toRemoval(table, where)]),
    writeAll: async (changes) => (await apply(changes.map(toStep))) >= 0,
  }
}

const scripts = {
  select: `
local found = {}
for i, name in ipairs(redis.call('ZRANGEBYLEX', KEYS[1], ARGV[1], '+', 'LIMIT', 0, ARGV[2])) do
  found[i] = { name, redis.call('HMGET', ARGV[3] .. name, unpack(ARGV, 4)) }
end
return found`,
  /** Compares all versions before the first change. */
  apply: `
local steps = cjson.decode(ARGV[1])
for _, step in ipairs(steps) do
  if step.fields and (redis.call('HGET', step.row, 'version') or '0') ~= step.previous then return -1 end
end
local function remove(row, name, within)
  local sets = redis.call('HGET', row, 'sets')
  if not sets then return 0 end
  sets = cjson.decode(sets)
  local isWithin = within == nil
  for _, set in ipairs(sets) do isWithin = isWithin or set == within end
  if not isWithin then return 0 end
  for _, set in ipairs(sets) do redis.call('ZREM', set, name) end
  return redis.call('DEL', row)
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function prune(step)
  local place = string.sub(step.row, 1, #step.row - #step.name)
  for _, name in ipairs(redis.call('ZRANGE', step.sets[1], 0, -1)) do
    local ends = redis.call('HGET', place .. name, 'until')
    if name ~= step.name and ends and tonumber(ends) <= now then remove(place .. name, name) end
  end
end
local removed = 0
for _, step in ipairs(steps) do
  if step.fields then
    remove(step.row, step.name)
    redis.call('HSET', step.row, 'sets', cjson.encode(step.sets), unpack(step.fields))
    for _, set in ipairs(step.sets) do redis.call('ZADD', set, 0, step.name) end
    if step['until'] then
      redis.call('HSET', step.row, 'until', string.format('%.0f', step['until']))
      prune(step)
    end
  elseif step.set then
    for _, name in ipairs(redis.call('ZRANGE', step.set, 0, -1)) do
      removed = removed + remove(step.place .. name, name)
    end
  else
    removed = removed + remove(step.row, step.name, step.within)
  end
end
return removed`,
}
