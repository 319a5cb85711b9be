/** Adding and removing second factors, within five minutes of a sign-in with all the user's factors. */
import { isRecord } from '../../base/guards.js'
import { emitEvent } from '../../callbacks/index.js'
import type { FactorKind } from '../../contracts/index.js'
import { sendNotice } from '../../flows/email/send.js'
import { requestInfo } from '../../http/message.js'
import { factorProof, type Proof } from '../../principal/index.js'
import { verifiedAddressOf } from './email-factor.js'
import {
  type FactorContext,
  type FactorRecordReader,
  factorRecordsOf,
  isEnrolled,
  isFactorRecord,
  reloadFactorRecords,
} from './factor-context.js'
import { countRecoveryCodes, replaceRecoveryCodes } from './recovery-factor.js'
import { forgetTrustedBrowsers } from './store.js'
import type { FactorTarget } from './target.js'
import type { EnrolledFactor, FactorType } from './types.js'
import { countAndCheckAnswer, type FirstAnswer, factorMethods } from './verify.js'

/** Returns the factors of a user, for the page and for `account.get`. */
export async function enrolledFactors(reader: FactorRecordReader): Promise<EnrolledFactor[]> {
  const shown = reader.records.filter(isFactorRecord)
  const left = await countRecoveryCodes(reader)
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
export async function addFactor(
  factorContext: FactorContext,
  kind: FactorKind,
  typed: FirstAnswer,
): Promise<Proof | undefined> {
  const { type } = kind
  const amr = await countAndCheckAnswer(factorContext, `${type} setup`, () =>
    factorMethods[type].add(factorContext, kind, typed),
  )
  if (!amr) return undefined
  await reportFactorChange(factorContext, 'factorAdded', type)
  return factorProof(type, amr)
}

/**
 * Creates the codes that come with the first factor; `undefined` if the user has codes, or none are configured. Codes
 * from before the first factor are replaced, because another person may know them.
 */
export async function createFirstCodes(factorContext: FactorContext, isFirst: boolean): Promise<string[] | undefined> {
  const kind = factorContext.options.kinds.get('recovery')
  if (kind?.type !== 'recovery' || (!isFirst && factorRecordsOf(factorContext, 'recovery').length > 0)) return undefined
  const codes = await replaceRecoveryCodes(factorContext, kind)
  // The email about the added factor is enough, so no second one is sent.
  await emitFactorChange(factorContext, 'factorAdded', 'recovery')
  return codes
}

/**
 * Removes a factor of the user, except recovery codes. The last factor takes the recovery codes with it. Remembered
 * browsers are always forgotten.
 *
 * @returns `false` if the user has no such factor.
 */
export async function removeFactor(factorContext: FactorContext, id: string): Promise<boolean> {
  const row = factorContext.records.find((each) => each.id === id && isEnrolled([each]))
  if (!row || (await factorContext.store.remove(row)) === 0) return false
  const left = await reloadFactorRecords(factorContext)
  if (!isEnrolled(left.records)) {
    for (const { userId, id: other, type } of left.records) {
      if (type === 'recovery') await left.store.remove({ userId, id: other })
    }
  }
  await forgetTrustedBrowsers(factorContext.context.config, row.userId)
  await reportFactorChange(factorContext, 'factorRemoved', row.type as FactorType)
  return true
}

/** Emits the event, and notifies the user by email if a mailer is configured. */
export async function reportFactorChange(
  factorContext: FactorContext,
  event: FactorChangeEvent,
  factor: FactorType,
): Promise<void> {
  await emitFactorChange(factorContext, event, factor)
  const { context, options } = factorContext
  const address = options.mailer && (await verifiedAddressOf(factorContext))
  if (options.mailer && address !== undefined) sendNotice(context, options.mailer, address, 'factors')
}

type FactorChangeEvent = 'factorAdded' | 'factorRemoved'

async function emitFactorChange(
  { context, subject }: FactorContext,
  event: FactorChangeEvent,
  factor: FactorType,
): Promise<void> {
  const { config, request } = context
  const reason = event === 'factorRemoved' && { reason: 'removed' as const }
  const { reportedUserId: userId, sid } = subject
  const message = { userId, factor, ...reason, ...(sid !== undefined && { sid }) }
  await emitEvent(config, event, { ...message, request: requestInfo(request) })
}

/** Returns the account name for the authenticator app: the user's email address, name or id. */
export function accountName(target: FactorTarget): string {
  const shown: unknown = target.kind === 'held' ? target.pending.data.signedIn.user : target.reading.session.user
  const { email, name } = isRecord(shown) ? shown : {}
  const text = [email, name].find((each) => typeof each === 'string' && each.trim() !== '')
  return typeof text === 'string' ? text : target.factorContext.subject.reportedUserId
}
