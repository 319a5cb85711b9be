/** `server-auth/adapters/redis`: sessions, and a store, in Redis. The application provides the client. */
export type { IORedisClient, NodeRedisClient } from './commands.js'
export { type RedisSessions, type RedisSessionsOptions, redisSessions } from './sessions.js'
export { type RedisStore, type RedisStoreOptions, redisStore } from './store.js'
