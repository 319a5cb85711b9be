/** `server-auth/adapters/redis`: sessions, and what of them has ended, in Redis. The client is yours. */
export type { IORedisClient, NodeRedisClient } from './commands.js'
export { type RedisRevocationsOptions, redisRevocations } from './revocations.js'
export { type RedisSessions, type RedisSessionsOptions, redisSessions } from './sessions.js'
