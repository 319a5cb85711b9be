/** The address that a person typed, as it is stored and written to: one spelling for both (`wire-contract.md`, section 13). */
import { domainToASCII } from 'node:url'
import type { ResolvedEmailProvider } from '../../context.js'
import { EmailSignInError, toError } from '../../errors.js'

/** Characters of an address (RFC 5321 §4.5.3.1.3 less its angle brackets), and of the part before the `@`. */
const maxLength = 254
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
 * The address to store and to write to.
 *
 * @throws {@link EmailSignInError} for what is not exactly one address.
 */
export function readAddress(provider: ResolvedEmailProvider, typed: unknown): string {
  // Longer than any address, before any expression looks at it.
  if (typeof typed !== 'string' || typed.length > 2 * maxLength) throw refusal()
  if (!provider.normalizeIdentifier) return normalizeAddress(typed)
  let address: unknown
  try {
    address = provider.normalizeIdentifier(typed)
  } catch (error) {
    throw refusal(toError(error))
  }
  if (typeof address !== 'string' || !isSingle(address)) throw refusal()
  return address
}

/** Whether an address can be one that we mailed a link to. The link's token decides whether it is. */
export function isMailedAddress(provider: ResolvedEmailProvider, address: string): boolean {
  // A rule of the developer's need not give the same when it is applied to its own result.
  if (provider.normalizeIdentifier) return isSingle(address)
  try {
    return address.length <= maxLength && normalizeAddress(address) === address
  } catch {
    return false
  }
}

/** Our rule: NFKC, lower case, ASCII before the `@`, a host name after it, in its ASCII form (RFC 5891 §5). */
export function normalizeAddress(typed: string): string {
  const parts = typed.normalize('NFKC').trim().toLowerCase().split('@')
  const [local = '', host = ''] = parts
  if (parts.length !== 2 || local.length > maxLocalLength || !localPart.test(local)) throw refusal()
  // `domainToASCII` reads an URL's host: it would decode `%78`, and leave out what follows `/`, `?`, `#` or `\`.
  const domain = hostName.test(host) ? domainToASCII(host) : ''
  const address = `${local}@${domain}`
  if (!domainName.test(domain) || address.length > maxLength) throw refusal()
  return address
}

/** Whatever the developer's rule allows, it is one recipient, and no header's line of its own (RFC 5322 §2.2). */
function isSingle(address: string): boolean {
  return address.length <= maxLength && /^[^\s\p{C}",;:<>()[\]\\@]+@[^\s\p{C}",;:<>()[\]\\@]+$/u.test(address)
}

function refusal(cause?: Error): EmailSignInError {
  return new EmailSignInError('What was typed is no address that a link can be sent to.', cause)
}
