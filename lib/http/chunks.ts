/** A value that is too long for one cookie is kept in `name.0`, `name.1`, … Only these exact names are looked at. */
import type { ReceivedCookies } from './cookies.js'

/** Characters of value in one cookie: 4096 bytes are allowed for name, value and attributes (RFC 6265bis §5.6). */
export const chunkSize = 3936

/** Characters of value in all: with our other cookies they fit into what {@link cookieBudget} allows. */
export const maxValueSize = 3 * chunkSize

/** Chunks that are put together to one value. There were four once. */
const maxChunks = 4

/** Different values that are looked at: cookies that somebody planted must not keep a server busy. */
const maxValues = 16

/**
 * Reads a value from its cookie, and from its chunks. Usually there is one; more only when cookies were left over or
 * planted, and then whichever proves genuine counts.
 */
export function readChunked(cookies: ReceivedCookies, name: string): string[] {
  const whole = cookies.get(name) ?? []
  const [only] = whole
  if (whole.length < 2 && !cookies.has(`${name}.0`)) return only ? [only] : []
  const found = new Set<string>()
  for (const value of [...whole, ...joined({ cookies, name, before: [] })]) {
    if (found.size >= maxValues) break
    if (value !== '') found.add(value)
  }
  return [...found]
}

/** All cookies a browser holds for this value, of both shapes: what a new value or a sign-out has to clear. */
export function heldNames(cookies: ReceivedCookies, name: string): string[] {
  return [...cookies.keys()].filter((held) => isShapeOf(held, name))
}

/** Whether a cookie is this value's, whole or a chunk of it. */
export function isShapeOf(held: string, name: string): boolean {
  return held === name || (held.startsWith(`${name}.`) && /^(?:0|[1-9]\d?)$/.test(held.slice(name.length + 1)))
}

/** Splits a value over cookies. */
export function splitChunks(name: string, value: string): Array<[name: string, value: string]> {
  if (value.length <= chunkSize) return [[name, value]]
  const count = Math.ceil(value.length / chunkSize)
  return Array.from({ length: count }, (_, at) => [`${name}.${at}`, value.slice(at * chunkSize, (at + 1) * chunkSize)])
}

/** The values that begin with these chunks, the longest first. */
function* joined(chain: { cookies: ReceivedCookies; name: string; before: readonly string[] }): Generator<string> {
  const { cookies, name, before } = chain
  const next = `${name}.${before.length + 1}`
  for (const value of cookies.get(`${name}.${before.length}`) ?? []) {
    const chunks = [...before, value]
    // Every chunk but the last is full, so a short one ends the value whatever cookies follow.
    const goesOn = value.length >= chunkSize && chunks.length < maxChunks && cookies.has(next)
    if (goesOn) yield* joined({ ...chain, before: chunks })
    // A last chunk may happen to be full too, and what follows it be planted.
    if (!goesOn || chunks.length > 1) yield chunks.join('')
  }
}
