/** Reads and checks the options of `startSession`. */
import { parseEmailAddress } from '../base/email-address.js'
import { isRecord } from '../base/guards.js'
import { boolean, isNonEmptyText, nonEmptyText, optional, required, seconds, shape } from '../config/shape.js'
import { toSessionValues } from '../session/session-callback.js'
import type { KnownUser, VerifiedEmail } from '../types/calls.js'
import type { CheckedStartOptions } from './call.js'

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
  redirectTo: nonEmptyText,
})

const checkUserId = required<string>(isNonEmptyText, 'must be a non-empty string, not {kind}.')
const checkEmail = required<string>(
  (value) => typeof value === 'string' && parseEmailAddress(value) !== undefined,
  'must be an email address, because `user` has no `id`.',
)
/** `true` only: a date of a database record does not prove this user's address. */
const checkEmailVerified = required<true>(
  (value) => value === true,
  'must be true, if your code has verified the address.',
)

/** Returns the checked options. @throws {@link InvalidConfiguration} with the name of the invalid option */
export function readStartOptions(given: unknown): CheckedStartOptions {
  const { user, amr, ...rest } = optionsShape('startSession', given)
  return { ...rest, amr: [...amr], user: readUser(user) }
}

/** Reads the user. Other columns are ignored in a record with an id. */
function readUser(user: Readonly<Record<string, unknown>>): KnownUser | VerifiedEmail {
  const shown = { name: textOrNull(user.name), image: textOrNull(user.image) }
  if (user.id !== undefined)
    return { id: checkUserId('startSession.user.id', user.id), email: textOrNull(user.email), ...shown }
  const typed = checkEmail('startSession.user.email', user.email)
  const emailVerified = checkEmailVerified('startSession.user.emailVerified', user.emailVerified)
  return { email: parseEmailAddress(typed) ?? typed, emailVerified, ...shown }
}

function textOrNull(value: unknown): string | null {
  return isNonEmptyText(value) ? value : null
}

function isMethod(word: unknown): boolean {
  return typeof word === 'string' && /^[\w.:/-]{1,32}$/.test(word)
}
