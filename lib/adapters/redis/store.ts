/** `redisStore`: a store in Redis 6.2 or later. */
import type { CounterStore, LogStore, Store, StoreInspection } from '../../types/store.js'
import { type IORedisClient, type NodeRedisClient, toCommands } from './commands.js'
import { createRedisCounter } from './counter.js'
import { inspectRedis } from './inspect.js'
import { createRedisLog } from './log.js'
import { createRedisRecords } from './records.js'

/** The options of {@link redisStore}. */
export interface RedisStoreOptions {
  /** The prefix of every key. Default `server-auth:`. Applications that share a database need different prefixes. */
  prefix?: string
}

/** The store of {@link redisStore}. */
export interface RedisStore extends Store {
  /** The counter of attempts, with all methods. */
  readonly counter: Required<CounterStore>
  /** The log of ended sessions, with all methods. */
  readonly log: Required<LogStore>
  /** Returns whether Redis keeps its keys. Rejects when Redis does not answer. */
  inspect(): Promise<readonly StoreInspection[]>
}

/**
 * Creates a store in Redis, which all processes share. Create it once, like the client.
 *
 * Redis must keep its keys: no eviction (`maxmemory-policy noeviction`), and a file to restart from (`appendonly yes`,
 * best with `appendfsync always`). Otherwise users may sign in with one factor, and ended sessions may be valid again.
 *
 * @param client A connected client of `redis` or `ioredis`.
 * @throws {TypeError} for anything else.
 * @example
 * ```ts
 * const config = { providers: [Google], session: { revocation: redisStore(client) } }
 * ```
 */
export function redisStore(
  client: NodeRedisClient | IORedisClient,
  { prefix = 'server-auth:' }: RedisStoreOptions = {},
): RedisStore {
  const commands = toCommands(client, 'redisStore')
  return {
    records: createRedisRecords(commands, prefix),
    counter: createRedisCounter(commands, prefix),
    log: createRedisLog(commands, prefix),
    inspect: async () => [await inspectRedis(commands, 'forever')],
  }
}
