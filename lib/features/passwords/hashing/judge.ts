/** Whether a new password may be taken. No rule says which characters it is made of: those make people write `Password1!`. */
import { withTimeout } from '../../../base/timeout.js'
import { toError } from '../../../errors.js'
import type { BreachCheck } from '../types.js'
import { isCommon } from './common.js'
import { isContextual, type PasswordContext } from './context.js'
import { isTooLong, normalizePassword, passwordLength } from './text.js'

/** Why a password is not taken. */
export type PasswordFault =
  /** Too few characters. */
  | 'short'
  /** Too many characters. */
  | 'long'
  /** One of the commonest, or a few characters over and over. */
  | 'common'
  /** Known to attackers. */
  | 'breached'
  /** The person's own address, or the site's name. */
  | 'contextual'
  /** A check that must say yes could not be asked. */
  | 'unavailable'

/** What new passwords are held against. */
export interface PasswordRules {
  /** Characters. */
  readonly minLength: number
  /** Characters. */
  readonly maxLength: number
  readonly breached: readonly BreachCheck[]
  /** What a stranger would try first. */
  readonly context: PasswordContext
}

/** Milliseconds for each check: one with no time-out of its own must not hold a person's form for ever. */
const patience = 10_000

/**
 * Why a password is not taken; `undefined` for one that is. The checks are asked in turn, and only about one that is good otherwise.
 *
 * @param log Told of a check that could not be asked.
 */
export async function judgePassword(
  password: string,
  { minLength, maxLength, breached, context }: PasswordRules,
  log: (failure: Error) => void,
): Promise<PasswordFault | undefined> {
  if (isTooLong(password, maxLength)) return 'long'
  const text = normalizePassword(password)
  if (passwordLength(text) < minLength) return 'short'
  if (isContextual(text, context)) return 'contextual'
  if (await isCommon(text)) return 'common'
  for (const check of breached) {
    const answer = await ask(check, text, log)
    if (answer) return answer
  }
  return undefined
}

async function ask(
  check: BreachCheck,
  text: string,
  log: (failure: Error) => void,
): Promise<'breached' | 'unavailable' | undefined> {
  const controller = new AbortController()
  try {
    const asked = Promise.resolve(check.isBreached(text, controller.signal))
    return (await withTimeout(asked, patience, 'A check of `breached`')) ? 'breached' : undefined
  } catch (thrown) {
    log(toError(thrown))
    return check.blocksOnOutage === true ? 'unavailable' : undefined
  } finally {
    controller.abort()
  }
}
