/**
 * How many mails may be asked for, by address and by client, so that nobody floods a mailbox through this site. Counted in
 * this process.
 */

import { type Allowance, perOwner, RecentCounts, type SiteMemory } from '../../base/memory.js'
import { warnOnce } from '../../base/warn-once.js'
import type { AuthContext, ResolvedEmailProvider } from '../../contracts/index.js'
import { shortHash } from '../../crypto/hash.js'
import { TooManyRequests } from '../../errors.js'
import { isProxyAddress, plainAddress } from '../../http/addresses.js'

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
  const limits: Array<[key: string, allowed: Allowance]> = [
    [countKey(provider, 'address', address), { most: limit.perAddress, window }],
  ]
  if (client !== undefined) limits.push([countKey(provider, 'client', client), { most: limit.perClient, window }])
  const counts = countsOf(requester.config.memory)
  for (const [key, allowed] of limits) {
    const wait = counts.wait(key, allowed)
    if (wait > 0) throw new TooManyRequests(wait / 1000)
  }
  for (const [key, allowed] of limits) counts.add(key, allowed)
}

/** The key of a count: a hash, so that it is short whatever a client sends, and a dump of the memory shows no address. */
export function countKey({ id }: ResolvedEmailProvider, what: string, who: string): string {
  return shortHash(JSON.stringify([id, what, who]))
}

/* ---- which clients count as one ----------------------------------------------------------------------------- */

/**
 * The network of the client; `undefined` where it is not known. The address of a proxy that the application does not trust is
 * the same for all clients: if it were counted, one person could use up the limit for everybody.
 */
export function clientOf({ config, request }: Pick<AuthContext, 'config' | 'request'>): string | undefined {
  if (!isProxyAddress(request)) return request.ip === undefined ? undefined : networkOf(request.ip)
  warnOnce(config, 'unknown-client', unknownClient)
  return undefined
}

const unknownClient =
  'A proxy connects for other clients, but the application does not trust it: requests are not limited by client. In Express set app.set("trust proxy", 1), or as many as there are proxies; elsewhere hand over the client\'s `ip`.'

/** One customer's network: an IPv6 client has 2^64 addresses of its own (RFC 6177 §2), an IPv4 one has one. */
export function networkOf(ip: string): string {
  const address = plainAddress(ip)
  if (!address.includes(':')) return address
  const [left = [], right = []] = address.split('::').map(groupsOf)
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0')
  return [...left, ...zeros, ...right].slice(0, 4).join(':')
}

function groupsOf(text: string): string[] {
  return text === '' ? [] : text.split(':')
}
