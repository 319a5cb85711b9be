/**
 * Counts in the memory of the process, for as many keys as fit. A stranger can make up keys without end (names, addresses of a
 * network), so a plain bounded map would forget the count that matters. Here are two parts:
 *
 * - the first has keys that were counted once: a flood of fresh keys pushes out only those;
 * - a key that is counted a second time moves into the second. There the one that was counted least makes room, of the few that
 *   were counted longest ago.
 *
 * Full, with 150,000 keys of 22 characters, both take less than 30 MB.
 */
import { perOwner, type SiteMemory } from '../base/memory.js'
import type { Consumed, Consumption, CounterStore } from '../types/store.js'

/** How many keys there are in each part. */
export interface MemoryBounds {
  readonly first: number
  readonly second: number
}

const defaultBounds: MemoryBounds = { first: 100_000, second: 50_000 }

/** What is kept of a key that was counted more than once. Times are in milliseconds since the epoch. */
interface Counted {
  /**
   * Times, each followed by how many were counted then, oldest first. Without a delay: those of the window; attempts that are
   * near each other share a time, the later one. With a delay: the last time, and all failures.
   */
  readonly log: number[]
  /** With a delay: when the next one is let through. */
  next: number
}

/** Pairs in the log of a key. A window is cut into so many pieces where the limit is higher. */
const mostPairs = 10
/** Of how many keys one makes room. */
const candidates = 8

const allowed: Consumed = Object.freeze({ allowed: true, retryAfter: 0 })

/** A store whose methods answer at once. */
export interface MemoryCounter extends CounterStore {
  consume(key: string, consumption: Consumption): Consumed
  refund(key: string, consumption: Consumption): void
  /** How many keys are kept. */
  readonly size: number
}

export function createMemoryCounter({ first, second }: MemoryBounds = defaultBounds): MemoryCounter {
  /** When a key was counted, once. */
  const once = createTimes(first)
  /** In the order in which they were counted last. */
  const often = new Map<string, Counted>()
  const makeRoom = createEviction(often)

  const keep = (key: string, counted: Counted): void => {
    once.delete(key)
    often.delete(key)
    if (often.size >= second) makeRoom()
    often.set(key, counted)
  }

  return {
    consume(key, consumption) {
      const now = Date.now()
      const single = once.get(key)
      const known = often.get(key) ?? (single === undefined ? undefined : { log: [single, 1], next: 0 })
      const counted = known && forgetOld(setBack(known, consumption, now), consumption, now)
      const wait = waitOf(counted, consumption, now)
      if (wait > 0) return { allowed: false, retryAfter: wait / 1000 }
      const { cost, delay, limit } = consumption
      if (cost === 0) return allowed
      // Most keys come once, and such a key is a number only. One that makes the next wait has more to keep.
      if (!counted && cost === 1 && !(delay && limit <= 1)) {
        often.delete(key)
        once.set(key, now)
      } else keep(key, add(counted ?? { log: [], next: 0 }, consumption, now))
      return allowed
    },
    refund(key, { cost, limit }) {
      once.delete(key)
      const counted = often.get(key)
      if (!counted) return
      takeBack(counted, cost)
      if (counted.log.length === 0) often.delete(key)
      else if (total(counted) < limit) counted.next = 0
    },
    get size() {
      return once.size + often.size
    },
  }
}

/** The counts of a site in this process. */
export const memoryCounterOf = perOwner((_site: SiteMemory) => createMemoryCounter())

/**
 * After the clock was set back: what was counted in the hour that is to come again was counted now. Nobody waits for longer than
 * without that.
 */
function setBack(counted: Counted, { delay, limit }: Consumption, now: number): Counted {
  const { log } = counted
  if ((log.at(-2) ?? 0) <= now) return counted
  for (let at = 0; at < log.length; at += 2) log[at] = Math.min(log[at] ?? now, now)
  if (delay) counted.next = Math.min(counted.next, now + exponentialWait(total(counted), limit))
  return counted
}

/** What still counts; `undefined` where nothing does. */
function forgetOld(counted: Counted, { delay, window }: Consumption, now: number): Counted | undefined {
  const { log, next } = counted
  if (delay) return Math.max(log[0] ?? 0, next) + window * 1000 > now ? counted : undefined
  while (log.length > 0 && (log[0] ?? 0) + window * 1000 <= now) log.splice(0, 2)
  return log.length > 0 ? counted : undefined
}

/** Milliseconds. */
function waitOf(counted: Counted | undefined, { cost, delay, limit, window }: Consumption, now: number): number {
  if (!counted) return 0
  if (delay) return Math.max(counted.next - now, 0)
  let tooMany = total(counted) + Math.max(cost, 1) - limit
  if (tooMany <= 0) return 0
  // It is its turn when so many of the oldest are forgotten.
  for (let at = 0; at < counted.log.length; at += 2) {
    tooMany -= counted.log[at + 1] ?? 0
    if (tooMany <= 0) return (counted.log[at] ?? now) + window * 1000 - now
  }
  return window * 1000
}

function total({ log }: Counted): number {
  let count = 0
  for (let at = 1; at < log.length; at += 2) count += log[at] ?? 0
  return count
}

function add(counted: Counted, { cost, delay, limit, window }: Consumption, now: number): Counted {
  const { log } = counted
  if (delay) {
    const count = total(counted) + cost
    log.splice(0, log.length, now, count)
    counted.next = now + exponentialWait(count, limit)
    return counted
  }
  const last = log.length - 2
  const isNear = last >= 0 && limit > mostPairs && now - (log[last] ?? 0) < (window * 1000) / (mostPairs - 1)
  const isFull = log.length >= 2 * mostPairs
  if (last >= 0 && (isNear || isFull)) {
    log[last] = now
    log[last + 1] = (log[last + 1] ?? 0) + cost
  } else log.push(now, cost)
  return counted
}

/** Takes the latest ones back. */
function takeBack({ log }: Counted, cost: number): void {
  let rest = cost
  while (rest > 0 && log.length > 0) {
    const count = log.at(-1) ?? 0
    if (count > rest) log[log.length - 1] = count - rest
    else log.splice(-2)
    rest -= count
  }
}

/**
 * The times of keys, of which the oldest make room for new ones, half of all at once: in a large map, finding the oldest one
 * means to step over all that were deleted before it.
 */
function createTimes(capacity: number) {
  let current = new Map<string, number>()
  let previous = new Map<string, number>()
  return {
    get: (key: string): number | undefined => current.get(key) ?? previous.get(key),
    set(key: string, time: number): void {
      previous.delete(key)
      if (current.size >= capacity / 2 && !current.has(key)) {
        previous = current
        current = new Map()
      }
      current.set(key, time)
    },
    delete(key: string): void {
      current.delete(key)
      previous.delete(key)
    },
    get size(): number {
      return current.size + previous.size
    },
  }
}

/**
 * Drops one key each time: of the next few, beginning with those that were counted longest ago, that which was counted least. It goes
 * on where it stopped, for the same reason.
 */
function createEviction(often: Map<string, Counted>): () => void {
  let entries = often.entries()
  const next = (): [string, Counted] | undefined => {
    const { value } = entries.next()
    if (value) return value
    entries = often.entries()
    return entries.next().value
  }
  return () => {
    let least: string | undefined
    let count = Number.POSITIVE_INFINITY
    for (let looked = 0; looked < candidates; looked += 1) {
      const [key, counted] = next() ?? []
      if (key === undefined || !counted || total(counted) >= count) continue
      least = key
      count = total(counted)
    }
    if (least !== undefined) often.delete(least)
  }
}

/** Milliseconds. Stores of databases say the same in their own language. */
const shortest = 1000
const longest = 15 * 60_000

/** Returns how long the next attempt waits after so many failures: one second at the limit, and twice as long with each further one. */
function exponentialWait(failures: number, limit: number): number {
  return failures < limit ? 0 : Math.min(shortest * 2 ** (failures - limit), longest)
}
