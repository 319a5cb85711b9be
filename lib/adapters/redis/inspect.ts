/** What Redis says of itself, for `npx server-auth doctor`: whether it keeps what it is given. */
import type { StoreInspection } from '../../types/store.js'
import type { Commands } from './commands.js'

/** A script may ask for these, and no other way of both clients is the same. */
const script = `
local time = redis.call('TIME')
return { time[1], time[2], redis.call('INFO', 'memory'), redis.call('INFO', 'persistence') }`

/** @param lasts `forever` where a restart must lose nothing; sessions may be lost. */
export async function inspect({ run }: Commands, lasts?: 'forever'): Promise<StoreInspection> {
  const answer = await run(script, [])
  const [seconds, microseconds, memory, persistence] = (Array.isArray(answer) ? answer : []).map(String)
  const policy = wordOf(memory, 'maxmemory_policy')
  const isFull = Number(wordOf(memory, 'maxmemory')) > 0
  return {
    kind: 'redis',
    now: Number(seconds) * 1000 + Number(microseconds) / 1000,
    ...(isFull && policy !== undefined && policy !== 'noeviction' && { evicts: policy }),
    ...(lasts && wordOf(persistence, 'aof_enabled') === '0' && { isVolatile: true }),
  }
}

function wordOf(text: string | undefined, name: string): string | undefined {
  return new RegExp(`^${name}:(\\S*)`, 'm').exec(text ?? '')?.[1]
}
