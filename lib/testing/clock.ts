/** The clock of a test: sessions, links and limits that end, without waiting for it. */
import { assertTests } from './only-tests.js'

/** A clock that stands still. */
export interface TestClock {
  /** Moves it. @param seconds Forward; back where it is below 0 */
  advance(seconds: number): void
  /** The real one again. Call it after each test. */
  restore(): void
}

/**
 * Stops the clock of this process at a full second: `Date.now()`, by which the library tells the time. Timers run on.
 * What has a clock of its own, such as a database or a provider elsewhere, does not notice.
 *
 * @throws `InvalidConfiguration` with `NODE_ENV=production`; Error where it is stopped already.
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
