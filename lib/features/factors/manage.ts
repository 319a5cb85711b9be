/** Adding and removing second factors, within five minutes of a sign-in with all that the person has. */
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

/** What the person has, for the page and for `account.get`. */
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
 * Adds a factor whose answer has come. A wrong answer is counted as at a sign-in.
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
 * The codes that a person gets with their first factor: none where they have some, or none are configured. Of what was there before the
 * first factor nobody knows who has it: those end.
 */
export async function firstCodes(scene: Scene, isFirst: boolean): Promise<string[] | undefined> {
  const kind = scene.options.kinds.get('recovery')
  if (kind?.type !== 'recovery' || (!isFirst && rowsOf(scene, 'recovery').length > 0)) return undefined
  const codes = await renewCodes(scene, kind)
  // One mail says that the factor was added.
  await toldEvent(scene, 'factorAdded', 'recovery')
  return codes
}

/**
 * Removes a factor of the person, but no recovery codes: those are replaced. With the last one the recovery codes and the browsers that are theirs go, too.
 *
 * @returns `false` where they have no such factor.
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

/** Tells the event, and the person by a mail where somebody sends them. */
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

/** What an asked person is called by the app: their address, else their name, else their id. */
export function accountName(asked: Asked): string {
  const shown: unknown = asked.kind === 'held' ? asked.pending.held.signedIn.user : asked.reading.session.user
  const { email, name } = isRecord(shown) ? shown : {}
  const text = [email, name].find((each) => typeof each === 'string' && each.trim() !== '')
  return typeof text === 'string' ? text : asked.scene.subject.told
}
