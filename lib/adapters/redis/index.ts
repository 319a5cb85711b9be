/** `server-auth/adapters/redis`: sessions, and the contracts of stores, in Redis. The client is yours. */
export type { IORedisClient, NodeRedisClient } from './commands.js'
export { type RedisSessions, type RedisSessionsOptions, redisSessions } from './sessions.js'
export { type RedisStore, type RedisStoreOptions, redisStore } from './store.js'
