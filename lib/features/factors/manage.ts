/** Adding and removing second factors, within five minutes of a sign-in with all the user's factors. */
import { isRecord } from '../../base/guards.js'
import { emit } from '../../callbacks/index.js'
import type { FactorKind } from '../../contracts/index.js'
import { sendNotice } from '../../flows/email/send.js'
import { requestInfo } from '../../http/message.js'
import { factorProof, type Proof } from '../../principal/index.js'
import type { Asked } from './asked.js'
import { addressOf } from './email-factor.js'
import { codesLeft, renewCodes } from './recovery-factor.js'
import { forgetBrowsers } from './store.js'
import { isEnrolled, isFactor, lookAgain, type RowReader, rowsOf, type Scene } from './subject.js'
import type { EnrolledFactor, FactorType } from './types.js'
import { countedAnswer, type FirstAnswer, methods } from './verify.js'

/** Returns the factors of a user, for the page and for `account.get`. */
export async function enrolledFactors(reader: RowReader): Promise<EnrolledFactor[]> {
  const shown = reader.rows.filter(isFactor)
  const left = await codesLeft(reader)
  return shown.map(({ id, type, name, createdAt, usedAt }) => ({
    id,
    type: type as FactorType,
    name,
    createdAt,
    usedAt,
    ...(type === 'recovery' && { left }),
  }))
}

/**
 * Adds a factor if its first answer is right. A wrong answer is counted as at a sign-in.
 *
 * @returns Its proof; `undefined` for a wrong answer.
 */
export async function addFactor(scene: Scene, kind: FactorKind, typed: FirstAnswer): Promise<Proof | undefined> {
  const { type } = kind
  const amr = await countedAnswer(scene, `${type} setup`, () => methods[type].add(scene, kind, typed))
  if (!amr) return undefined
  await told(scene, 'factorAdded', type)
  return factorProof(type, amr)
}

/**
 * Creates the codes that come with the first factor; `undefined` if the user has codes, or none are configured. Codes
 * from before the first factor are replaced, because somebody else may know them.
 */
export async function firstCodes(scene: Scene, isFirst: boolean): Promise<string[] | undefined> {
  const kind = scene.options.kinds.get('recovery')
  if (kind?.type !== 'recovery' || (!isFirst && rowsOf(scene, 'recovery').length > 0)) return undefined
  const codes = await renewCodes(scene, kind)
  // The email about the added factor is enough, so no second one is sent.
  await toldEvent(scene, 'factorAdded', 'recovery')
  return codes
}

/**
 * Removes a factor of the user, except recovery codes. The last factor takes the recovery codes with it. Remembered
 * browsers are always forgotten.
 *
 * @returns `false` if the user has no such factor.
 */
export async function removeFactor(scene: Scene, id: string): Promise<boolean> {
  const row = scene.rows.find((each) => each.id === id && isEnrolled([each]))
  if (!row || (await scene.store.remove(row)) === 0) return false
  const left = await lookAgain(scene)
  if (!isEnrolled(left.rows)) {
    for (const { userId, id: other, type } of left.rows) {
      if (type === 'recovery') await left.store.remove({ userId, id: other })
    }
  }
  await forgetBrowsers(scene.context.config, row.userId)
  await told(scene, 'factorRemoved', row.type as FactorType)
  return true
}

/** Emits the event, and notifies the user by email if a mailer is configured. */
export async function told(scene: Scene, event: Change, factor: FactorType): Promise<void> {
  await toldEvent(scene, event, factor)
  const { context, options } = scene
  const address = options.mailer && (await addressOf(scene))
  if (options.mailer && address !== undefined) sendNotice(context, options.mailer, address, 'factors')
}

type Change = 'factorAdded' | 'factorRemoved'

async function toldEvent({ context, subject }: Scene, event: Change, factor: FactorType): Promise<void> {
  const { config, request } = context
  const reason = event === 'factorRemoved' && { reason: 'removed' as const }
  const { told: userId, sid } = subject
  const message = { userId, factor, ...reason, ...(sid !== undefined && { sid }) }
  await emit(config, event, { ...message, request: requestInfo(request) })
}

/** Returns the account name for the authenticator app: the user's email address, name or id. */
export function accountName(asked: Asked): string {
  const shown: unknown = asked.kind === 'held' ? asked.pending.held.signedIn.user : asked.reading.session.user
  const { email, name } = isRecord(shown) ? shown : {}
  const text = [email, name].find((each) => typeof each === 'string' && each.trim() !== '')
  return typeof text === 'string' ? text : asked.scene.subject.told
}
