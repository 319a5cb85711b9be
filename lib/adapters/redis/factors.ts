/**
 * Second factors in Redis.
 *
 * ```
 * <prefix>factors:<"user id">   hash: "id" → <version> <expiresAt in ms, 0 for never> <JSON of the rest>
 * ```
 *
 * A factor whose time is over goes with the next change of what the user has, and the key ends when all that is in it has ended. Times
 * are those of Redis' clock.
 *
 * Redis must keep these keys: no eviction (`maxmemory-policy noeviction`), and a file to restart from (`appendonly yes`, best with
 * `appendfsync always`). Who loses them lets people in with one factor.
 */
import type { FactorStore, StoredFactor } from '../../types/factors.js'
import { isDone, toArray, toCount } from './answers.js'
import { type IORedisClient, type NodeRedisClient, toCommands } from './commands.js'
import { type Inspected, inspect } from './inspect.js'

/** Options of {@link redisFactors}. */
export interface RedisFactorsOptions {
  /** Stands before every key. Default `server-auth:`. Applications that share a database each need their own. */
  prefix?: string
}

/**
 * Keeps second factors in Redis, for all processes. Make it once, as the client.
 *
 * @param client A connected client of `redis` or `ioredis`.
 * @throws {TypeError} for anything else.
 * @example
 * ```ts
 * const factors = redisFactors(client)
 * ```
 */
export function redisFactors(
  client: NodeRedisClient | IORedisClient,
  { prefix = 'server-auth:' }: RedisFactorsOptions = {},
): FactorStore & Inspected {
  const commands = toCommands(client, 'redisFactors')
  const { run } = commands
  const keyOf = (userId: string) => `${prefix}factors:${JSON.stringify(userId)}`
  return {
    inspect: async () => [await inspect(commands, 'forever')],
    async list(userId) {
      const rows = toArray(await run(scripts.list, [keyOf(userId)]))
      return rows.map((row) => toStored(userId, String(row))).sort(byAge)
    },
    async write(factor, previous) {
      const words = [JSON.stringify(factor.id), String(previous), endOf(factor), toText(factor)]
      return isDone(await run(scripts.write, [keyOf(factor.userId)], ...words))
    },
    async remove(userId, id) {
      if (id === undefined) return toCount(await run(scripts.removeAll, [keyOf(userId)]))
      return toCount(await run(scripts.remove, [keyOf(userId)], JSON.stringify(id)))
    },
  }
}

/** Drops what is over, and lets the key end with the last of what ends. */
const dropExpired = `
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

const scripts = {
  list: `return redis.call('HVALS', KEYS[1])`,
  write: `
local row = redis.call('HGET', KEYS[1], ARGV[1]) or '0 '
if string.match(row, '^%d+') ~= ARGV[2] then return 0 end
local version = string.format('%.0f', ARGV[2] + 1)
redis.call('HSET', KEYS[1], ARGV[1], version .. ' ' .. ARGV[3] .. ' ' .. ARGV[4])
${dropExpired}
return 1`,
  remove: `
local removed = redis.call('HDEL', KEYS[1], ARGV[1])
${dropExpired}
return removed`,
  removeAll: `
local removed = redis.call('HLEN', KEYS[1])
redis.call('DEL', KEYS[1])
return removed`,
}

/** @throws {RangeError} for an invalid date. */
function endOf({ expiresAt }: Pick<StoredFactor, 'expiresAt'>): string {
  if (expiresAt === null) return '0'
  // Where Redis reads a number there is no sign; what ended before 1970 has ended after it, too.
  return String(Math.max(1, Date.parse(expiresAt.toISOString())))
}

function toText({ id, type, name, data, createdAt, usedAt, expiresAt }: Omit<StoredFactor, 'userId' | 'version'>) {
  // The dates are written as text, and an invalid one would be `null`.
  const dates = [createdAt, usedAt, expiresAt].map((date) => date?.toISOString() ?? null)
  return JSON.stringify([id, type, name, data, ...dates])
}

type Written = readonly [
  id: string,
  type: string,
  name: string | null,
  data: string,
  createdAt: string,
  usedAt: string | null,
  expiresAt: string | null,
]

/** Reads what the script wrote. */
function toStored(userId: string, row: string): StoredFactor {
  const [version = ''] = /^\d+/.exec(row) ?? []
  const [id, type, name, data, createdAt, usedAt, expiresAt] = JSON.parse(row.slice(row.indexOf('['))) as Written
  return {
    userId,
    id,
    type,
    name,
    data,
    version: Number(version),
    createdAt: new Date(createdAt),
    usedAt: usedAt === null ? null : new Date(usedAt),
    expiresAt: expiresAt === null ? null : new Date(expiresAt),
  }
}

function byAge(one: StoredFactor, other: StoredFactor): number {
  return one.createdAt.getTime() - other.createdAt.getTime() || (one.id < other.id ? -1 : 1)
}
