/** Email addresses: one spelling for storage and for sending. */
import { parseUrl } from './url.js'

/**
 * The longest address, in characters (RFC 5321 §4.5.3.1.3 less its angle brackets), and the longest part before the
 * `@`.
 */
export const maxAddressLength = 254
const maxLocalLength = 64

/**
 * The characters that mail servers accept unquoted (RFC 5322 §3.2.3), except `%` and `!`, which old servers route by,
 * and a leading `-`, which command-line mail tools read as an option.
 */
const localPart = /^(?!-)[a-z0-9#$&'*+/=?^_`{|}~-]+(?:\.[a-z0-9#$&'*+/=?^_`{|}~-]+)*$/
/**
 * Letters, digits, hyphens and dots of any script. Excludes invisible characters, direction marks and characters with a
 * meaning in a URL.
 */
const hostName = /^[^\s\p{C}!-,/:-@[-`{-~]+$/u
/** Labels with at least one dot. The last label is not a number, so an IP address does not match. */
const domainName = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?!\d+$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/**
 * Normalises a typed email address: NFKC, lower case, ASCII before the `@`, and a host name in ASCII form after it (RFC
 * 5891 §5). Returns `undefined` when the text is not exactly one address.
 */
export function parseEmailAddress(typed: string): string | undefined {
  // Longer texts are rejected before any regular expression runs on them.
  if (typed.length > 2 * maxAddressLength) return undefined
  const parts = typed.normalize('NFKC').trim().toLowerCase().split('@')
  const [local = '', host = ''] = parts
  if (parts.length !== 2 || local.length > maxLocalLength || !localPart.test(local)) return undefined
  // A URL would decode `%78` in its host and drop everything after `/`, `?`, `#` or `\`.
  const domain = hostName.test(host) ? asciiHost(host) : ''
  const address = `${local}@${domain}`
  return domainName.test(domain) && address.length <= maxAddressLength ? address : undefined
}

/**
 * Returns a host in ASCII form, by `URL`, because edge runtimes have no `domainToASCII`. Returns an empty text for an
 * invalid host.
 */
function asciiHost(host: string): string {
  return parseUrl(`http://${host}`)?.hostname ?? ''
}

/**
 * Returns the spelling by which stored addresses are compared: lower case.
 *
 * Where a change of case or NFKC would turn letters into others (the Kelvin sign into `k`, a fullwidth or long `s` into
 * `s`), only A to Z are lowered, so the address equals no other.
 */
export function foldAddress(address: string): string {
  return isCaseStable(address) ? address.toLowerCase() : address.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}

/**
 * Checks whether no change of case or width turns letters of the address into others. Other addresses are never treated
 * as verified.
 */
export function isCaseStable(address: string): boolean {
  const lower = address.toLowerCase()
  const upper = address.toUpperCase()
  return lower.toUpperCase() === upper && upper.toLowerCase() === lower && lower.normalize('NFKC') === lower
}

/** A user's email address, and when it was verified. */
interface VerifiableAddress {
  readonly email?: string | null
  readonly emailVerified?: Date | null
}

/**
 * Checks whether an update gives a user another address that is not verified.
 *
 * An application that reads a user, changes the address and writes the whole user back also sends the date of the old
 * verification. If that date were accepted for the new address, users could claim addresses of others.
 */
export function losesVerification(before: VerifiableAddress, { email, emailVerified }: VerifiableAddress): boolean {
  if (email === undefined || foldAddress(before.email ?? '') === foldAddress(email ?? '')) return false
  return !emailVerified || emailVerified.getTime() === before.emailVerified?.getTime()
}
