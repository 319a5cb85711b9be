/** Inspects Redis for `npx server-auth doctor`: whether it keeps its keys. */
import type { StoreInspection } from '../../types/store.js'
import type { Commands } from './commands.js'

/** A script, because that is the only call that is the same in both clients. */
const script = `
local time = redis.call('TIME')
return { time[1], time[2], redis.call('INFO', 'memory'), redis.call('INFO', 'persistence') }`

/**
 * Inspects the database.
 *
 * @param lasts `forever` if a restart must not lose keys. Sessions may be lost.
 */
export async function inspectRedis({ run }: Commands, lasts?: 'forever'): Promise<StoreInspection> {
  const answer = await run(script, [])
  const [seconds, microseconds, memory, persistence] = (Array.isArray(answer) ? answer : []).map(String)
  const policy = infoValue(memory, 'maxmemory_policy')
  const isFull = Number(infoValue(memory, 'maxmemory')) > 0
  return {
    kind: 'redis',
    now: Number(seconds) * 1000 + Number(microseconds) / 1000,
    ...(isFull && policy !== undefined && policy !== 'noeviction' && { evicts: policy }),
    ...(lasts && infoValue(persistence, 'aof_enabled') === '0' && { isVolatile: true }),
  }
}

function infoValue(text: string | undefined, name: string): string | undefined {
  return new RegExp(`^${name}:(\\S*)`, 'm').exec(text ?? '')?.[1]
}
