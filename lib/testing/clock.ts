/** A clock for tests: sessions, links and limits expire without waiting. */
import { assertTests } from './assert-tests.js'

/** A stopped clock. */
export interface TestClock {
  /** Moves the clock. @param seconds Forward; backward if negative. */
  advance(seconds: number): void
  /** Restores the real clock. Call it after each test. */
  restore(): void
}

/**
 * Stops the clock of this process at a full second: `Date.now()`, which the library uses. Timers continue. Other
 * clocks, such as that of a database or a remote provider, are not changed.
 *
 * @throws `InvalidConfiguration` with `NODE_ENV=production`; Error if it is stopped already.
 *
 * @example
 * ```ts
 * const clock = stopClock()
 * clock.advance(31 * 24 * 60 * 60)
 * await request(app).get('/account').set('Cookie', cookie).expect(401)
 * clock.restore()
 * ```
 */
export function stopClock(): TestClock {
  assertTests('stopClock')
  const real = Date.now
  if (stopped.has(real))
    throw new Error('The clock is stopped already: call `restore()` of the one that stopped it first.')
  let now = Math.floor(real() / 1000) * 1000
  const still = (): number => now
  stopped.add(still)
  Date.now = still
  return {
    advance(seconds) {
      now += seconds * 1000
    },
    restore() {
      if (Date.now === still) Date.now = real
    },
  }
}

const stopped = new WeakSet<() => number>()
