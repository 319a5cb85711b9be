/**
 * Second factors for calls of the application's own code. They act on the signed-in user and take values instead of
 * forms.
 */
import type { AuthContext } from '../../contracts/index.js'
import { InvalidCode } from '../../errors.js'
import { addFactor, removeFactor } from './manage.js'
import { removeAddedFactors } from './session-end-check.js'
import {
  type AddedFactor,
  changeFactors,
  completeFactorAddition,
  kindToAdd,
  mailFirstCode,
  noSuchFactor,
  openTotpSetup,
  prepareTotp,
  renewRecoveryCodes,
  toTotpSetup,
} from './setup.js'
import { requireSessionTarget } from './target.js'
import type { FactorConfirmation, TotpSetup } from './types.js'

/** Begins to add an authenticator app. */
export async function enrolTotp(context: AuthContext): Promise<TotpSetup> {
  const target = await requireSessionTarget(context)
  return changeFactors(target, async () => {
    const kind = kindToAdd(target, 'totp')
    if (kind.type !== 'totp') throw noSuchFactor()
    return toTotpSetup(context, await prepareTotp(context, target, kind))
  })
}

/** Begins to add codes by email. */
export async function enrolEmail(context: AuthContext): Promise<void> {
  const target = await requireSessionTarget(context)
  return changeFactors(target, async () => {
    const kind = kindToAdd(target, 'email')
    if (kind.type !== 'email') throw noSuchFactor()
    return mailFirstCode(target, kind)
  })
}

/** Adds a factor by its first code. @throws {@link InvalidCode} for a wrong code. */
export async function confirmNewFactor(
  context: AuthContext,
  { type, setup, ...typed }: FactorConfirmation,
): Promise<AddedFactor & { undo(): Promise<void> }> {
  const target = await requireSessionTarget(context)
  return changeFactors(target, async () => {
    const kind = kindToAdd(target, type)
    if (kind.type !== 'totp' && kind.type !== 'email') throw noSuchFactor()
    const secret = kind.type === 'totp' ? await openTotpSetup(context, target, setup) : undefined
    const proof = await addFactor(target.factorContext, kind, { ...typed, secret })
    if (!proof) throw new InvalidCode('A wrong code was given for a second factor that is being added.')
    return { ...(await completeFactorAddition(target, proof)), undo: () => removeAddedFactors(target.factorContext) }
  })
}

/** Removes a factor. @returns `false` if the user has no such factor. */
export async function removeOwnFactor(context: AuthContext, id: string): Promise<boolean> {
  const target = await requireSessionTarget(context)
  return changeFactors(target, async () => typeof id === 'string' && removeFactor(target.factorContext, id))
}

/** Creates new recovery codes. */
export async function renewOwnCodes(context: AuthContext): Promise<readonly string[]> {
  const target = await requireSessionTarget(context)
  return changeFactors(target, () => renewRecoveryCodes(target))
}
