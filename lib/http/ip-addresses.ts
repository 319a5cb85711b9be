/** IP addresses and hosts, and whether they belong to this machine or its network. Runs on any runtime. */
import { isUrl } from '../base/url.js'
import { header, type MessageHeaders } from './message.js'

/**
 * Normalises an IP address: without port and zone, in the spelling of the URL standard, and IPv4-mapped IPv6 as IPv4
 * (RFC 4291 §2.5.5.2). Returns text that is not an address unchanged.
 */
export function normalizeIp(text: string): string {
  const address = /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text)?.[1] ?? withoutBrackets(text).split('%')[0] ?? ''
  if (!address.includes(':') || !isUrl(`http://[${address}]`)) return address
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const mapped = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/.exec(canonical)
  return mapped ? mapped.slice(1).flatMap(groupToBytes).join('.') : canonical
}

/** Checks whether an address from {@link normalizeIp} is a loopback address. */
function isLoopbackIp(address: string): boolean {
  return address === '::1' || /^127\.\d+\.\d+\.\d+$/.test(address)
}

/** Checks whether a host, as `URL` normalises it, is this machine (RFC 5735 §3, RFC 4291 §2.5.3, RFC 6761 §6.3). */
export function isLoopbackHost(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127(?:\.\d+){3}$/.test(hostname)
  )
}

/**
 * Checks whether an address from {@link normalizeIp} is not public: loopback, private (RFC 1918 §3, RFC 4193 §3.1) or
 * link-local (RFC 3927 §2.1, RFC 4291 §2.5.6).
 */
export function isPrivateIp(address: string): boolean {
  if (isLoopbackIp(address)) return true
  return address.includes(':')
    ? /^f(?:[cd][0-9a-f]{2}|e[89ab][0-9a-f]):/.test(address)
    : /^(?:10\.\d+|192\.168|169\.254|172\.(?:1[6-9]|2\d|3[01]))\.\d+\.\d+$/.test(address)
}

/**
 * Returns the network of an address: the /24 of IPv4, or the /48 of IPv6, which is a site's (RFC 6177 §2). It is coarse
 * on purpose, so that it shows the approximate location and not the user. Returns `undefined` for text that is not an
 * address.
 */
export function coarseNetwork(ip: string): string | undefined {
  const address = normalizeIp(ip)
  const bytes = /^(\d{1,3}\.\d{1,3}\.\d{1,3})\.\d{1,3}$/.exec(address)?.[1]
  if (bytes !== undefined) return address.split('.').every((byte) => Number(byte) < 256) ? `${bytes}.0/24` : undefined
  if (!address.includes(':') || !isUrl(`http://[${address}]`)) return undefined
  const [left = [], right = []] = address.split('::').map((text) => (text === '' ? [] : text.split(':')))
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0')
  const site = [...left, ...zeros, ...right].slice(0, 3).join(':')
  return `${site.replace(/(?::0)+$/, '')}::/48`.replace(/^0::/, '::')
}

/**
 * Checks whether an origin is a development origin: `localhost`, a name below `.localhost` or `.test` (RFC 6761 §6), or
 * a private address.
 */
export function isLocalOrigin(origin: string): boolean {
  if (!isUrl(origin)) return false
  const { hostname } = new URL(origin)
  return hostname === 'localhost' || /\.(?:localhost|test)$/.test(hostname) || isPrivateIp(normalizeIp(hostname))
}

/** The client's address, if known, and the headers of proxies. */
export interface ClientAddress {
  readonly ip?: string | undefined
  readonly headers: MessageHeaders
}

/**
 * Checks whether a request comes from this machine. A local proxy connects from a loopback address for every client, so
 * each forwarded address must be loopback too.
 *
 * @param client `ip` is the address of the connection.
 */
export function isFromThisMachine({ ip, headers }: ClientAddress): boolean {
  if (ip === undefined || otherProxyHeaders.some((name) => header(headers, name) !== undefined)) return false
  return [ip, ...forwardedFor(headers)].every((address) => isLoopbackIp(normalizeIp(address)))
}

/**
 * Checks whether the address is that of a proxy that the application does not trust, and is therefore shared by all
 * clients: an address that is not public, although a header says that the proxy forwards another client.
 */
export function isProxyAddress({ ip, headers }: ClientAddress): boolean {
  if (ip === undefined) return false
  const address = normalizeIp(ip)
  if (!isPrivateIp(address) && !/^100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./.test(address)) return false
  const [client] = forwardedFor(headers)
  // When the application trusts all proxies, the first forwarded address is the client's.
  if (client !== undefined) return normalizeIp(client) !== address
  return otherProxyHeaders.some((name) => header(headers, name) !== undefined)
}

/** Headers by which proxies without `X-Forwarded-For` name the client. */
const otherProxyHeaders = ['forwarded', 'x-real-ip', 'cf-connecting-ip', 'true-client-ip', 'fly-client-ip']

function forwardedFor(headers: MessageHeaders): string[] {
  const list = header(headers, 'x-forwarded-for')
  return list === undefined ? [] : list.split(',').map((each) => each.trim())
}

function withoutBrackets(text: string): string {
  return /^\[(.*)\](?::\d+)?$/.exec(text)?.[1] ?? text
}

function groupToBytes(group: string): number[] {
  const number = Number.parseInt(group, 16)
  return [number >> 8, number & 255]
}
