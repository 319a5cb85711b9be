/** The address that a mail is written to: our rule, or the developer's. */
import { keepsLetters, maxAddressLength, toAddress } from '../../base/address.js'
import type { ResolvedEmailProvider } from '../../contracts/index.js'
import { EmailSignInError, toError } from '../../errors.js'

/**
 * The address to store and to write to.
 *
 * @throws {@link EmailSignInError} for what is not exactly one address.
 */
export function readAddress(provider: ResolvedEmailProvider, typed: unknown): string {
  if (typeof typed !== 'string' || typed.length > 2 * maxAddressLength) throw refusal()
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
  return provider.normalizeIdentifier ? isSingle(address) : toAddress(address) === address
}

/** Our rule. @throws {@link EmailSignInError} */
export function normalizeAddress(typed: string): string {
  const address = toAddress(typed)
  if (address === undefined) throw refusal()
  return address
}

/**
 * Whatever the developer's rule allows, it is one recipient, no header's line of its own (RFC 5322 §2.2), and has no letter
 * that lower case would make another one: the Kelvin sign a `k`.
 */
function isSingle(address: string): boolean {
  if (address.length > maxAddressLength || !keepsLetters(address)) return false
  return /^[^\s\p{C}",;:<>()[\]\\@]+@[^\s\p{C}",;:<>()[\]\\@]+$/u.test(address)
}

function refusal(cause?: Error): EmailSignInError {
  return new EmailSignInError('What was typed is no address that a link can be sent to.', cause)
}
