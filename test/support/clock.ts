/** The library's clock is `Date.now`. Tests move it instead of waiting. */

const realNow = Date.now

/** Stops the clock, at a full second. Call {@link restoreClock} in `afterEach`. */
export function freezeClock(at: number = Math.floor(realNow() / 1000) * 1000): void {
  Date.now = () => at
}

/** Moves a stopped (or running) clock forward by seconds. */
export function advanceClock(seconds: number): void {
  const before = Date.now
  Date.now = () => before() + seconds * 1000
}

/** The real clock again. */
export function restoreClock(): void {
  Date.now = realNow
}

/** Seconds since the epoch by the library's clock. */
export function seconds(): number {
  return Math.floor(Date.now() / 1000)
}
