/**
 * The `fetch` for URLs that a customer can choose. It reaches public addresses only: it checks the host of the URL, and
 * each address of a name as the connection is made. So an answer of DNS that changes afterwards has no effect.
 */
import { lookup as lookupInDns } from 'node:dns'
import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { Readable } from 'node:stream'
import { withSizeLimit } from '../../flows/oauth/fetch.js'

/** The milliseconds for a request, headers and body together. */
const timeLimit = 10_000

/** The rules of requests. */
export interface EgressRules {
  /** The origins that are reached in addition: with any port, and at any address. */
  readonly privateOrigins: ReadonlySet<string>
  /** Replaces the resolver of names. Default: that of the system. */
  readonly lookup?: LookupFunction
}

/** A request that is not allowed. The message names no address, because it may show what is in a private network. */
export class EgressError extends TypeError {
  override readonly name = 'EgressError'
}

/** Returns the `fetch`. It follows no redirect, decodes no compressed response, and reuses no connection. */
export function createEgressFetch(rules: EgressRules): typeof fetch {
  return async function egressFetch(input, init) {
    const request = new Request(input, init)
    const url = new URL(request.url)
    assertAllowedUrl(url, rules)
    const body = request.body ? Buffer.from(await request.arrayBuffer()) : undefined
    const signal = AbortSignal.any([request.signal, AbortSignal.timeout(timeLimit)])
    const headers = { ...Object.fromEntries(request.headers), 'accept-encoding': 'identity' }
    const lookup = rules.privateOrigins.has(url.origin) ? undefined : publicLookup(rules.lookup ?? systemLookup)
    const options = { method: request.method, headers, signal, agent: false, ...(lookup && { lookup }) }
    return withSizeLimit(toResponse(await send(url, options, body)))
  }
}

/**
 * Checks whether a URL may be requested, as far as it says itself. Names are checked again by their addresses.
 *
 * @throws {@link EgressError}
 */
export function assertAllowedUrl(url: URL, { privateOrigins }: Pick<EgressRules, 'privateOrigins'>): void {
  const hasUser = url.username !== '' || url.password !== ''
  if (!hasUser && privateOrigins.has(url.origin)) return
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const isPublic = isIP(host) === 0 ? isPublicName(host) : isPublicAddress(host)
  if (url.protocol === 'https:' && url.port === '' && !hasUser && isPublic) return
  throw new EgressError('The URL must be https, at a public host and the default port.')
}

/** Names that never are public hosts (RFC 6761, RFC 6762, RFC 8375 and the domain `internal`). */
const privateNames = /(?:^|\.)(?:localhost|local|internal|home\.arpa|test|invalid|onion)\.?$/

function isPublicName(host: string): boolean {
  return host.replace(/\.$/, '').includes('.') && !privateNames.test(host)
}

function send(url: URL, options: RequestOptions, body: Buffer | undefined): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, options)
    request.once('response', resolve)
    request.once('error', reject)
    request.end(body)
  })
}

const statusesWithoutBody: ReadonlySet<number> = new Set([204, 205, 304])

function toResponse(message: IncomingMessage): Response {
  try {
    const { statusCode: status = 0, rawHeaders } = message
    if ((message.headers['content-encoding'] ?? 'identity') !== 'identity') {
      throw new TypeError('The response is compressed, although no compression was accepted.')
    }
    const headers = new Headers()
    for (let at = 0; at + 1 < rawHeaders.length; at += 2) headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '')
    if (!statusesWithoutBody.has(status)) {
      return new Response(Readable.toWeb(message) as ReadableStream<Uint8Array>, { status, headers })
    }
    message.resume()
    return new Response(null, { status, headers })
  } catch (error) {
    message.destroy()
    throw error
  }
}

/* ---- addresses ---------------------------------------------------------------------------------------------------- */

// The public addresses. IPv6 is allowed by its only range of public addresses, so that no form of an IPv4 address
// in IPv6 is left over: mapped, compatible, NAT64 and their like are outside.

const privateSubnets: ReadonlyArray<readonly [address: string, bits: number]> = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // The host service of Azure, at an address that looks public.
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
]
const private6Subnets: ReadonlyArray<readonly [address: string, bits: number]> = [
  // Assignments of the IETF, such as Teredo.
  ['2001::', 23],
  ['2001:db8::', 32],
  // 6to4 contains an IPv4 address.
  ['2002::', 16],
  ['3fff::', 20],
]

const blocked = new BlockList()
for (const [address, bits] of privateSubnets) blocked.addSubnet(address, bits, 'ipv4')
for (const [address, bits] of private6Subnets) blocked.addSubnet(address, bits, 'ipv6')
const public6 = new BlockList()
public6.addSubnet('2000::', 3, 'ipv6')

/** Checks whether an IP address is public (the registries of RFC 6890). Any other text is not. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !blocked.check(address, 'ipv4')
    case 6:
      // An address with a zone is one of a link.
      return !address.includes('%') && public6.check(address, 'ipv6') && !blocked.check(address, 'ipv6')
    default:
      return false
  }
}

const systemLookup: LookupFunction = (hostname, options, callback) => lookupInDns(hostname, options, callback)

/** Returns a `lookup` that fails if one of the addresses is not public. A literal address in a URL never gets here. */
function publicLookup(lookup: LookupFunction): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, answer) => {
      const found = Array.isArray(answer) ? answer : []
      const [first] = found
      if (error || !first) return callback(error ?? new EgressError('The name has no address.'), [])
      if (!found.every(({ address }) => isPublicAddress(address))) {
        return callback(new EgressError('The name has an address that is not public.'), [])
      }
      if (options.all) callback(null, found)
      else callback(null, first.address, first.family)
    })
  }
}
