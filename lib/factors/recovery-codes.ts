/** Recovery codes: random, shown once, kept as hashes. Each is used up by the step that compares it with what is stored. */

import { randomBytes } from 'node:crypto'
import { shortHmac } from '../crypto/hash.js'
import { deriveKey } from '../crypto/keys.js'

/** Without those that look like others on paper: 32 of them, so that five bits are a character. */
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** Characters: 60 bits. A store that is stolen with the secret gives no time to try them all. */
const length = 12

/** New codes, as people read them: three groups of four. */
export function createCodes(count: number): string[] {
  return Array.from({ length: count }, () => {
    const text = Array.from(randomBytes(length), (byte) => alphabet[byte & 31]).join('')
    return text.replace(/(.{4})(?=.)/g, '$1-')
  })
}

/** What a person typed, in one spelling; `undefined` where it cannot be a code. */
export function toRecoveryCode(typed: unknown): string | undefined {
  const text = typeof typed === 'string' && typed.length <= 64 ? typed.replace(/[\s-]/g, '').toUpperCase() : ''
  return text.length === length && [...text].every((character) => alphabet.includes(character)) ? text : undefined
}

/** What is stored of a code: good for this user only. @param typed In one spelling. */
export function hashCode(secret: string, userId: string, typed: string): string {
  const { bytes } = deriveKey(secret, 'server-auth recovery code key', { length: 32 })
  return shortHmac(bytes, JSON.stringify([userId, typed]))
}
