/** Lua scripts that each use one key. */

/** Removes expired members. The clock of Redis decides, as it does for the sessions themselves. */
const dropExpiredMembers = `
local now = redis.call('TIME')
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now[1] * 1000)`

export const sessionScripts = {
  /** A script, because the clients spell the options of SET differently. */
  set: `return redis.call('SET', KEYS[1], ARGV[1], 'PXAT', ARGV[2], ARGV[3])`,
  /** `GT`: a session that is extended and shortened at the same time is listed for the longer time. */
  note: `${dropExpiredMembers}
redis.call('ZADD', KEYS[1], 'GT', ARGV[1], ARGV[2])
local last = redis.call('ZRANGE', KEYS[1], -1, -1, 'WITHSCORES')
return redis.call('PEXPIREAT', KEYS[1], string.format('%.0f', last[2]))`,
  read: `${dropExpiredMembers}
return redis.call('ZRANGE', KEYS[1], 0, -1)`,
  /** Writes if the value has not changed since it was read. An existing key keeps its expiry. */
  swap: `local held = redis.call('GET', KEYS[1])
if (held or '') ~= ARGV[1] then return 0 end
if held then redis.call('SET', KEYS[1], ARGV[2], 'KEEPTTL')
else redis.call('SET', KEYS[1], ARGV[2], 'PXAT', ARGV[3]) end
return 1`,
  /** Extends the expiry. `GT` of PEXPIREAT needs Redis 7. */
  prolong: `local now = redis.call('TIME')
local left = redis.call('PTTL', KEYS[1])
if left >= 0 and now[1] * 1000 + left < tonumber(ARGV[1]) then return redis.call('PEXPIREAT', KEYS[1], ARGV[1]) end
return 0`,
  forget: `return redis.call('ZREM', KEYS[1], unpack(ARGV))`,
}
