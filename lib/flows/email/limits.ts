/** How much may be asked for: nobody's mailbox is to be flooded through us. Counted in this process. */
import type { ResolvedEmailProvider } from '../../context.js'
import { shortHash } from '../../crypto/hash.js'
import { TooManyRequests } from '../../errors.js'
import { BoundedMap, perOwner } from '../../memory.js'
import { networkOf } from './network.js'

/** Times in milliseconds at which something was asked for, by what it is and by whom. */
const timesOf = perOwner((_provider: ResolvedEmailProvider) => new BoundedMap<string, number[]>(100_000))

/** What is counted, and up to which number. */
interface Count {
  readonly key: string
  readonly most: number
}

/**
 * Counts a mail for the address and for the client.
 *
 * @throws {@link TooManyRequests} when one of them asks for more than the provider's `limit`. That does not count again.
 */
export function countMail(provider: ResolvedEmailProvider, address: string, ip: string | undefined): void {
  const { limit } = provider
  if (!limit) return
  const counts: Count[] = [{ key: keyOf('address', address), most: limit.perAddress }]
  if (ip !== undefined) counts.push({ key: keyOf('client', networkOf(ip)), most: limit.perClient })
  count(provider, limit.window, counts)
}

/**
 * Counts a client's try of a token, until it turns out to be the right one: call what is returned then.
 *
 * @throws {@link TooManyRequests} when it tries more than the provider's `limit`.
 */
export function countTry(provider: ResolvedEmailProvider, ip: string | undefined): () => void {
  const { limit } = provider
  if (!limit || ip === undefined) return () => {}
  const key = keyOf('tries of client', networkOf(ip))
  count(provider, limit.window, [{ key, most: limit.perClient }])
  return () => {
    const times = timesOf(provider).get(key)
    if (times) timesOf(provider).set(key, times.slice(0, -1))
  }
}

function count(provider: ResolvedEmailProvider, window: number, counts: readonly Count[]): void {
  const known = timesOf(provider)
  const now = Date.now()
  const since = now - window * 1000
  const counted = counts.map(({ key, most }) => ({
    key,
    most,
    times: (known.get(key) ?? []).filter((time) => time > since),
  }))
  for (const { most, times } of counted) {
    const [oldest] = times.slice(-most)
    if (times.length >= most && oldest !== undefined) throw new TooManyRequests((oldest - since) / 1000)
  }
  for (const { key, times } of counted) {
    // Anew at the end: what is asked for most is forgotten last.
    known.delete(key)
    known.set(key, [...times, now])
  }
}

/** Short, whatever a proxy says about the client; and nobody reads addresses out of the memory. */
function keyOf(what: string, who: string): string {
  return shortHash(JSON.stringify([what, who]))
}
