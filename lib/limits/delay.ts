/** How long the next attempt waits after so many failures. Stores of databases say the same in their own language. */

/** Milliseconds. */
const shortest = 1000
const longest = 15 * 60_000

/** Milliseconds: none below the limit, one second at it, and twice as long with each further failure, up to 15 minutes. */
export function exponentialWait(failures: number, limit: number): number {
  return failures < limit ? 0 : Math.min(shortest * 2 ** (failures - limit), longest)
}
