/** A value that is too long for one cookie is kept in `name.0`, `name.1`, … Only these exact names are looked at. */

/** Characters of value in one cookie: 4096 bytes are allowed for name, value and attributes (RFC 6265bis §5.6). */
export const chunkSize = 3936

/** Characters of value in all: more would make requests that Node refuses (16 KiB of headers, other headers included). */
export const maxValueSize = 13_000

/** What a browser sent under a name: a value, and the cookies that hold it. */
export interface ChunkedValue {
  readonly value: string
  readonly names: readonly string[]
}

/**
 * Reads a value from its cookie, and from its chunks. Usually there is one; more only when cookies were left over or
 * planted, and then whichever proves genuine counts.
 */
export function readChunked(cookies: ReadonlyMap<string, string>, name: string): ChunkedValue[] {
  const found: ChunkedValue[] = []
  const whole = cookies.get(name)
  if (whole) found.push({ value: whole, names: [name] })
  const names = chunkNames(cookies, name)
  // Every chunk but the last is full, so a short one ends the value whatever cookies follow.
  const last = names.findIndex((chunk) => (cookies.get(chunk)?.length ?? 0) < chunkSize)
  const used = last < 0 ? names : names.slice(0, last + 1)
  if (used.length > 0) found.push(joined(cookies, used))
  // A last chunk may happen to be full too, and what follows it be planted.
  for (let count = used.length - 1; count > 1; count -= 1) found.push(joined(cookies, used.slice(0, count)))
  return found
}

/** All cookies a browser holds for this value, of both shapes: what a new value or a sign-out has to clear. */
export function heldNames(cookies: ReadonlyMap<string, string>, name: string): string[] {
  return [...(cookies.has(name) ? [name] : []), ...chunkNames(cookies, name)]
}

/** Splits a value over cookies. */
export function splitChunks(name: string, value: string): Array<[name: string, value: string]> {
  if (value.length <= chunkSize) return [[name, value]]
  const count = Math.ceil(value.length / chunkSize)
  return Array.from({ length: count }, (_, at) => [`${name}.${at}`, value.slice(at * chunkSize, (at + 1) * chunkSize)])
}

function joined(cookies: ReadonlyMap<string, string>, names: readonly string[]): ChunkedValue {
  return { value: names.map((name) => cookies.get(name)).join(''), names }
}

function chunkNames(cookies: ReadonlyMap<string, string>, name: string): string[] {
  const names: string[] = []
  const most = Math.ceil(maxValueSize / chunkSize)
  for (let at = 0; at < most && cookies.has(`${name}.${at}`); at += 1) names.push(`${name}.${at}`)
  return names
}
