/**
 * Second factors for calls of the application's own code. They act on the signed-in user and take values instead of
 * forms.
 */
import type { AuthContext } from '../../contracts/index.js'
import { InvalidCode } from '../../errors.js'
import { askedNow } from './asked.js'
import { addFactor, removeFactor } from './manage.js'
import {
  type AddedFactor,
  changeFactors,
  completeAdding,
  kindToAdd,
  mailFirstCode,
  makeCodes,
  noSuchFactor,
  openSetup,
  prepareTotp,
  toData,
} from './setup.js'
import type { FactorConfirmation, TotpSetup } from './types.js'
import { takeBack } from './undisturbed.js'

/** Begins to add an authenticator app. */
export async function enrolTotp(context: AuthContext): Promise<TotpSetup> {
  const asked = await askedNow(context)
  return changeFactors(asked, async () => {
    const kind = kindToAdd(asked, 'totp')
    if (kind.type !== 'totp') throw noSuchFactor()
    return toData(context, await prepareTotp(context, asked, kind))
  })
}

/** Begins to add codes by email. */
export async function enrolEmail(context: AuthContext): Promise<void> {
  const asked = await askedNow(context)
  return changeFactors(asked, async () => {
    const kind = kindToAdd(asked, 'email')
    if (kind.type !== 'email') throw noSuchFactor()
    return mailFirstCode(asked, kind)
  })
}

/** Adds a factor by its first code. @throws {@link InvalidCode} for a wrong code. */
export async function confirm(
  context: AuthContext,
  { type, setup, ...typed }: FactorConfirmation,
): Promise<AddedFactor & { undo(): Promise<void> }> {
  const asked = await askedNow(context)
  return changeFactors(asked, async () => {
    const kind = kindToAdd(asked, type)
    if (kind.type !== 'totp' && kind.type !== 'email') throw noSuchFactor()
    const secret = kind.type === 'totp' ? await openSetup(context, asked, setup) : undefined
    const proof = await addFactor(asked.scene, kind, { ...typed, secret })
    if (!proof) throw new InvalidCode('A wrong code was given for a second factor that is being added.')
    return { ...(await completeAdding(asked, proof)), undo: () => takeBack(asked.scene) }
  })
}

/** Removes a factor. @returns `false` if the user has no such factor. */
export async function remove(context: AuthContext, id: string): Promise<boolean> {
  const asked = await askedNow(context)
  return changeFactors(asked, async () => typeof id === 'string' && removeFactor(asked.scene, id))
}

/** Creates new recovery codes. */
export async function newCodes(context: AuthContext): Promise<readonly string[]> {
  const asked = await askedNow(context)
  return changeFactors(asked, () => makeCodes(asked))
}
