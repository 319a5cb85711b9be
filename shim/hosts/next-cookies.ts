/** The cookies of a request in Next.js, combined with its header. */
import { decodePercent } from '../../lib/http/urls.js'
import { cookiePairs, splitPair } from '../cookies.js'

/**
 * Returns the `Cookie` header of a request with later changes. Next.js keeps the last of several cookies of one name,
 * so a cookie of another host of the same site could hide the genuine one. Unchanged names keep all values that the
 * browser sent. A name with another value in the jar was set or deleted since, and the jar is used.
 */
export function mergeCookies(header: string | null, jar: readonly JarCookie[]): string {
  if (isAsSent(header, jar)) return header ?? ''
  const now = new Map(jar.map(({ name, value }) => [name, value]))
  const sent = readLast(header)
  const isUnchanged = (name: string) => now.get(name) === sent.get(name)
  const kept = cookiePairs(header).filter((pair) => isUnchanged(splitPair(pair).name))
  const set = [...now].filter(([name]) => !isUnchanged(name))
  return [...kept, ...set.map(([name, value]) => `${name}=${encodeURIComponent(value)}`)].join('; ')
}

interface JarCookie {
  readonly name: string
  readonly value: string
}

/**
 * Checks whether the jar equals what the browser sent, pair by pair, as in most requests. `false` if a value contains
 * an escape.
 */
function isAsSent(header: string | null, jar: readonly JarCookie[]): boolean {
  const pairs = cookiePairs(header)
  const isSame = ({ name, value }: JarCookie, at: number) => pairs[at] === `${name}=${value}` && !value.includes('%')
  return pairs.length === jar.length && jar.every(isSame)
}

/**
 * Returns what Next.js reads: the last value of each name, `true` for a name alone, and nothing for an invalid escape.
 */
function readLast(header: string | null): ReadonlyMap<string, string> {
  const last = new Map<string, string>()
  for (const pair of cookiePairs(header)) {
    const { name, text } = splitPair(pair)
    const value = pair.includes('=') ? decodePercent(text) : 'true'
    if (value !== undefined) last.set(name, value)
  }
  return last
}
