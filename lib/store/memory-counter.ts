/**
 * Counts in the memory of the process, for a limited number of keys. An attacker can invent keys without end (names,
 * addresses of a network), so a plain bounded map would lose the count that matters. There are two parts:
 *
 * - the first has keys that were counted once: a flood of new keys evicts only those;
 * - a key that is counted again moves into the second. There the key with the lowest count is evicted, out of the few
 *   that were counted longest ago.
 *
 * When full, with 150,000 keys of 22 characters, both take less than 30 MB.
 */
import { perOwner, type SiteMemory } from '../base/memory.js'
import type { Consumed, Consumption, CounterStore } from '../types/store.js'

/** The number of keys in each part. */
export interface MemoryBounds {
  readonly first: number
  readonly second: number
}

const defaultBounds: MemoryBounds = { first: 100_000, second: 50_000 }

/** The state of a key that was counted more than once. Times are in milliseconds since the epoch. */
interface KeyCounts {
  /**
   * Pairs of a time and the count at that time, oldest first. Without a delay: the counts of the window; attempts that
   * are close together share the later time. With a delay: the last time, and all failures.
   */
  readonly log: number[]
  /** With a delay: the time from which the next attempt is allowed. */
  next: number
}

/** The pairs in the log of a key. With a higher limit, the window is divided into this many parts. */
const maxPairs = 10
/** The number of keys of which one is evicted. */
const evictionCandidates = 8

const allowedResult: Consumed = Object.freeze({ allowed: true, retryAfter: 0 })

/** A counter with synchronous methods. */
export interface MemoryCounter extends CounterStore {
  consume(key: string, consumption: Consumption): Consumed
  refund(key: string, consumption: Consumption): void
  /** The number of stored keys. */
  readonly size: number
}

export function createMemoryCounter({ first, second }: MemoryBounds = defaultBounds): MemoryCounter {
  /** The time of each key that was counted once. */
  const once = createTimeMap(first)
  /** The other keys, in the order of their last count. */
  const often = new Map<string, KeyCounts>()
  const makeRoom = createEviction(often)

  const keep = (key: string, counted: KeyCounts): void => {
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
      const counted = known && dropExpiredCounts(correctFutureCounts(known, consumption, now), consumption, now)
      const wait = remainingWait(counted, consumption, now)
      if (wait > 0) return { allowed: false, retryAfter: wait / 1000 }
      const { cost, delay, limit } = consumption
      if (cost === 0) return allowedResult
      // Most keys occur once and need only a time. A key that makes the next attempt wait needs more.
      if (!counted && cost === 1 && !(delay && limit <= 1)) {
        often.delete(key)
        once.set(key, now)
      } else keep(key, addCount(counted ?? { log: [], next: 0 }, consumption, now))
      return allowedResult
    },
    refund(key, { cost, limit }) {
      once.delete(key)
      const counted = often.get(key)
      if (!counted) return
      removeLatestCounts(counted, cost)
      if (counted.log.length === 0) often.delete(key)
      else if (totalCount(counted) < limit) counted.next = 0
    },
    get size() {
      return once.size + often.size
    },
  }
}

/** Returns the counter of a site in this process. */
export const memoryCounterOf = perOwner((_site: SiteMemory) => createMemoryCounter())

/**
 * Corrects counts in the future after the clock was set back: they are moved to now, so no client waits longer than
 * usual.
 */
function correctFutureCounts(counted: KeyCounts, { delay, limit }: Consumption, now: number): KeyCounts {
  const { log } = counted
  if ((log.at(-2) ?? 0) <= now) return counted
  for (let at = 0; at < log.length; at += 2) log[at] = Math.min(log[at] ?? now, now)
  if (delay) counted.next = Math.min(counted.next, now + exponentialWait(totalCount(counted), limit))
  return counted
}

/** Removes expired counts; returns `undefined` when none is left. */
function dropExpiredCounts(counted: KeyCounts, { delay, window }: Consumption, now: number): KeyCounts | undefined {
  const { log, next } = counted
  if (delay) return Math.max(log[0] ?? 0, next) + window * 1000 > now ? counted : undefined
  while (log.length > 0 && (log[0] ?? 0) + window * 1000 <= now) log.splice(0, 2)
  return log.length > 0 ? counted : undefined
}

/** Returns the wait in milliseconds. */
function remainingWait(
  counted: KeyCounts | undefined,
  { cost, delay, limit, window }: Consumption,
  now: number,
): number {
  if (!counted) return 0
  if (delay) return Math.max(counted.next - now, 0)
  let tooMany = totalCount(counted) + Math.max(cost, 1) - limit
  if (tooMany <= 0) return 0
  // The next attempt is allowed when enough of the oldest counts have expired.
  for (let at = 0; at < counted.log.length; at += 2) {
    tooMany -= counted.log[at + 1] ?? 0
    if (tooMany <= 0) return (counted.log[at] ?? now) + window * 1000 - now
  }
  return window * 1000
}

function totalCount({ log }: KeyCounts): number {
  let count = 0
  for (let at = 1; at < log.length; at += 2) count += log[at] ?? 0
  return count
}

function addCount(counted: KeyCounts, { cost, delay, limit, window }: Consumption, now: number): KeyCounts {
  const { log } = counted
  if (delay) {
    const count = totalCount(counted) + cost
    log.splice(0, log.length, now, count)
    counted.next = now + exponentialWait(count, limit)
    return counted
  }
  const last = log.length - 2
  const isNear = last >= 0 && limit > maxPairs && now - (log[last] ?? 0) < (window * 1000) / (maxPairs - 1)
  const isFull = log.length >= 2 * maxPairs
  if (last >= 0 && (isNear || isFull)) {
    log[last] = now
    log[last + 1] = (log[last + 1] ?? 0) + cost
  } else log.push(now, cost)
  return counted
}

/** Removes the latest counts. */
function removeLatestCounts({ log }: KeyCounts, cost: number): void {
  let rest = cost
  while (rest > 0 && log.length > 0) {
    const count = log.at(-1) ?? 0
    if (count > rest) log[log.length - 1] = count - rest
    else log.splice(-2)
    rest -= count
  }
}

/**
 * Creates a map of times that evicts the oldest half at once: in a large map, an iterator has to skip all deleted
 * entries to find the oldest.
 */
function createTimeMap(capacity: number) {
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
 * Creates a function that evicts one key: of the next few, starting with those that were counted longest ago, the one
 * with the lowest count. It continues where it stopped, so that no deleted entries are skipped again.
 */
function createEviction(often: Map<string, KeyCounts>): () => void {
  let entries = often.entries()
  const next = (): [string, KeyCounts] | undefined => {
    const { value } = entries.next()
    if (value) return value
    entries = often.entries()
    return entries.next().value
  }
  return () => {
    let least: string | undefined
    let count = Number.POSITIVE_INFINITY
    for (let looked = 0; looked < evictionCandidates; looked += 1) {
      const [key, counted] = next() ?? []
      if (key === undefined || !counted || totalCount(counted) >= count) continue
      least = key
      count = totalCount(counted)
    }
    if (least !== undefined) often.delete(least)
  }
}

/** The shortest and longest wait, in milliseconds. Database stores use the same values in their own language. */
const shortestWait = 1000
const longestWait = 15 * 60_000

/** Returns the wait after this many failures: one second at the limit, doubled with each further failure. */
function exponentialWait(failures: number, limit: number): number {
  return failures < limit ? 0 : Math.min(shortestWait * 2 ** (failures - limit), longestWait)
}
