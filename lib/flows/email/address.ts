/** The address to which an email is sent, by the library's rule or the developer's (`normalizeIdentifier`). */
import { foldAddress, isCaseStable, maxAddressLength, parseEmailAddress } from '../../base/email-address.js'
import type { ResolvedEmailProvider } from '../../contracts/index.js'
import { EmailSignInError, toError } from '../../errors.js'

/**
 * Returns the email address to store and to send to.
 *
 * @throws {@link EmailSignInError} for a value that is not exactly one address.
 */
export function readAddress(provider: ResolvedEmailProvider, typed: unknown): string {
  if (typeof typed !== 'string' || typed.length > 2 * maxAddressLength) throw invalidAddress()
  if (!provider.normalizeIdentifier) return normalizeAddress(typed)
  let address: unknown
  try {
    address = provider.normalizeIdentifier(typed)
  } catch (error) {
    throw invalidAddress(toError(error))
  }
  if (typeof address !== 'string' || !isSingleRecipient(address)) throw invalidAddress()
  return address
}

/** Returns the same as {@link readAddress}; `undefined` for a value that is no email address. */
export function tryReadAddress(provider: ResolvedEmailProvider, typed: unknown): string | undefined {
  try {
    return readAddress(provider, typed)
  } catch (error) {
    if (error instanceof EmailSignInError) return undefined
    throw error
  }
}

/** Returns the email address under which a user is stored and looked up. @throws {@link EmailSignInError} as {@link readAddress} does. */
export function lookUpAddress(mailer: ResolvedEmailProvider, typed: unknown): string {
  return foldAddress(readAddress(mailer, typed))
}

/** Returns the same as {@link lookUpAddress}; `undefined` for a value that cannot be the email address of a user. */
export function knownAddress(mailer: ResolvedEmailProvider, typed: unknown): string | undefined {
  const address = tryReadAddress(mailer, typed)
  return address === undefined ? undefined : foldAddress(address)
}

/** Checks whether a link could have been sent to an address. The token of the link decides whether it was. */
export function isMailedAddress(provider: ResolvedEmailProvider, address: string): boolean {
  // The developer's rule is not applied again, because it may change its own results.
  return provider.normalizeIdentifier ? isSingleRecipient(address) : parseEmailAddress(address) === address
}

/** Normalizes an address by the library's rule. @throws {@link EmailSignInError} */
export function normalizeAddress(typed: string): string {
  const address = parseEmailAddress(typed)
  if (address === undefined) throw invalidAddress()
  return address
}

/**
 * Checks whether the result of the developer's rule is safe. It must be one recipient, add no header to the email (RFC
 * 5322 §2.2), and have no letter that becomes another one in lower case (a Kelvin sign becomes a `k`), which would be
 * another user's address.
 */
function isSingleRecipient(address: string): boolean {
  if (address.length > maxAddressLength || !isCaseStable(address)) return false
  return /^[^\s\p{C}",;:<>()[\]\\@]+@[^\s\p{C}",;:<>()[\]\\@]+$/u.test(address)
}

function invalidAddress(cause?: Error): EmailSignInError {
  return new EmailSignInError('The input is not an email address to which a link can be sent.', cause)
}
