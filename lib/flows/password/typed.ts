/** What a person typed: texts, each once. A list, or an object of JSON, is refused. */
import { foldAddress } from '../../base/address.js'
import type { AuthContext, PasswordProvider } from '../../contracts/index.js'
import { EmailSignInError, InvalidRequest } from '../../errors.js'
import { readAddress } from '../email/address.js'

/** The address, as it is stored. @throws {@link EmailSignInError} for what is not exactly one. */
export function typedAddress({ request }: AuthContext, { password }: PasswordProvider): string {
  return foldAddress(readAddress(password.mailer, request.body.email))
}

/** The same for who signs in: `undefined` for what cannot be the address of anybody. */
export function knownAddress(context: AuthContext, provider: PasswordProvider): string | undefined {
  try {
    return typedAddress(context, provider)
  } catch (error) {
    if (error instanceof EmailSignInError) return undefined
    throw error
  }
}

/** A field that is typed unseen. @throws {@link InvalidRequest} for one that is missing, or is no text. */
export function typedSecret({ request: { body } }: AuthContext, name: 'password' | 'current' = 'password'): string {
  const value = Object.hasOwn(body, name) ? body[name] : undefined
  if (typeof value === 'string') return value
  throw new InvalidRequest(`The field \`${name}\` must be there once, as text.`)
}
