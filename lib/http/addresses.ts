/** Addresses of clients and hosts, and which of them are this machine's or its own network's. Runs on any runtime. */
import { isUrl } from '../base/url.js'
import { header, type MessageHeaders } from './message.js'

/**
 * One spelling for each address: without port and zone, as the URL standard writes it, and IPv4 within IPv6 as IPv4
 * (RFC 4291 §2.5.5.2). What is no address stays as it is.
 */
export function plainAddress(text: string): string {
  const address = /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text)?.[1] ?? withoutBrackets(text).split('%')[0] ?? ''
  if (!address.includes(':') || !isUrl(`http://[${address}]`)) return address
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const mapped = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/.exec(canonical)
  return mapped ? mapped.slice(1).flatMap(toBytes).join('.') : canonical
}

/** Whether an address, as {@link plainAddress} writes it, is this machine's own. */
function isLoopback(address: string): boolean {
  return address === '::1' || /^127\.\d+\.\d+\.\d+$/.test(address)
}

/** Checks whether a host, as `URL` normalised it, is this machine (RFC 5735 §3, RFC 4291 §2.5.3, RFC 6761 §6.3). */
export function isLoopbackHost(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127(?:\.\d+){3}$/.test(hostname)
  )
}

/**
 * Whether an address, as {@link plainAddress} writes it, is of no public network: loopback, private (RFC 1918 §3, RFC 4193
 * §3.1) or link-local (RFC 3927 §2.1, RFC 4291 §2.5.6).
 */
export function isPrivate(address: string): boolean {
  if (isLoopback(address)) return true
  return address.includes(':')
    ? /^f(?:[cd][0-9a-f]{2}|e[89ab][0-9a-f]):/.test(address)
    : /^(?:10\.\d+|192\.168|169\.254|172\.(?:1[6-9]|2\d|3[01]))\.\d+\.\d+$/.test(address)
}

/**
 * The network of an address, coarse on purpose: the /24 of IPv4, the /48 of IPv6, which is a site's (RFC 6177 §2). It says about
 * where somebody is, and not who. `undefined` for what is no address.
 */
export function coarseNetworkOf(ip: string): string | undefined {
  const address = plainAddress(ip)
  const bytes = /^(\d{1,3}\.\d{1,3}\.\d{1,3})\.\d{1,3}$/.exec(address)?.[1]
  if (bytes !== undefined) return address.split('.').every((byte) => Number(byte) < 256) ? `${bytes}.0/24` : undefined
  if (!address.includes(':') || !isUrl(`http://[${address}]`)) return undefined
  const [left = [], right = []] = address.split('::').map((text) => (text === '' ? [] : text.split(':')))
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0')
  const site = [...left, ...zeros, ...right].slice(0, 3).join(':')
  return `${site.replace(/(?::0)+$/, '')}::/48`.replace(/^0::/, '::')
}

/** Whether an origin is one of development: `localhost`, a name below `.localhost` or `.test` (RFC 6761 §6), a private address. */
export function isLocalOrigin(origin: string): boolean {
  if (!isUrl(origin)) return false
  const { hostname } = new URL(origin)
  return hostname === 'localhost' || /\.(?:localhost|test)$/.test(hostname) || isPrivate(plainAddress(hostname))
}

/** The client's address, as far as it is known, and what proxies say about it. */
export interface Client {
  readonly ip?: string | undefined
  readonly headers: MessageHeaders
}

/**
 * Whether a request comes from this machine. A proxy on it connects from a loopback address for everybody, but names whom it
 * connects for: each of them must be a loopback address as well.
 *
 * @param client `ip` is the connection's own address.
 */
export function isFromHere({ ip, headers }: Client): boolean {
  if (ip === undefined || others.some((name) => header(headers, name) !== undefined)) return false
  return [ip, ...forwardedFor(headers)].every((address) => isLoopback(plainAddress(address)))
}

/**
 * Whether the address is that of a proxy that the application does not trust, and so everybody's: an address of no public
 * network, though a proxy says that it connects for somebody else.
 */
export function isProxyAddress({ ip, headers }: Client): boolean {
  if (ip === undefined) return false
  const address = plainAddress(ip)
  if (!isPrivate(address) && !/^100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./.test(address)) return false
  const [client] = forwardedFor(headers)
  // Where the application trusts all proxies, the first of those whom they connect for is the client.
  if (client !== undefined) return plainAddress(client) !== address
  return others.some((name) => header(headers, name) !== undefined)
}

/** By which proxies that send no `X-Forwarded-For` name a client. */
const others = ['forwarded', 'x-real-ip', 'cf-connecting-ip', 'true-client-ip', 'fly-client-ip']

function forwardedFor(headers: MessageHeaders): string[] {
  const list = header(headers, 'x-forwarded-for')
  return list === undefined ? [] : list.split(',').map((each) => each.trim())
}

function withoutBrackets(text: string): string {
  return /^\[(.*)\](?::\d+)?$/.exec(text)?.[1] ?? text
}

function toBytes(group: string): number[] {
  const number = Number.parseInt(group, 16)
  return [number >> 8, number & 255]
}
