/** Distances between names. */

/** Returns the number of insertions, deletions, changes and swaps of neighbours (optimal string alignment). */
export function distance(a: string, b: string): number {
  let before: readonly number[] = []
  let row: readonly number[] = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1]
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const ways = [valueAt(row, j) + 1, valueAt(next, j - 1) + 1, valueAt(row, j - 1) + (isSame ? 0 : 1)]
      next.push(Math.min(...ways, ...(isSwapped ? [valueAt(before, j - 2) + 1] : [])))
    }
    before = row
    row = next
  }
  return valueAt(row, b.length)
}

function valueAt(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY
}

/** Returns the nearest known name with a distance of at most `most`. */
export function nearest(name: string, known: Iterable<string>, most: number): string | undefined {
  let best: { readonly name: string; readonly away: number } | undefined
  for (const candidate of known) {
    if (Math.abs(candidate.length - name.length) > most) continue
    const away = distance(name, candidate)
    if (away <= most && (best === undefined || away < best.away)) best = { name: candidate, away }
  }
  return best?.name
}
