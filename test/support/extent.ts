/**
 * How much a run proves; `scripts/test.mjs` sets `TEST_EXTENT`.
 *
 * - `usual` (`npm test`): each behaviour once, each database, both session strategies, a sample of each table of random
 *   input.
 * - `all` (`npm run test:all`, each night): what proves the same with another combination, and the tables in full.
 * - `quick` (`npm run test:quick`): what needs no browser and no server.
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

/** How many random inputs a table draws: a tenth of them, but each night. A failure prints its input. */
export function draws(count: number): number {
  return extent === 'all' ? count : Math.ceil(count / 10)
}

/**
 * Cells of a matrix, of `[…, […, …]]` all combinations. In `npm test` each value of each axis is met, and no more cells
 * than that takes: the first value of the longest axis goes with the first of the others, the second with the second,
 * and so on. For tests in which the axes do not act on each other; where they do, write the loops.
 *
 * @example
 * ```ts
 * for (const [kind, strategy] of cells(databaseKinds, strategies)) it(`… on ${kind}, ${strategy}`, …)
 * ```
 */
export function cells<A, B>(first: readonly A[], second: readonly B[]): ReadonlyArray<readonly [A, B]> {
  const whole = first.flatMap((a) => second.map((b) => [a, b] as const))
  if (extent === 'all') return whole
  const length = Math.max(first.length, second.length)
  return whole.filter(([a, b]) => {
    const [x, y] = [first.indexOf(a), second.indexOf(b)]
    return Array.from({ length }, (_, at) => at).some((at) => at % first.length === x && at % second.length === y)
  })
}
