/** What the kinds of imported hashes have in common. */
import { pbkdf2 } from 'node:crypto'
import type { Awaitable } from '../../types/identity.js'
import type { ImportedHash } from '../../types/passwords.js'
import { deriveByScrypt, equalKeys, isBearableScrypt, type ScryptCost } from '../phc.js'
import { isTooLong } from '../text.js'

/** Compares a password with one hash. */
export type Compare = (password: string) => Awaitable<boolean>

/** Iterations of PBKDF2, for each block of its key: some two seconds. */
const mostIterations = 10_000_000

/**
 * A kind of hashes. Passwords are compared as they were typed: the other system put them into no other form, or the kind does it.
 *
 * @param name For messages.
 * @param read How a password is compared with a hash; `undefined` for text that is no hash of the kind. It computes nothing, and
 *   throws a TypeError for a hash that asks for too much.
 */
export function importedHash(name: string, read: (hash: string) => Compare | undefined): ImportedHash {
  return Object.freeze({
    recognizes: (hash: string) => {
      try {
        return read(hash) !== undefined
      } catch {
        // It is of the kind, and verifying it says what is wrong.
        return true
      }
    },
    async verify(hash: string, password: string): Promise<boolean> {
      const compare = read(hash)
      if (!compare) throw new TypeError(`${name}: this is no hash of the kind.`)
      return !isTooLong(password) && (await compare(password))
    },
  })
}

/** Compares by PBKDF2. */
export function pbkdf2Compare(
  name: string,
  { digest, iterations, salt, key }: { digest: string; iterations: number; salt: Buffer | string; key: Buffer },
): Compare {
  const size = digestSizes.get(digest) ?? 1
  const work = iterations * Math.ceil(key.length / size)
  if (!(iterations >= 1 && work <= mostIterations)) throw new TypeError(`${name}: a hash asks for too many iterations.`)
  return (password) =>
    new Promise((resolve, reject) => {
      pbkdf2(password, salt, iterations, key.length, digest, (error, derived) => {
        if (error) reject(error)
        else resolve(equalKeys(derived, key))
      })
    })
}

const digestSizes: ReadonlyMap<string, number> = new Map([
  ['sha1', 20],
  ['sha256', 32],
  ['sha512', 64],
])

/** Compares by scrypt. */
export function scryptCompare(
  name: string,
  { cost, salt, key }: { cost: ScryptCost; salt: Buffer | string; key: Buffer },
): Compare {
  if (!Number.isInteger(Math.log2(cost.cost)) || !isBearableScrypt(cost)) {
    throw new TypeError(`${name}: a hash asks for more memory or time than one may take.`)
  }
  return async (password) => equalKeys(await deriveByScrypt(password, salt, key.length, cost), key)
}

/** Bytes of base64 in either alphabet, or in that of passlib, with padding or without; `undefined` for other text. */
export function fromBase64(text: string): Buffer | undefined {
  if (!/^[A-Za-z0-9+/._-]*={0,2}$/.test(text)) return undefined
  return Buffer.from(text.replaceAll('.', '+'), 'base64')
}
