/** Next.js' view of a request's cookies, and the header that they came in. */
import { percentDecoded } from '../../lib/http/urls.js'
import { pairsOf, toPair } from '../cookies.js'

/**
 * The `Cookie` header of a request with what was set meanwhile. Next.js keeps the last of several cookies of one name: a cookie
 * of another host of the same site could hide the genuine one. What the browser sent is taken as it came, with all values of
 * a name; a name whose value in the jar is another was set or deleted since, and the jar counts.
 */
export function mergeCookies(header: string | null, jar: readonly JarCookie[]): string {
  if (isAsSent(header, jar)) return header ?? ''
  const now = new Map(jar.map(({ name, value }) => [name, value]))
  const sent = readLast(header)
  const isUnchanged = (name: string) => now.get(name) === sent.get(name)
  const kept = pairsOf(header).filter((pair) => isUnchanged(toPair(pair).name))
  const set = [...now].filter(([name]) => !isUnchanged(name))
  return [...kept, ...set.map(([name, value]) => `${name}=${encodeURIComponent(value)}`)].join('; ')
}

interface JarCookie {
  readonly name: string
  readonly value: string
}

/** Whether the jar is what the browser sent, pair by pair, as with most requests. Where an escape is in a value, it is not said. */
function isAsSent(header: string | null, jar: readonly JarCookie[]): boolean {
  const pairs = pairsOf(header)
  const isSame = ({ name, value }: JarCookie, at: number) => pairs[at] === `${name}=${value}` && !value.includes('%')
  return pairs.length === jar.length && jar.every(isSame)
}

/** What Next.js has read: the last value of each name; of a name alone `true`, and nothing of an escape without a meaning. */
function readLast(header: string | null): ReadonlyMap<string, string> {
  const last = new Map<string, string>()
  for (const pair of pairsOf(header)) {
    const { name, text } = toPair(pair)
    const value = pair.includes('=') ? percentDecoded(text) : 'true'
    if (value !== undefined) last.set(name, value)
  }
  return last
}
