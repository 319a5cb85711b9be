/** Which clients count as one. */
import { isIPv6 } from 'node:net'

/** One customer's network: an IPv6 client has 2^64 addresses of its own (RFC 6177 §2), an IPv4 one has one. */
export function networkOf(ip: string): string {
  // Some proxies tell the port as well, which is another one each time.
  const address = /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(ip)?.[1] ?? ip.split('%')[0] ?? ''
  if (!isIPv6(address)) return address
  // As the URL standard writes it: each address in one way only.
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const mapped = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/.exec(canonical)
  if (mapped) return mapped.slice(1).flatMap(toBytes).join('.')
  const [left = [], right = []] = canonical.split('::').map(groupsOf)
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0')
  return [...left, ...zeros, ...right].slice(0, 4).join(':')
}

function groupsOf(text: string): string[] {
  return text === '' ? [] : text.split(':')
}

function toBytes(group: string): number[] {
  const number = Number.parseInt(group, 16)
  return [number >> 8, number & 255]
}
