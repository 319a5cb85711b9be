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
 * @param toKept Returns an equal argument that may be kept in memory.
 */
function rememberResults<Key, Result>(
  compute: (key: Key) => Result,
  placeOf: (key: Key) => number,
  toKept: (key: Key) => Key = (key) => key,
): (key: Key) => Result {
  const entries: Array<{ readonly key: Key; readonly result: Result } | undefined> = Array.from(
    { length: places },
    () => undefined,
  )
  return (key) => {
    const place = placeOf(key) & (places - 1)
    const entry = entries[place]
    if (entry?.key === key) return entry.result
    const kept = toKept(key)
    const result = compute(kept)
    entries[place] = { key: kept, result }
    return result
  }
}

/** Returns a function that remembers its results for texts that are random at their beginning, such as tokens. */
export function rememberTexts<Text extends string, Result>(compute: (text: Text) => Result): (text: Text) => Result {
  const placeOf = (text: Text) => fingerprintOf(text, 0, 8)
  const recent = rememberResults(compute, placeOf, (text) => copyText(text) as Text)
  return (text) => (text.length > longestText ? compute(text) : recent(text))
}

/** Returns the date in ISO 8601 format, as `toISOString` does. A session has the same end at most reads. */
export const isoText: (milliseconds: number) => string = rememberResults(
  (milliseconds) => new Date(milliseconds).toISOString(),
  (milliseconds) => milliseconds / 1000,
)

/** Returns 32 bits of the characters in a range, which should be as good as random. */
export function fingerprintOf(text: string, from: number, to: number): number {
  let bits = 1
  for (let at = from; at < to; at += 1) bits = Math.imul(bits, 31) + text.charCodeAt(at)
  return bits | 0
}
