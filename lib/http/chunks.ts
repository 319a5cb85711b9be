/** Values that are too long for one cookie are split into `name.0`, `name.1`, … No other names are read. */
import type { ReceivedCookies } from './cookies.js'

/**
 * The characters of value in one cookie: browsers allow 4096 bytes for name, value and attributes (RFC 6265bis §5.6).
 */
export const chunkSize = 3936

/** The longest value, in characters. Together with the other cookies it fits into {@link cookieBudget}. */
export const maxValueSize = 3 * chunkSize

/** The number of chunks that are joined into one value. Earlier versions wrote four. */
const maxChunks = 4

/** The number of different values that are tried, so that planted cookies cannot keep a server busy. */
const maxValues = 16

/**
 * Reads a value from its cookie and from its chunks.
 *
 * Returns several candidates only when cookies were left over or planted. The caller uses the one that proves genuine.
 */
export function readChunked(cookies: ReceivedCookies, name: string): readonly string[] {
  const whole = cookies.get(name) ?? noValues
  const [only] = whole
  if (whole.length < 2 && !cookies.has(`${name}.0`)) return only ? whole : noValues
  const found = new Set<string>()
  for (const value of [...whole, ...joinChunks({ cookies, name, before: [] })]) {
    if (found.size >= maxValues) break
    if (value !== '') found.add(value)
  }
  return [...found]
}

const noValues: readonly string[] = Object.freeze([])

/** Returns the names of all received cookies of this value, whole or chunks. A new value or a sign-out clears them. */
export function presentedCookieNames(cookies: ReceivedCookies, name: string): string[] {
  return [...cookies.keys()].filter((held) => isCookieOrChunkOf(held, name))
}

/** Checks whether a cookie belongs to this value, whole or as a chunk. */
export function isCookieOrChunkOf(cookieName: string, name: string): boolean {
  return (
    cookieName === name ||
    (cookieName.startsWith(`${name}.`) && /^(?:0|[1-9]\d?)$/.test(cookieName.slice(name.length + 1)))
  )
}

/** Splits a value into cookies. */
export function splitChunks(name: string, value: string): Array<[name: string, value: string]> {
  if (value.length <= chunkSize) return [[name, value]]
  const count = Math.ceil(value.length / chunkSize)
  return Array.from({ length: count }, (_, at) => [`${name}.${at}`, value.slice(at * chunkSize, (at + 1) * chunkSize)])
}

/** Yields the values that begin with these chunks, the longest first. */
function* joinChunks(chain: { cookies: ReceivedCookies; name: string; before: readonly string[] }): Generator<string> {
  const { cookies, name, before } = chain
  const next = `${name}.${before.length + 1}`
  for (const value of cookies.get(`${name}.${before.length}`) ?? []) {
    const chunks = [...before, value]
    // Every chunk except the last is full, so a short one ends the value whatever cookies follow.
    const goesOn = value.length >= chunkSize && chunks.length < maxChunks && cookies.has(next)
    if (goesOn) yield* joinChunks({ ...chain, before: chunks })
    // A last chunk may happen to be full too, and the next one may be planted.
    if (!goesOn || chunks.length > 1) yield chunks.join('')
  }
}
