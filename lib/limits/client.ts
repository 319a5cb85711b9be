/** Which clients count as one. */
import { warnOnce } from '../base/warn-once.js'
import type { AuthContext } from '../contracts/index.js'
import { isProxyAddress, plainAddress } from '../http/addresses.js'

/** The configuration and the request of an attempt. */
export type Requester = Pick<AuthContext, 'config' | 'request'>

/**
 * The network of the client; `undefined` where it is not known. The address of a proxy that the application does not trust is
 * the same for all clients: if it were counted, one person could use up the limit for everybody.
 */
export function clientOf({ config, request }: Requester): string | undefined {
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
