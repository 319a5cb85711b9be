/** How much may be asked for: nobody's mailbox is to be flooded through us. Counted in this process. */

import { type Allowance, perOwner, RecentCounts, type SiteMemory } from '../../base/memory.js'
import type { AuthContext, ResolvedEmailProvider } from '../../contracts/index.js'
import { shortHash } from '../../crypto/hash.js'
import { TooManyRequests } from '../../errors.js'
import { clientOf } from './network.js'

/** What is counted, and how much of it is allowed. */
interface Count {
  readonly key: string
  readonly allowed: Allowance
}

const countsOf = perOwner((_site: SiteMemory) => new RecentCounts(100_000))

type Requester = Pick<AuthContext, 'config' | 'request'>

/**
 * Counts a mail for the address and for the client.
 *
 * @throws {@link TooManyRequests} when one of them asks for more than the provider's `limit`. That does not count again.
 */
export function countMail(requester: Requester, provider: ResolvedEmailProvider, address: string): void {
  const { limit } = provider
  if (!limit) return
  const window = limit.window * 1000
  const client = clientOf(requester)
  const counts: Count[] = [{ key: keyOf(provider, 'address', address), allowed: { most: limit.perAddress, window } }]
  if (client !== undefined) {
    counts.push({ key: keyOf(provider, 'client', client), allowed: { most: limit.perClient, window } })
  }
  count(requester, counts)
}

function count({ config }: Requester, counts: readonly Count[]): void {
  const known = countsOf(config.memory)
  for (const { key, allowed } of counts) {
    const wait = known.wait(key, allowed)
    if (wait > 0) throw new TooManyRequests(wait / 1000)
  }
  for (const { key, allowed } of counts) known.add(key, allowed)
}

/** Short, whatever a proxy says about the client; and nobody reads addresses out of the memory. */
function keyOf({ id }: ResolvedEmailProvider, what: string, who: string): string {
  return shortHash(JSON.stringify([id, what, who]))
}
