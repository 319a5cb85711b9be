/** Work on many values, a few at once. */

/** Calls a function with each value, with at most `limit` calls at once. After a rejection, no further call begins. */
export async function forEachConcurrently<T>(
  values: Iterable<T>,
  limit: number,
  work: (value: T) => Promise<unknown>,
): Promise<void> {
  const waiting = each(values)
  const workNext = async () => {
    for (const value of waiting) await work(value)
  }
  await Promise.all(Array.from({ length: limit }, workNext))
}

/** Iterates over values. A loop that throws ends a generator for all loops. The iterators of arrays and maps continue. */
function* each<T>(values: Iterable<T>): Generator<T> {
  yield* values
}
