/**
 * The extent of a run; `scripts/test.mjs` sets `TEST_EXTENT`.
 *
 * - `usual` (`npm test`): each behaviour once, on each database and with both session strategies.
 * - `all` (`npm run test:all`, each night): also tests of the same behaviour in another combination, and tests that
 *   take minutes.
 * - `quick` (`npm run test:quick`): tests that need no browser and no server.
 *
 * A test that belongs to a larger run is not registered in a smaller one. It is not skipped: to skip means that this
 * machine lacks something.
 */
const extents = ['quick', 'usual', 'all'] as const

type Extent = (typeof extents)[number]

function readExtent(): Extent {
  const wanted = process.env.TEST_EXTENT || 'usual'
  const known = extents.find((extent) => extent === wanted)
  if (!known) throw new Error(`TEST_EXTENT must be one of ${extents.join(', ')}, not ${wanted}`)
  return known
}

export const extent = readExtent()

/**
 * For a matrix whose axes do not act on each other: a database keeps rows, and a strategy says which. In `npm test` each
 * row gets the one value whose turn it is, so that each database and each strategy is met; each night gets all cells.
 * Where the axes do act on each other, write the loops.
 *
 * @example
 * ```ts
 * for (const [turn, kind] of databaseKinds.entries()) {
 *   for (const strategy of inTurn(strategies, turn)) it(`… on ${kind}, ${strategy}`, …)
 * }
 * ```
 */
export function inTurn<T>(values: readonly T[], turn: number): readonly T[] {
  return extent === 'all' ? values : values.filter((_, at) => at === turn % values.length)
}

/**
 * For a table of bad input that is tried at several places: in `npm test` a third of it at each place, in turn, so that
 * each input is tried at some; each night gets all of it everywhere.
 */
export function sample<T>(values: readonly T[], turn: number): readonly T[] {
  return extent === 'all' ? values : values.filter((_, at) => at % 3 === turn % 3)
}

/**
 * Returns the number of simultaneous requests to a server that must not mix them up: a fifth in `npm test`, and all
 * each night.
 */
export function crowd(count: number): number {
  return extent === 'all' ? count : Math.ceil(count / 5)
}
