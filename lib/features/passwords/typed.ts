/** What a person typed: texts, each once. A list, or an object of JSON, is refused. */
import type { AuthContext, PasswordProvider } from '../../contracts/index.js'
import { InvalidRequest } from '../../errors.js'
import { lookUpAddress } from '../../flows/email/address.js'

/** The address, as it is stored. @throws {@link EmailSignInError} for what is not exactly one. */
export function typedAddress({ request }: AuthContext, { password }: PasswordProvider): string {
  return lookUpAddress(password.mailer, request.body.email)
}

/** The secret fields of a form, or of a call. */
export type TypedSecrets = Readonly<Record<string, unknown>>

/** Returns a field that is typed unseen. @throws {@link InvalidRequest} for one that is missing, or is no text. */
export function typedSecret(typed: TypedSecrets, name: 'password' | 'current' = 'password'): string {
  const value = Object.hasOwn(typed, name) ? typed[name] : undefined
  if (typeof value === 'string') return value
  throw new InvalidRequest(`The field \`${name}\` must be there once, as text.`)
}
