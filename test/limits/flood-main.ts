/** As many keys as the argument says, in a process of its own: how much memory they take. */
import { randomBytes } from 'node:crypto'
import { createMemoryCounter } from '../../lib/store/memory-counter.js'

const rule = { cost: 1, limit: 5, window: 3600 } as const
const keys = Number(process.argv[2])
const store = createMemoryCounter()
const collect = () => Reflect.get(globalThis, 'gc')?.()

/** Keys as they are: 22 characters, each text of its own. */
const seed = randomBytes(8).toString('hex').slice(0, 12)
const keyOf = (at: number) => Buffer.from(seed + at.toString(36).padStart(10, '0')).toString()

collect()
const before = process.memoryUsage().heapUsed
for (let at = 0; at < 5; at += 1) store.consume('the-account-of-victim.', rule)
// Each of the second part's places is taken, by keys that failed three times.
for (let at = 0; at < 60_000; at += 1) for (const _ of [1, 2, 3]) store.consume(keyOf(at), rule)
for (let at = 60_000; at < keys; at += 1) store.consume(keyOf(at), rule)
collect()
const megabytes = (process.memoryUsage().heapUsed - before) / 2 ** 20
const isVictimCounted = !store.consume('the-account-of-victim.', rule).allowed
process.stdout.write(JSON.stringify({ megabytes, isVictimCounted, size: store.size }))
