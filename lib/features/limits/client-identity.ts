/** The identification of clients and known browsers, and the keys of counts. */
import { isUrl } from '../../base/url.js'
import { warnOnce } from '../../base/warn-once.js'
import type { AuthContext, CookieContext, ResolvedConfig } from '../../contracts/index.js'
import { equalText, shortHmac } from '../../crypto/hash.js'
import { macKeys } from '../../crypto/keys.js'
import { randomText } from '../../crypto/random.js'
import { isProxyAddress, normalizeIp } from '../../http/ip-addresses.js'
import type { AuthRequest } from '../../http/message.js'

/** The configuration and the request of an attempt. */
export interface Requester extends Pick<AuthContext, 'config'> {
  readonly request: Pick<AuthRequest, 'ip' | 'headers' | 'providerId'>
}

/**
 * Returns the network of the client; `undefined` if it is unknown.
 *
 * The address of an untrusted proxy is the same for all clients, and so is a placeholder instead of an address. If it
 * were counted, one client could use up the limit of all.
 */
export function clientNetworkOf({ config, request }: Requester): string | undefined {
  if (request.ip === undefined) return undefined
  const network = isProxyAddress(request) ? undefined : networkOf(request.ip)
  if (network === undefined) warnOnce(config, 'unknown-client', unknownClient)
  return network
}

const unknownClient =
  'Requests are not limited by client, because the application does not trust its proxy, or the proxy sends no client address. In Express call app.set("trust proxy", 1), or with the number of proxies; elsewhere pass the client\'s `ip`.'

/**
 * Returns the network of one customer; `undefined` if the text is no address. An IPv6 client has 2^64 addresses (RFC
 * 6177 §2), an IPv4 client has one.
 */
export function networkOf(ip: string): string | undefined {
  const address = normalizeIp(ip)
  if (!address.includes(':')) return isIPv4(address) ? address : undefined
  if (!isUrl(`http://[${address}]`)) return undefined
  const [left = [], right = []] = address.split('::').map(groupsOf)
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0')
  const groups = [...left, ...zeros, ...right]
  if (ipv4Prefixes.has(groups.slice(0, 6).join(':'))) return toIPv4(groups.slice(6))
  if (groups[0] === '2002') return toIPv4(groups.slice(1, 3))
  return groups.slice(0, 4).join(':')
}

/** Prefixes of an embedded IPv4 address. All such addresses share one network of 64 bits. */
const ipv4Prefixes: ReadonlySet<string> = new Set(['64:ff9b:0:0:0:0', '0:0:0:0:ffff:0'])

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

/* Known browsers. */

// A browser that has signed in to an account gets a cookie that says so. Its attempts at that account have their own
// count. An attacker who guesses the password elsewhere therefore slows down other browsers, but not the owner's
// (OWASP, "Slow Down Online Guessing Attacks with Device Cookies").
//
// The cookie lists a few sign-ins, the latest first, as `nonce.mac`. The mac is a keyed hash of the nonce and of the
// typed text. It proves nothing else, and a copy of it gives the guesses of one browser.
//
// A browser is known for exactly what was typed: provider, fields and each letter. Counts fold similar names, fields
// and providers together. If browsers were known for folded names, the owner of a similar name (`ánn` for `ann`) could
// create any number of known browsers for the other account, each with its own guesses. The same holds for a name in a
// second field.

/** Seconds: the longest that browsers keep a cookie (RFC 6265bis §5.5). */
const maxAge = 400 * 24 * 60 * 60
/** The most sign-ins that a browser is known for, such as those of a family. */
const mostSignIns = 5

/** Returns the nonce of this browser for the typed text; `undefined` if it is not known for it. */
export function knownBrowserOf(context: CookieContext, typed: string): string | undefined {
  return knownSignInOf(context, typed)?.slice(0, nonceLength)
}

/** Makes this browser known for the typed text. */
export function addKnownBrowser(context: CookieContext, typed: string): void {
  const { cookies, cookiePolicy, config } = context
  const known = knownSignInOf(context, typed)
  const nonce = known?.slice(0, nonceLength) ?? randomText(16)
  const others = knownSignInsOf(context).filter((entry) => entry !== known)
  const entry = `${nonce}.${knownBrowserMac(config.secrets[0], nonce, typed)}`
  const { name, options } = cookiePolicy.device
  const expires = new Date(Date.now() + maxAge * 1000)
  const value = [entry, ...others].slice(0, mostSignIns).join('~')
  cookies.set({ name, options: { ...options, maxAge, expires } }, value)
}

/**
 * Returns the text that a browser is known for after it opened an email link: the address as the email was sent to it.
 */
export function mailboxText(address: string): string {
  return JSON.stringify(['mailbox', address])
}

/** Characters: 16 bytes. */
const nonceLength = 22

function knownSignInOf(context: CookieContext, typed: string): string | undefined {
  const { secrets } = context.config
  return knownSignInsOf(context).find((entry) => {
    const [nonce = '', mac = ''] = entry.split('.')
    return secrets.some((secret) => equalText(knownBrowserMac(secret, nonce, typed), mac))
  })
}

function knownSignInsOf({ cookies, cookiePolicy }: CookieContext): string[] {
  const value = cookies.get(cookiePolicy.device.name) ?? ''
  return value.split('~', mostSignIns).filter((entry) => /^[\w-]{22}\.[\w-]{22}$/.test(entry))
}

const deviceKey = macKeys('device')

function knownBrowserMac(secret: string, nonce: string, typed: string): string {
  return shortHmac(deviceKey(secret), JSON.stringify([nonce, typed]))
}

/* Keys. */

// The keys of counts are keyed hashes. A dump of the store shows no address and no name, and keys cannot be guessed.

const limitsKey = macKeys('limits')

/** Returns the key of a count. @param what The action that is counted, and its subject. */
export function limitKey({ secrets }: Pick<ResolvedConfig, 'secrets'>, what: readonly string[]): string {
  return shortHmac(limitsKey(secrets[0]), JSON.stringify(what))
}
