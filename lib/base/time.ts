/** Time in the process. */

/** Returns the time in seconds since the epoch. */
export function nowInSeconds(): number {
  return Math.floor(Date.now() / 1000)
}

/**
 * Checks whether less than this many milliseconds have passed since a moment. A moment in the future is not recent, so
 * a clock that was set back extends nothing.
 */
export function isRecent(moment: number | undefined, milliseconds: number): boolean {
  if (moment === undefined) return false
  const age = Date.now() - moment
  return age >= 0 && age < milliseconds
}
