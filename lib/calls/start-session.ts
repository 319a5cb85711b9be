/** Reads and checks the options of `startSession`. */

import type { ApplicationProof } from '../actions/index.js'
import { parseEmailAddress } from '../base/email-address.js'
import { isRecord } from '../base/guards.js'
import { nowInSeconds } from '../base/time.js'
import { rejectOption } from '../config/reject-option.js'
import { boolean, isNonEmptyText, nonEmptyText, optional, required, seconds, shape } from '../config/shape.js'
import { toSessionValues } from '../session/session-callback.js'
import type { KnownUser, StatedProof, VerifiedEmail } from '../types/calls.js'
import type { CheckedStartOptions } from './call.js'

const mostMethods = 8
const mostProofs = 4
/** The seconds by which the clock of the service that authenticated the user may be ahead. */
const clockTolerance = 5 * 60

const methods = required<readonly string[]>(
  (value) => Array.isArray(value) && value.length <= mostMethods && value.every(isMethod),
  `must be a list of at most ${mostMethods} words of RFC 8176, such as ["otp"].`,
)
const level = optional<2>((value) => value === 2, 'must be 2, or be left out, not {kind}.')

const proofShape = shape({
  amr: methods,
  aal: level,
  at: required<number>(
    (value) => typeof value === 'number' && value >= 0 && value <= nowInSeconds() + clockTolerance,
    'must be the time of the authentication, in seconds since the epoch and not in the future, not {kind}. Divide milliseconds by 1000.',
  ),
})

const optionsShape = shape({
  user: required<Record<string, unknown>>(
    isRecord,
    'must be an object with an `id`, or with a verified `email`, not {kind}.',
  ),
  amr: (name, value) => (value === undefined ? undefined : methods(name, value)),
  aal: level,
  proofs: optional<readonly unknown[]>(
    (value) => Array.isArray(value) && value.length > 0 && value.length <= mostProofs,
    `must be a list of 1 to ${mostProofs} proofs, such as [{ amr: ["pwd"], at: 1767225600 }].`,
  ),
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

const verifiedEmailMembers = [
  'id',
  'email',
  'emailVerified',
  'name',
  'image',
] satisfies (keyof VerifiedEmail)[] as string[]

/** Returns the checked options. @throws {@link InvalidConfiguration} with the name of the invalid option */
export function readStartOptions(given: unknown): CheckedStartOptions {
  const { user, amr, aal, proofs, ...rest } = optionsShape('startSession', given)
  return { ...rest, ...readProofs({ amr, aal, proofs }), user: readUser(user) }
}

/** Reads the proof: one of this moment, or those that are stated with their times. */
function readProofs({ amr, aal, proofs: list }: GivenProofs) {
  if (!list) return { amr: [...methods('startSession.amr', amr)], ...(aal && { aal }) }
  if (amr !== undefined || aal !== undefined) {
    rejectOption('startSession.proofs', 'has methods and levels of its own. Remove `amr` and `aal` beside it.')
  }
  const stated = list.map((proof, at) => readProof(`startSession.proofs[${at}]`, proof))
  methods(
    'startSession.proofs',
    stated.flatMap((proof) => proof.amr),
  )
  return { amr: [], stated }
}

/** The options about the proof, before they are compared with each other. */
interface GivenProofs extends Partial<Pick<ApplicationProof, 'amr' | 'aal'>> {
  readonly proofs?: readonly unknown[]
}

function readProof(name: string, proof: unknown): StatedProof {
  const { amr, ...rest } = proofShape(name, proof)
  return { ...rest, amr: [...amr] }
}

/**
 * Reads the user. The other members of a record with an id are ignored, because the record is stored already. Those of
 * a user with an email address would be lost.
 */
function readUser(user: Readonly<Record<string, unknown>>): KnownUser | VerifiedEmail {
  const shown = { name: textOrNull(user.name), image: textOrNull(user.image) }
  if (user.id !== undefined)
    return { id: checkUserId('startSession.user.id', user.id), email: textOrNull(user.email), ...shown }
  const lost = Object.keys(user).find((name) => user[name] !== undefined && !verifiedEmailMembers.includes(name))
  if (lost !== undefined) {
    rejectOption(
      `startSession.user.${lost}`,
      'is not stored by a sign-in. Remove it, or create the user with `auth.users.create` and pass the `id`.',
    )
  }
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
