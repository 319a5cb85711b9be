/**
 * The library's clock is `Date.now`. Tests move it instead of waiting. A test that looks at the second before a limit stops
 * the clock before that begins to count: on a busy machine a sign-in takes seconds.
 */

const realNow = Date.now

/** Stops the clock, at a full second. Call {@link restoreClock} in `afterEach`. */
export function freezeClock(at: number = Math.floor(realNow() / 1000) * 1000): void {
  Date.now = () => at
}

/** Moves the clock forward by seconds, and stops it there if it was running. */
export function advanceClock(seconds: number): void {
  const at = Date.now() + seconds * 1000
  Date.now = () => at
}

/** The real clock again. */
export function restoreClock(): void {
  Date.now = realNow
}

/** Seconds since the epoch by the library's clock. */
export function seconds(): number {
  return Math.floor(Date.now() / 1000)
}
