/**
 * The log of ended sessions in Redis 6.2 or later.
 *
 * ```
 * <prefix>{revocations}:rows   hash: by key, JSON of when it may be removed (`u`) and, by `exceptSid`, what has ended (`m`)
 * <prefix>{revocations}:at     sorted set of keys, scored by a unique time of writing (ms of Redis' clock)
 * <prefix>{revocations}:ends   sorted set of keys, scored by when they may be removed (s)
 * <prefix>listed:<user key>    hash: by `sid` of a live session, its times and sign-in; lives as long as the last of them
 * ```
 *
 * The braces keep the first three in one slot of a cluster, so that one script can change them together. Each addition
 * removes some expired entries.
 *
 * Redis must keep these keys: no eviction (`maxmemory-policy noeviction`), and a file to restart from (`appendonly
 * yes`). Processes that start later do not know of ended sessions that Redis lost.
 */
import type { FoundRevocations, ListedSession, LogStore, Revocation, RevocationPage } from '../../types/store.js'
import type { Commands } from './commands.js'
import { readListResult } from './script-results.js'

/** The maximum number of entries of one call. */
const pageSize = 1000
/** Milliseconds. A replica that takes over may lack the last writes and have a different clock. */
const overlap = 5000

/** Creates the log. */
export function createRedisLog({ run }: Commands, prefix: string): Required<LogStore> {
  const listOf = (userKey: string) => `${prefix}listed:${userKey}`
  const keys = ['rows', 'at', 'ends'].map((name) => `${prefix}{revocations}:${name}`)
  return {
    async add(revocations) {
      const words = revocations.flatMap(({ key, exceptSid, notBefore, until }) => [key, exceptSid, notBefore, until])
      if (words.length > 0) await run(logScripts.add, keys, ...words.map(String))
    },
    async replace({ key, notBefore, until }) {
      await run(logScripts.replace, keys, key, String(notBefore), String(until))
    },
    async find(wanted) {
      return toFoundRevocations(wanted, await run(logScripts.find, keys, ...wanted))
    },
    async changes(cursor) {
      const [begin, from] = /^(\d+) (.+)$/.exec(cursor ?? '')?.slice(1) ?? [undefined, cursor ?? '-inf']
      return toPage(begin, await run(logScripts.changes, keys, from ?? '-inf', String(pageSize)))
    },
    async list({ sid, userKey, begunAt, usedAt, until, beginning = '' }) {
      await run(logScripts.list, [listOf(userKey)], sid, String(begunAt), String(usedAt), String(until), beginning)
    },
    async listed(userKey) {
      return toListed(userKey, await run(logScripts.listed, [listOf(userKey)]))
    },
    async unlist(userKey, sids) {
      if (sids.length > 0) await run(logScripts.unlist, [listOf(userKey)], ...sids)
    },
  }
}

/** The Lua function `writePassword` gives each change its own time, so that a page can end between any two. */
const luaWrite = `
local time = redis.call('TIME')
local last = redis.call('ZRANGE', KEYS[2], -1, -1, 'WITHSCORES')
local at = math.max(time[1] * 1000 + math.floor(time[2] / 1000), tonumber(last[2] or 0))
local function write(key, row)
  at = at + 0.001
  redis.call('HSET', KEYS[1], key, cjson.encode(row))
  redis.call('ZADD', KEYS[2], string.format('%.3f', at), key)
  redis.call('ZADD', KEYS[3], row.u, key)
end
`

const logScripts = {
  add: `${luaWrite}
for i = 1, #ARGV, 4 do
  local key, except = ARGV[i], ARGV[i + 1]
  local text = redis.call('HGET', KEYS[1], key)
  local row = text and cjson.decode(text) or { u = 0, m = {} }
  row.m[except] = math.max(row.m[except] or 0, tonumber(ARGV[i + 2]))
  row.u = math.max(row.u, tonumber(ARGV[i + 3]))
  write(key, row)
end
for _, key in ipairs(redis.call('ZRANGEBYSCORE', KEYS[3], '-inf', time[1], 'LIMIT', 0, 100)) do
  redis.call('HDEL', KEYS[1], key)
  redis.call('ZREM', KEYS[2], key)
  redis.call('ZREM', KEYS[3], key)
end
return 1`,
  replace: `${luaWrite}
local text = redis.call('HGET', KEYS[1], ARGV[1])
local row = text and cjson.decode(text)
if not row or not row.m[''] then return 0 end
row.m[''] = tonumber(ARGV[2])
row.u = tonumber(ARGV[3])
write(ARGV[1], row)
return 1`,
  list: `
local begun, used, last, how = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]), ARGV[5]
local text = redis.call('HGET', KEYS[1], ARGV[1])
if text then
  local before = cjson.decode(text)
  begun, used, last, how = before[1], math.max(used, before[2]), math.max(last, before[3]), before[4] or ''
end
redis.call('HSET', KEYS[1], ARGV[1], cjson.encode({ begun, used, last, how }))
local time = redis.call('TIME')
if redis.call('TTL', KEYS[1]) < last - time[1] then redis.call('EXPIREAT', KEYS[1], last + 1) end
return 1`,
  listed: `
local time = redis.call('TIME')
local rows = redis.call('HGETALL', KEYS[1])
local found = {}
for i = 1, #rows, 2 do
  if cjson.decode(rows[i + 1])[3] < tonumber(time[1]) then
    redis.call('HDEL', KEYS[1], rows[i])
  else
    found[#found + 1] = rows[i]
    found[#found + 1] = rows[i + 1]
  end
end
return found`,
  unlist: `return redis.call('HDEL', KEYS[1], unpack(ARGV))`,
  find: `
local time = redis.call('TIME')
return { time[1], #ARGV > 0 and redis.call('HMGET', KEYS[1], unpack(ARGV)) or {} }`,
  changes: `
local time = redis.call('TIME')
local found = redis.call('ZRANGEBYSCORE', KEYS[2], ARGV[1], '+inf', 'LIMIT', 0, ARGV[2])
local texts = #found > 0 and redis.call('HMGET', KEYS[1], unpack(found)) or {}
local last = #found > 0 and redis.call('ZSCORE', KEYS[2], found[#found]) or ''
return { time[1], found, texts, last }`,
}

function toFoundRevocations(keys: readonly string[], answer: unknown): FoundRevocations {
  const [now, texts] = readListResult(answer)
  const revocations = readListResult(texts).flatMap((text, at) => toRevocations(keys[at], text))
  return { revocations, now: Number(now) }
}

function toPage(begin: string | undefined, answer: unknown): RevocationPage {
  const [now, keys, texts, last] = readListResult(answer)
  const names = readListResult(keys).map(String)
  const revocations = readListResult(texts).flatMap((text, at) => toRevocations(names[at], text))
  const start = begin ?? String(Number(now) * 1000)
  const isLast = names.length < pageSize
  return { revocations, cursor: isLast ? String(Number(start) - overlap) : `${start} (${String(last)}`, isLast }
}

/** Reads the JSON of the scripts. A missing key has no text. */
function toRevocations(key: string | undefined, text: unknown): Revocation[] {
  if (key === undefined || text === null || text === undefined) return []
  const { u: until, m: marks } = JSON.parse(String(text)) as { u: number; m: Record<string, number> }
  return Object.entries(marks).map(([exceptSid, notBefore]) => ({ key, exceptSid, notBefore, until }))
}

/** `begunAt`, `usedAt`, `until`, and `beginning`, which older entries lack. */
type ListedValue = readonly [number?, number?, number?, string?]

/** Reads alternating `sid` and JSON. */
function toListed(userKey: string, answer: unknown): ListedSession[] {
  const words = readListResult(answer).map(String)
  return words.flatMap((sid, at) => {
    if (at % 2 === 1) return []
    const [begunAt = 0, usedAt = 0, until = 0, beginning = ''] = JSON.parse(words[at + 1] ?? '[]') as ListedValue
    return [{ sid, userKey, begunAt, usedAt, until, ...(beginning !== '' && { beginning }) }]
  })
}
