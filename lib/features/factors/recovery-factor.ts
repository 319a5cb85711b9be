/**
 * Recovery codes as a second factor: the way in when a phone is lost. They are random, shown once, and kept as hashes. Each is used up by the
 * step that compares it with what is stored.
 */
import { randomBytes } from 'node:crypto'
import type { FactorKindOf } from '../../contracts/index.js'
import { shortHmac } from '../../crypto/hash.js'
import { isAmong, keyedHashes } from '../../crypto/keyed-hashes.js'
import { randomText } from '../../crypto/random.js'
import { changeRow, lookAgain, openData, type RowReader, rowsOf, type Scene, writeRow } from './subject.js'

/**
 * All codes of a user are one row, so that new ones end the old ones in one step. Its name is another one each time there was none before:
 * versions begin at 1 again, and a code that was being used up while all were taken away would bring the old ones back.
 */
const newRowId = () => `recovery:${randomText(12)}`

/** Whether the code is right; it is used up then. Of two requests at once with the same code one gets it. */
export async function checkRecoveryCode(scene: Scene, typed: unknown): Promise<boolean> {
  const code = toRecoveryCode(typed)
  if (code === undefined) return false
  const expected = hashesOf(scene, code)
  const [row] = rowsOf(scene, 'recovery')
  if (!row) return false
  return changeRow(scene, { id: row.id }, (payload) => {
    const hashes = hashesIn(payload)
    const left = hashes.filter((hash) => !isAmong(expected, hash))
    return left.length < hashes.length ? { ...payload, hashes: left } : undefined
  })
}

/** New codes in the place of all there were; shown once, and never again. @throws Error where others are made at the same time. */
export async function renewCodes(scene: Scene, { count }: FactorKindOf<'recovery'>): Promise<string[]> {
  const codes = createCodes(count)
  const before = rowsOf(await lookAgain(scene), 'recovery')[0]
  const hashes = codes.map((code) => hashesOf(scene, toRecoveryCode(code) ?? '')[0])
  const row = { id: before?.id ?? newRowId(), type: 'recovery', payload: { hashes }, before }
  if (await writeRow(scene, row)) return codes
  throw new Error('Recovery codes were made twice at the same time. Those that were shown first are good.')
}

/** How many are left. */
export async function codesLeft(reader: RowReader): Promise<number> {
  const [row] = rowsOf(reader, 'recovery')
  const payload = row && (await openData(reader, row))
  return payload ? hashesIn(payload).length : 0
}

function hashesIn({ hashes }: Readonly<Record<string, unknown>>): string[] {
  return Array.isArray(hashes) ? hashes.filter((hash) => typeof hash === 'string') : []
}

/* ---- the codes ---------------------------------------------------------------------------------------------- */

/** Without those that look like others on paper: 32 of them, so that five bits are a character. */
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** Characters: 60 bits. A store that is stolen with the secret gives no time to try them all. */
const length = 12

/** New codes, as people read them: three groups of four. */
function createCodes(count: number): string[] {
  return Array.from({ length: count }, () => {
    const text = Array.from(randomBytes(length), (byte) => alphabet[byte & 31]).join('')
    return text.replace(/(.{4})(?=.)/g, '$1-')
  })
}

/** What a person typed, in one spelling; `undefined` where it cannot be a code. */
function toRecoveryCode(typed: unknown): string | undefined {
  const text = typeof typed === 'string' && typed.length <= 64 ? typed.replace(/[\s-]/g, '').toUpperCase() : ''
  return text.length === length && [...text].every((character) => alphabet.includes(character)) ? text : undefined
}

/** Returns the hashes of a code: it is good for this user only. @param code In one spelling. */
function hashesOf({ context, subject }: Scene, code: string): string[] {
  return keyedHashes(context.config, 'recovery code', [subject.userId, code], shortHmac)
}
