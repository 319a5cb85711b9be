/** An email code as a second factor: six digits, for one attempt or session, sent to the user's current address. */
import { randomInt } from 'node:crypto'
import type { FactorKindOf } from '../../contracts/index.js'
import { shortHmac } from '../../crypto/hash.js'
import { isAmong, keyedHashes } from '../../crypto/keyed-hashes.js'
import { countFactorMail } from '../../flows/email/limits.js'
import { sendMail } from '../../flows/email/send.js'
import { storeOf } from '../../store/guard.js'
import { changeRow, type Scene, storedIdOf, writeRow } from './subject.js'
import { toCode } from './totp-factor.js'

/**
 * The record ids of a user. A new code replaces the previous one. A factor that is being added has a record of its own,
 * because it is not enrolled yet.
 */
const rowIds = { challenge: 'email', setup: 'email-setup' }
type CodeUse = keyof typeof rowIds

/** Returns the user's current verified email address, to which codes are sent; `undefined` without one. */
export async function addressOf(scene: Pick<Scene, 'context' | 'subject'>): Promise<string | undefined> {
  const id = storedIdOf(scene)
  const user = id === undefined ? null : await storeOf(scene.context.config).getUser(id)
  return user?.emailVerified && user.email ? user.email : undefined
}

/**
 * Emails a new code. The email is sent after the response.
 *
 * @returns `false` if the user has no verified email address, or did not enrol.
 * @throws TooManyRequests after too many emails, AdapterError.
 */
export async function mailCode(
  scene: Scene,
  { provider, maxAge }: FactorKindOf<'email'>,
  use: CodeUse,
): Promise<boolean> {
  const { context } = scene
  const address = await addressOf(scene)
  if (address === undefined) return false
  await countFactorMail(context, provider, scene.subject.userId)
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  const expires = new Date(Date.now() + maxAge * 1000)
  const [hash = ''] = hashesOf(scene, code, address)
  const payload = { hash, until: expires.getTime() }
  if (!(await keep(scene, use, payload, expires))) return false
  const url = context.urls.endpoint('two-factor', 'email', use === 'setup' ? { setup: '' } : {})
  sendMail(context, provider, { purpose: 'second-factor', address, url, token: code, expires, lifetime: maxAge })
  return true
}

async function keep(scene: Scene, use: CodeUse, payload: Record<string, unknown>, expiresAt: Date): Promise<boolean> {
  if (use === 'challenge') return changeRow(scene, { id: rowIds.challenge }, () => payload)
  const row = { id: rowIds.setup, type: 'trial', payload, expiresAt }
  if (await writeRow(scene, { ...row, before: scene.rows.find(({ id }) => id === row.id) })) return true
  // We do not see an expired record, but the store still has it.
  await scene.store.remove(row)
  return writeRow(scene, row)
}

/** Checks whether the code is the one that was emailed for this attempt, and uses it up. */
export async function checkMailedCode(scene: Scene, typed: unknown, use: CodeUse): Promise<boolean> {
  const code = toCode(typed)
  const address = code === undefined ? undefined : await addressOf(scene)
  if (code === undefined || address === undefined) return false
  const expected = hashesOf(scene, code, address)
  return changeRow(scene, { id: rowIds[use] }, ({ hash, until }) => {
    const isLive = typeof until === 'number' && until > Date.now()
    return isLive && typeof hash === 'string' && isAmong(expected, hash) ? {} : undefined
  })
}

/** Stores that the user has this factor. */
export async function addEmail(scene: Scene): Promise<boolean> {
  await scene.store.remove({ userId: scene.subject.userId, id: rowIds.setup })
  const row = { id: rowIds.challenge, type: 'email' }
  return writeRow(scene, { ...row, before: scene.rows.find(({ id }) => id === row.id) })
}

function hashesOf({ context, subject }: Scene, code: string, address: string): string[] {
  return keyedHashes(context.config, 'mailed code', [subject.userId, subject.key, address, code], shortHmac)
}
