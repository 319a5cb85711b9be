/** An email code as a second factor: six digits, for one attempt or session, sent to the user's current address. */
import { randomInt } from 'node:crypto'
import type { FactorKindOf } from '../../contracts/index.js'
import { shortHmac } from '../../crypto/hash.js'
import { includesHash, keyedHashes } from '../../crypto/keyed-hashes.js'
import { countFactorMail } from '../../flows/email/limits.js'
import { sendMail } from '../../flows/email/send.js'
import { requireStore } from '../../store/guard.js'
import { type FactorContext, storedUserIdOf, updateFactorRecord, writeFactorRecord } from './factor-context.js'
import { normalizeNumericCode } from './totp-factor.js'

/**
 * The record ids of a user. A new code replaces the previous one. A factor that is being added has a record of its own,
 * because it is not enrolled yet.
 */
const emailRecordIds = { challenge: 'email', setup: 'email-setup' }
type CodeUse = keyof typeof emailRecordIds

/** Returns the user's current verified email address, to which codes are sent; `undefined` without one. */
export async function verifiedAddressOf(
  factorContext: Pick<FactorContext, 'context' | 'subject'>,
): Promise<string | undefined> {
  const id = storedUserIdOf(factorContext)
  const user = id === undefined ? null : await requireStore(factorContext.context.config).getUser(id)
  return user?.emailVerified && user.email ? user.email : undefined
}

/**
 * Emails a new code. The email is sent after the response.
 *
 * @returns `false` if the user has no verified email address, or did not enrol.
 * @throws TooManyRequests after too many emails, AdapterError.
 */
export async function mailFactorCode(
  factorContext: FactorContext,
  { provider, maxAge }: FactorKindOf<'email'>,
  use: CodeUse,
): Promise<boolean> {
  const { context } = factorContext
  const address = await verifiedAddressOf(factorContext)
  if (address === undefined) return false
  await countFactorMail(context, provider, factorContext.subject.userId)
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  const expires = new Date(Date.now() + maxAge * 1000)
  const [hash = ''] = mailedCodeHashes(factorContext, code, address)
  const payload = { hash, until: expires.getTime() }
  if (!(await storeMailedCode(factorContext, use, payload, expires))) return false
  const url = context.urls.endpoint('two-factor', 'email', use === 'setup' ? { setup: '' } : {})
  sendMail(context, provider, { purpose: 'second-factor', address, url, token: code, expires, lifetime: maxAge })
  return true
}

async function storeMailedCode(
  factorContext: FactorContext,
  use: CodeUse,
  payload: Record<string, unknown>,
  expiresAt: Date,
): Promise<boolean> {
  if (use === 'challenge') return updateFactorRecord(factorContext, { id: emailRecordIds.challenge }, () => payload)
  const row = { id: emailRecordIds.setup, type: 'trial', payload, expiresAt }
  if (await writeFactorRecord(factorContext, { ...row, before: factorContext.records.find(({ id }) => id === row.id) }))
    return true
  // We do not see an expired record, but the store still has it.
  await factorContext.store.remove(row)
  return writeFactorRecord(factorContext, row)
}

/** Checks whether the code is the one that was emailed for this attempt, and uses it up. */
export async function checkMailedCode(factorContext: FactorContext, typed: unknown, use: CodeUse): Promise<boolean> {
  const code = normalizeNumericCode(typed)
  const address = code === undefined ? undefined : await verifiedAddressOf(factorContext)
  if (code === undefined || address === undefined) return false
  const expected = mailedCodeHashes(factorContext, code, address)
  return updateFactorRecord(factorContext, { id: emailRecordIds[use] }, ({ hash, until }) => {
    const isLive = typeof until === 'number' && until > Date.now()
    return isLive && typeof hash === 'string' && includesHash(expected, hash) ? {} : undefined
  })
}

/** Stores that the user has this factor. */
export async function addEmailFactor(factorContext: FactorContext): Promise<boolean> {
  await factorContext.store.remove({ userId: factorContext.subject.userId, id: emailRecordIds.setup })
  const row = { id: emailRecordIds.challenge, type: 'email' }
  return writeFactorRecord(factorContext, { ...row, before: factorContext.records.find(({ id }) => id === row.id) })
}

function mailedCodeHashes({ context, subject }: FactorContext, code: string, address: string): string[] {
  return keyedHashes(context.config, 'mailed code', [subject.userId, subject.purposeKey, address, code], shortHmac)
}
