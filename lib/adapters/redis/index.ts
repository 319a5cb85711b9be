/** `server-auth/adapters/redis`: sessions, what of them has ended, counted attempts, provider tokens and second factors, in Redis. The client is yours. */
export type { IORedisClient, NodeRedisClient } from './commands.js'
export { type RedisFactorsOptions, redisFactors } from './factors.js'
export type { Inspected } from './inspect.js'
export { type RedisLimitsOptions, redisLimits } from './limits.js'
export { type RedisRevocationsOptions, redisRevocations } from './revocations.js'
export { type RedisSessions, type RedisSessionsOptions, redisSessions } from './sessions.js'
export { type RedisTokensOptions, redisTokens } from './tokens.js'
