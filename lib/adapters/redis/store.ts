/** `redisStore`: the contracts of stores in Redis 6.2 or later. */
import type { CounterStore, LogStore, Store, StoreInspection } from '../../types/store.js'
import { type IORedisClient, type NodeRedisClient, toCommands } from './commands.js'
import { createCounter } from './counter.js'
import { inspect } from './inspect.js'
import { createLog } from './log.js'
import { createRecords } from './records.js'

/** Options of {@link redisStore}. */
export interface RedisStoreOptions {
  /** Stands before every key. Default `server-auth:`. Applications that share a database each need their own. */
  prefix?: string
}

/** The store that {@link redisStore} makes. */
export interface RedisStore extends Store {
  /** Counts attempts, with all methods. */
  readonly counter: Required<CounterStore>
  /** Keeps the ends of sessions, with all methods. */
  readonly log: Required<LogStore>
  /** Describes whether Redis keeps what it stores. Rejects when Redis does not answer. */
  inspect(): Promise<readonly StoreInspection[]>
}

/**
 * Makes a store in Redis, which all processes share. Make it once, as the client.
 *
 * Redis must keep its keys: no eviction (`maxmemory-policy noeviction`), and a file to restart from (`appendonly yes`, best with
 * `appendfsync always`). Without them users may sign in with one factor, and sessions that had ended may be open again.
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
    records: createRecords(commands, prefix),
    counter: createCounter(commands, prefix),
    log: createLog(commands, prefix),
    inspect: async () => [await inspect(commands, 'forever')],
  }
}
