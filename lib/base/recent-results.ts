/** The results of pure functions that are called again and again with the same arguments, in a memory of fixed size. */
import { copyText } from './memory.js'

/** The number of remembered results of each function. */
const places = 1024

/** The length in characters of the longest remembered text. */
const longestText = 512

/**
 * Returns a function that remembers its results. A result is at a place that its argument determines, and a new one there
 * replaces it. So the memory is limited, whatever arguments strangers send.
 *
 * @param compute A pure function. Its results are shared, so they must be immutable.
 * @param placeOf Returns an integer for an argument.
 */
function rememberResults<Key, Result>(compute: (key: Key) => Result, placeOf: (key: Key) => number) {
  const entries: Array<{ readonly key: Key; readonly result: Result } | undefined> = Array.from(
    { length: places },
    () => undefined,
  )
  return {
    /** Returns the result for an argument, if it is remembered. */
    find(key: Key): Result | undefined {
      const entry = entries[placeOf(key) & (places - 1)]
      return entry?.key === key ? entry.result : undefined
    },
    /** Computes the result for an argument, and remembers it. */
    add(key: Key): Result {
      const result = compute(key)
      entries[placeOf(key) & (places - 1)] = { key, result }
      return result
    },
  }
}

/** Returns a function that remembers its results for texts that are random at their beginning, such as tokens. */
export function rememberTexts<Text extends string, Result>(compute: (text: Text) => Result): (text: Text) => Result {
  const results = rememberResults(compute, (text: Text) => fingerprintOf(text, 0, 8))
  return (text) => {
    if (text.length > longestText) return compute(text)
    return results.find(text) ?? results.add(copyText(text) as Text)
  }
}

/** Returns the date in ISO 8601 format, as `toISOString` does. A session has the same end at most reads. */
export const isoText: (milliseconds: number) => string = (milliseconds) =>
  isoTexts.find(milliseconds) ?? isoTexts.add(milliseconds)

const isoTexts = rememberResults(
  (milliseconds: number) => new Date(milliseconds).toISOString(),
  (milliseconds) => milliseconds / 1000,
)

/** Returns 32 bits of the characters in a range, which should be as good as random. */
export function fingerprintOf(text: string, from: number, to: number): number {
  let bits = 1
  for (let at = from; at < to; at += 1) bits = Math.imul(bits, 31) + text.charCodeAt(at)
  return bits | 0
}
