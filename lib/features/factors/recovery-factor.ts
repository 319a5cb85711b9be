/**
 * Recovery codes as a second factor, for users who lost their phone. They are random, shown once, and stored as hashes.
 * The write that compares a code also uses it up.
 */
import { randomBytes } from 'node:crypto'
import type { FactorKindOf } from '../../contracts/index.js'
import { shortHmac } from '../../crypto/hash.js'
import { includesHash, keyedHashes } from '../../crypto/keyed-hashes.js'
import { randomText } from '../../crypto/random.js'
import {
  type FactorContext,
  type FactorRecordReader,
  factorRecordsOf,
  openFactorRecordOrWarn,
  reloadFactorRecords,
  updateFactorRecord,
  writeFactorRecord,
} from './factor-context.js'

/**
 * Returns the id of a record for all codes of a user. One record lets new codes replace the old ones in one write.
 *
 * Its id is new each time there was no record. Versions begin at 1 again, so with a fixed id a concurrent use of an old
 * code could restore the removed codes.
 */
const newRecoveryRecordId = () => `recovery:${randomText(12)}`

/**
 * Checks whether the code is right, and uses it up. Only one of two concurrent requests with the same code succeeds.
 */
export async function checkRecoveryCode(factorContext: FactorContext, typed: unknown): Promise<boolean> {
  const code = normalizeRecoveryCode(typed)
  if (code === undefined) return false
  const expected = recoveryCodeHashes(factorContext, code)
  const [row] = factorRecordsOf(factorContext, 'recovery')
  if (!row) return false
  return updateFactorRecord(factorContext, { id: row.id }, (payload) => {
    const hashes = storedCodeHashes(payload)
    const left = hashes.filter((hash) => !includesHash(expected, hash))
    return left.length < hashes.length ? { ...payload, hashes: left } : undefined
  })
}

/**
 * Creates codes that replace all earlier ones. They are shown once. @throws Error if other codes are created at the
 * same time.
 */
export async function replaceRecoveryCodes(
  factorContext: FactorContext,
  { count }: FactorKindOf<'recovery'>,
): Promise<string[]> {
  const codes = createCodes(count)
  const before = factorRecordsOf(await reloadFactorRecords(factorContext), 'recovery')[0]
  const hashes = codes.map((code) => recoveryCodeHashes(factorContext, normalizeRecoveryCode(code) ?? '')[0])
  const row = { id: before?.id ?? newRecoveryRecordId(), type: 'recovery', payload: { hashes }, before }
  if (await writeFactorRecord(factorContext, row)) return codes
  throw new Error('Recovery codes were created twice at the same time. Use the codes that were shown first.')
}

/** Returns the number of unused codes. */
export async function countRecoveryCodes(reader: FactorRecordReader): Promise<number> {
  const [row] = factorRecordsOf(reader, 'recovery')
  const payload = row && (await openFactorRecordOrWarn(reader, row))
  return payload ? storedCodeHashes(payload).length : 0
}

function storedCodeHashes({ hashes }: Readonly<Record<string, unknown>>): string[] {
  return Array.isArray(hashes) ? hashes.filter((hash) => typeof hash === 'string') : []
}

/* The format of the codes. */

/** 32 characters that are not confused on paper, so that a character encodes five bits. */
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** Characters: 60 bits, enough to resist a search by an attacker who stole both the store and the secret. */
const length = 12

/** Creates new codes as users read them: three groups of four. */
function createCodes(count: number): string[] {
  return Array.from({ length: count }, () => {
    const text = Array.from(randomBytes(length), (byte) => alphabet[byte & 31]).join('')
    return text.replace(/(.{4})(?=.)/g, '$1-')
  })
}

/** Normalizes a typed code; `undefined` if it cannot be a code. */
function normalizeRecoveryCode(typed: unknown): string | undefined {
  const text = typeof typed === 'string' && typed.length <= 64 ? typed.replace(/[\s-]/g, '').toUpperCase() : ''
  return text.length === length && [...text].every((character) => alphabet.includes(character)) ? text : undefined
}

/** Returns the hashes of a code, which are valid for this user only. @param code Normalized. */
function recoveryCodeHashes({ context, subject }: FactorContext, code: string): string[] {
  return keyedHashes(context.config, 'recovery code', [subject.userId, code], shortHmac)
}
