/** Which clients count as one. */
import { isUrl } from '../../base/url.js'
import { warnOnce } from '../../base/warn-once.js'
import type { AuthContext } from '../../contracts/index.js'
import { isProxyAddress, plainAddress } from '../../http/addresses.js'

/** The configuration and the request of an attempt. */
export type Requester = Pick<AuthContext, 'config' | 'request'>

/**
 * The network of the client; `undefined` where it is not known. The address of a proxy that the application does not trust is
 * the same for all clients, and so is a word in the place of an address: if it were counted, one person could use up the limit for
 * everybody.
 */
export function clientOf({ config, request }: Requester): string | undefined {
  if (request.ip === undefined) return undefined
  const network = isProxyAddress(request) ? undefined : networkOf(request.ip)
  if (network === undefined) warnOnce(config, 'unknown-client', unknownClient)
  return network
}

const unknownClient =
  'A proxy connects for other clients, but the application does not trust it, or it names no address: requests are not limited by client. In Express set app.set("trust proxy", 1), or as many as there are proxies; elsewhere hand over the client\'s `ip`.'

/**
 * One customer's network: an IPv6 client has 2^64 addresses of its own (RFC 6177 §2), an IPv4 one has one. `undefined` for what is
 * no address.
 */
export function networkOf(ip: string): string | undefined {
  const address = plainAddress(ip)
  if (!address.includes(':')) return isIPv4(address) ? address : undefined
  if (!isUrl(`http://[${address}]`)) return undefined
  const [left = [], right = []] = address.split('::').map(groupsOf)
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0')
  const groups = [...left, ...zeros, ...right]
  if (translators.has(groups.slice(0, 6).join(':'))) return toIPv4(groups.slice(6))
  if (groups[0] === '2002') return toIPv4(groups.slice(1, 3))
  return groups.slice(0, 4).join(':')
}

/** Before an IPv4 address: all of them are in one network of 64 bits then. */
const translators: ReadonlySet<string> = new Set(['64:ff9b:0:0:0:0', '0:0:0:0:ffff:0'])

function isIPv4(address: string): boolean {
  const bytes = address.split('.')
  return bytes.length === 4 && bytes.every((byte) => /^\d{1,3}$/.test(byte) && Number(byte) < 256)
}

function toIPv4(groups: readonly string[]): string {
  const bytes = groups.map((group) => Number.parseInt(group, 16)).flatMap((number) => [number >> 8, number & 255])
  return bytes.join('.')
}

function groupsOf(text: string): string[] {
  return text === '' ? [] : text.split(':')
}
