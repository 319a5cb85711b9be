/** E-mail addresses: one spelling for what is stored and what is written to. */
import { parseUrl } from './url.js'

/** Characters of an address (RFC 5321 §4.5.3.1.3 less its angle brackets), and of the part before the `@`. */
export const maxAddressLength = 254
const maxLocalLength = 64

/**
 * What a mail server takes unquoted (RFC 5322 §3.2.3) less `%` and `!`, by which old ones route, and a `-` in front, which
 * mail programs on a command line take for an option.
 */
const localPart = /^(?!-)[a-z0-9#$&'*+/=?^_`{|}~-]+(?:\.[a-z0-9#$&'*+/=?^_`{|}~-]+)*$/
/** Letters, digits, hyphens and dots of any script; nothing that hides, turns direction or has a meaning in an URL. */
const hostName = /^[^\s\p{C}!-,/:-@[-`{-~]+$/u
/** Labels with at least one dot; the last one is no number: no IP address. */
const domainName = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?!\d+$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/**
 * The address that a person typed: NFKC, lower case, ASCII before the `@`, a host name after it, in its ASCII form (RFC 5891
 * §5). `undefined` for what is not exactly one address.
 */
export function toAddress(typed: string): string | undefined {
  // Longer than any address, before any expression looks at it.
  if (typed.length > 2 * maxAddressLength) return undefined
  const parts = typed.normalize('NFKC').trim().toLowerCase().split('@')
  const [local = '', host = ''] = parts
  if (parts.length !== 2 || local.length > maxLocalLength || !localPart.test(local)) return undefined
  // A URL would decode `%78` in its host, and leave out what follows `/`, `?`, `#` or `\`.
  const domain = hostName.test(host) ? asciiOf(host) : ''
  const address = `${local}@${domain}`
  return domainName.test(domain) && address.length <= maxAddressLength ? address : undefined
}

/** Read by `URL`: edge runtimes have no `domainToASCII`. Empty for what is no host. */
function asciiOf(host: string): string {
  return parseUrl(`http://${host}`)?.hostname ?? ''
}

/**
 * One spelling for addresses that are stored, and that pass for the same: lower case. Where that, upper case or NFKC would
 * make other letters of it (the Kelvin sign a `k`, a fullwidth or long `s` an `s`) it stays as typed but for A to Z, and is
 * nobody else's address.
 */
export function foldAddress(address: string): string {
  return keepsLetters(address) ? address.toLowerCase() : address.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}

/** Whether no change of case or width makes other letters of the address: nothing else is proved by anybody's word. */
export function keepsLetters(address: string): boolean {
  const lower = address.toLowerCase()
  const upper = address.toUpperCase()
  return lower.toUpperCase() === upper && upper.toLowerCase() === lower && lower.normalize('NFKC') === lower
}

/** A user's address, and when it was proved. */
interface ProvedAddress {
  readonly email?: string | null
  readonly emailVerified?: Date | null
}

/**
 * Whether a change of a user gives them another address without a proof of it. An application that reads a user, changes the
 * address and writes the whole back sends the date of the old proof along: it proves the old address only, and taken for one
 * of the new address it would let anybody claim the address of somebody else.
 */
export function losesProof(before: ProvedAddress, { email, emailVerified }: ProvedAddress): boolean {
  if (email === undefined || foldAddress(before.email ?? '') === foldAddress(email ?? '')) return false
  return !emailVerified || emailVerified.getTime() === before.emailVerified?.getTime()
}
