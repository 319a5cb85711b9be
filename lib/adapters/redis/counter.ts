/**
 * Counts attempts in Redis.
 *
 * ```
 * <prefix>{limits}:w:<key>   list of the times of counted attempts (ms), newest first, as many as are allowed
 * <prefix>{limits}:d:<key>   hash: failures (`n`), and when the next attempt is allowed (`next`, ms)
 * ```
 *
 * Both expire when they are no longer needed. The braces keep all in one slot of a cluster, so that one script counts
 * an attempt for a client and for an account. Times are those of Redis' clock.
 */
import type { Consumed, Consumption, CounterStore, KeyedConsumption } from '../../types/store.js'
import type { Commands } from './commands.js'

/** Creates the counter. An attempt takes one call, and a second one if it did not fail. */
export function createRedisCounter({ run }: Commands, prefix: string): Required<CounterStore> {
  const nameOf = ({ key, delay }: KeyedConsumption) => `${prefix}{limits}:${delay ? 'd' : 'w'}:${key}`
  const count = async (counts: readonly KeyedConsumption[]): Promise<Consumed[]> => {
    const words = counts.flatMap(({ cost, limit, window, delay }) => [
      cost,
      limit,
      Math.ceil(window * 1000),
      delay ? 1 : 0,
    ])
    return toAnswers(await run(counterScripts.consume, counts.map(nameOf), ...words.map(String)))
  }
  return {
    async consume(key, consumption) {
      const [answer] = await count([{ key, ...consumption }])
      if (!answer) throw new Error('Redis: a script returned nothing')
      return answer
    },
    consumeInTurn: count,
    async refund(key: string, consumption: Consumption) {
      await run(
        counterScripts.refund,
        [nameOf({ key, ...consumption })],
        consumption.delay ? '1' : '0',
        String(consumption.limit),
      )
    },
  }
}

const counterScripts = {
  consume: `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function whole(number) return string.format('%.0f', number) end
-- A wait beyond the maximum means that the clock was set back: it is ignored.
local function left(wait, most) return wait > most + 60000 and 0 or math.max(wait, 0) end
local waits = {}
for i, key in ipairs(KEYS) do
  local cost, limit, window = tonumber(ARGV[i * 4 - 3]), tonumber(ARGV[i * 4 - 2]), tonumber(ARGV[i * 4 - 1])
  local wait = 0
  if ARGV[i * 4] == '1' then
    local row = redis.call('HMGET', key, 'n', 'next')
    local count = tonumber(row[1] or 0)
    wait = left(tonumber(row[2] or 0) - now, 900000)
    if wait == 0 and cost > 0 then
      count = count + cost
      local pause = count < limit and 0 or math.min(1000 * 2 ^ math.min(count - limit, 20), 900000)
      redis.call('HSET', key, 'n', count, 'next', whole(now + pause))
      redis.call('PEXPIRE', key, whole(pause + window))
    end
  else
    local oldest = redis.call('LINDEX', key, limit - 1)
    if oldest then wait = left(tonumber(oldest) + window - now, window) end
    if wait == 0 and cost > 0 then
      redis.call('LPUSH', key, whole(now))
      redis.call('LTRIM', key, 0, limit - 1)
      redis.call('PEXPIRE', key, whole(window))
    end
  end
  waits[i] = wait
  if wait > 0 then break end
end
return waits`,
  refund: `
if ARGV[1] == '0' then return redis.call('LPOP', KEYS[1]) end
local count = tonumber(redis.call('HGET', KEYS[1], 'n') or 0) - 1
if count < 0 then return 0 end
redis.call('HSET', KEYS[1], 'n', count)
if count < tonumber(ARGV[2]) then redis.call('HSET', KEYS[1], 'next', 0) end
return count`,
}

/** Reads the milliseconds to wait for each attempt, up to the first that has to wait. */
function toAnswers(waits: unknown): Consumed[] {
  if (!Array.isArray(waits) || waits.length === 0) throw new Error('Redis: a script returned no list')
  return waits.map(Number).map((wait) => {
    if (!Number.isFinite(wait)) throw new Error('Redis: a script returned no list of times')
    return { allowed: wait <= 0, retryAfter: wait / 1000 }
  })
}
