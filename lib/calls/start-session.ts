/** Reads and checks the options of `startSession`. */
import { toAddress } from '../base/address.js'
import { isRecord } from '../base/guards.js'
import { boolean, isText, optional, required, seconds, shape, text } from '../config/shape.js'
import { toSessionValues } from '../session/session-callback.js'
import type { KnownPerson, ProvedAddress } from '../types/calls.js'
import type { ReadStartOptions } from './call.js'

const mostMethods = 8

const optionsShape = shape({
  user: required<Record<string, unknown>>(
    isRecord,
    'must be an object with an `id`, or with a verified `email`, not {kind}.',
  ),
  amr: required<readonly string[]>(
    (value) => Array.isArray(value) && value.length <= mostMethods && value.every(isMethod),
    `must be a list of at most ${mostMethods} words of RFC 8176, such as ["otp"].`,
  ),
  aal: optional<2>((value) => value === 2, 'must be 2, or be left out, not {kind}.'),
  maxAge: seconds(1),
  remember: boolean,
  data: (name, value) => (value === undefined ? undefined : toSessionValues(name, value)),
  redirectTo: text,
})

const idOf = required<string>(isText, 'must be a non-empty string, not {kind}.')
const addressOf = required<string>(
  (value) => typeof value === 'string' && toAddress(value) !== undefined,
  'must be an email address, because `user` has no `id`.',
)
/** `true` only: a date of a database record does not prove this user's address. */
const proofOf = required<true>((value) => value === true, 'must be true, if your code has verified the address.')

/** Returns the checked options. @throws {@link InvalidConfiguration} with the name of the invalid option */
export function readStartOptions(given: unknown): ReadStartOptions {
  const { user, amr, ...rest } = optionsShape('startSession', given)
  return { ...rest, amr: [...amr], user: readUser(user) }
}

/** Reads the user. Other columns are ignored in a record with an id. */
function readUser(user: Readonly<Record<string, unknown>>): KnownPerson | ProvedAddress {
  const shown = { name: textOrNull(user.name), image: textOrNull(user.image) }
  if (user.id !== undefined)
    return { id: idOf('startSession.user.id', user.id), email: textOrNull(user.email), ...shown }
  const typed = addressOf('startSession.user.email', user.email)
  const emailVerified = proofOf('startSession.user.emailVerified', user.emailVerified)
  return { email: toAddress(typed) ?? typed, emailVerified, ...shown }
}

function textOrNull(value: unknown): string | null {
  return isText(value) ? value : null
}

function isMethod(word: unknown): boolean {
  return typeof word === 'string' && /^[\w.:/-]{1,32}$/.test(word)
}
