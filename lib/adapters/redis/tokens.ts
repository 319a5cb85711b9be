/**
 * Provider tokens in Redis.
 *
 * ```
 * <prefix>{tokens}:account:<["provider","id"]>   hash: what the row of an account has; `lease` and `until` (ms) while somebody renews it
 * <prefix>{tokens}:user:<"user id">              set of ["provider","id"]: the accounts of a user
 * ```
 *
 * None of them ends by itself. The braces keep all in one slot of a cluster, so that one script changes a row and the set it stands in.
 * Times are those of Redis' clock.
 *
 * Redis must keep these keys: no eviction (`maxmemory-policy noeviction`), and a file to restart from (`appendonly yes`, best with
 * `appendfsync always`). Who loses the newest write has the refresh token before it, and a provider that rotates them takes that for a
 * theft.
 */
import type { AccountKey } from '../../types/adapter.js'
import type { StoredTokens, TokenStore } from '../../types/tokens.js'
import { isDone, toArray } from './answers.js'
import { type IORedisClient, type NodeRedisClient, toCommands } from './commands.js'
import { type Inspected, inspect } from './inspect.js'

/** Options of {@link redisTokens}. */
export interface RedisTokensOptions {
  /** Stands before every key. Default `server-auth:`. Applications that share a database each need their own. */
  prefix?: string
}

/**
 * Keeps provider tokens in Redis, for `tokens.store`, so that all processes use and renew the same ones. Make it once, as the client.
 *
 * @param client A connected client of `redis` or `ioredis`.
 * @throws {TypeError} for anything else.
 * @example
 * ```ts
 * const config = { providers: [Google], tokens: { store: redisTokens(client) } }
 * ```
 */
export function redisTokens(
  client: NodeRedisClient | IORedisClient,
  { prefix = 'server-auth:' }: RedisTokensOptions = {},
): TokenStore & Inspected {
  const commands = toCommands(client, 'redisTokens')
  const { run } = commands
  const rowOf = (name: string) => `${prefix}{tokens}:account:${name}`
  const setOf = (userId: string) => `${prefix}{tokens}:user:${JSON.stringify(userId)}`
  return {
    inspect: async () => [await inspect(commands, 'forever')],
    find: async (key) => toStored(key, await run(scripts.find, [rowOf(nameOf(key))])),
    async findByUser(userId, provider) {
      const names = toArray(await run(scripts.names, [setOf(userId)]))
        .map(String)
        .sort()
      const chosen = names.filter((name) => provider === undefined || toKey(name).provider === provider)
      if (chosen.length === 0) return []
      const found = await run(scripts.findByUser, [setOf(userId), ...chosen.map(rowOf)], userId, ...chosen)
      return toArray(found).flatMap((row, at) => toStored(toKey(chosen[at] ?? ''), row) ?? [])
    },
    async write({ provider, providerAccountId, userId, sealed, expiresAt, scope, needsConsent }, previous) {
      const name = nameOf({ provider, providerAccountId })
      const words = [userId, sealed, JSON.stringify(expiresAt), JSON.stringify(scope), needsConsent ? '1' : '0']
      return isDone(await run(scripts.write, [rowOf(name), setOf(userId)], String(previous), name, ...words))
    },
    async lease(key, { version, leaseId, seconds }) {
      const milliseconds = String(Math.ceil(seconds * 1000))
      return isDone(await run(scripts.lease, [rowOf(nameOf(key))], String(version), leaseId, milliseconds))
    },
    release: (key, leaseId) => run(scripts.release, [rowOf(nameOf(key))], leaseId),
    async remove(key, userId) {
      const name = nameOf(key)
      await run(scripts.remove, [rowOf(name), setOf(userId)], userId, name)
    },
  }
}

const columns = `'user', 'sealed', 'version', 'expires', 'scope', 'consent'`

const scripts = {
  find: `return redis.call('HMGET', KEYS[1], ${columns})`,
  names: `return redis.call('SMEMBERS', KEYS[1])`,
  /** The row may have gone to another user: then its name is of no use here. */
  findByUser: `
local found = {}
for i = 2, #KEYS do
  local row = redis.call('HMGET', KEYS[i], ${columns})
  if row[1] ~= ARGV[1] then
    redis.call('SREM', KEYS[1], ARGV[i])
    row = {}
  end
  found[i - 1] = row
end
return found`,
  write: `
local version = redis.call('HGET', KEYS[1], 'version') or '0'
if version ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'user', ARGV[3], 'sealed', ARGV[4], 'version', string.format('%.0f', ARGV[1] + 1),
  'expires', ARGV[5], 'scope', ARGV[6], 'consent', ARGV[7])
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
if redis.call('HGET', KEYS[1], 'user') ~= ARGV[1] then return 0 end
redis.call('SREM', KEYS[2], ARGV[2])
return redis.call('DEL', KEYS[1])`,
}

/** JSON, whose quotes keep the two ids apart. */
function nameOf({ provider, providerAccountId }: AccountKey): string {
  return JSON.stringify([provider, providerAccountId])
}

/** Reads what `nameOf` wrote. */
function toKey(name: string): AccountKey {
  const [provider = '', providerAccountId = ''] = JSON.parse(name) as readonly string[]
  return { provider, providerAccountId }
}

function toStored({ provider, providerAccountId }: AccountKey, row: unknown): StoredTokens | null {
  const [userId, sealed, version, expiresAt, scope, needsConsent] = toArray(row)
  if (userId === null || userId === undefined) return null
  return {
    provider,
    providerAccountId,
    userId: String(userId),
    sealed: String(sealed),
    version: Number(version),
    expiresAt: JSON.parse(String(expiresAt)) as number | null,
    scope: JSON.parse(String(scope)) as string | null,
    needsConsent: String(needsConsent) === '1',
  }
}
