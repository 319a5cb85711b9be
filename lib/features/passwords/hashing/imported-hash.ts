/** The common parts of the kinds of imported hashes. */
import { InvalidConfiguration } from '../../../errors.js'
import type { Awaitable } from '../../../types/identity.js'
import type { ImportedHash } from '../types.js'
import { hashFunctions, type ScryptCost } from './functions.js'
import { type Measured, measure } from './measure.js'
import { isTooLong } from './password-rules.js'
import { equalKeys, isWithinScryptLimits } from './phc.js'
import { mostIterations, pbkdf2Work, scryptWork, type Work } from './work.js'

/** A hash that was read. */
export interface ReadHash {
  /** The work of each comparison. */
  readonly work: Work
  /** Compares a password with the hash. */
  compare(password: string): Awaitable<boolean>
}

/**
 * Creates a kind of hashes. Passwords are compared as they were typed, unless the kind normalizes them.
 *
 * @param most The most work of each function that the application's hashes take.
 * @param read Reads a hash; `undefined` for text that is no hash of the kind. It computes nothing, and throws a
 *   TypeError for a hash that takes too much work.
 */
export function importedHash(
  name: string,
  most: readonly Work[],
  read: (hash: string) => ReadHash | undefined,
): ImportedHash & Measured {
  const readOrThrow = (hash: string): ReadHash => {
    const found = read(hash)
    if (!found) throw new TypeError(`${name}: the text is no hash of this kind.`)
    return found
  }
  return Object.freeze({
    recognizes: (hash: string) => {
      try {
        return read(hash) !== undefined
      } catch {
        // It is of this kind, and `verify` reports what is wrong.
        return true
      }
    },
    async verify(hash: string, password: string): Promise<boolean> {
      const { compare } = readOrThrow(hash)
      return !isTooLong(password) && (await compare(password))
    },
    [measure]: { most: () => most, of: (hash: string) => readOrThrow(hash).work },
  })
}

/**
 * Checks that an object has no unknown options. A misspelled one would leave the default, and hashes of other work.
 * @throws {@link InvalidConfiguration}
 */
export function assertOptions(name: string, given: object, known: readonly string[]): void {
  const other = Object.keys(given).find((key) => !known.includes(key))
  if (other === undefined) return
  throw new InvalidConfiguration(`${name} has no option \`${other}\`. Its options are: ${known.join(', ')}.`)
}

/** Reads a hash of PBKDF2. */
export function pbkdf2Hash(
  name: string,
  { digest, iterations, salt, key }: { digest: string; iterations: number; salt: Buffer | string; key: Buffer },
): ReadHash {
  const work = pbkdf2Work({ digest, iterations, size: key.length })
  if (!(iterations >= 1 && work.units <= mostIterations)) {
    throw new TypeError(`${name}: a hash has too many iterations.`)
  }
  return {
    work,
    compare: async (password) =>
      equalKeys(await hashFunctions.pbkdf2(password, { digest, iterations, salt, size: key.length }), key),
  }
}

/** Reads a hash of scrypt. */
export function scryptHash(
  name: string,
  { cost, salt, key }: { cost: ScryptCost; salt: Buffer | string; key: Buffer },
): ReadHash {
  if (!Number.isInteger(Math.log2(cost.cost)) || !isWithinScryptLimits(cost)) {
    throw new TypeError(`${name}: a hash takes more memory or time than is allowed.`)
  }
  return {
    work: scryptWork(cost),
    compare: async (password) => equalKeys(await hashFunctions.scrypt(password, { cost, salt, size: key.length }), key),
  }
}

/** Decodes base64 in either alphabet, or in that of passlib, with or without padding; `undefined` for other text. */
export function fromBase64(text: string): Buffer | undefined {
  if (!/^[A-Za-z0-9+/._-]*={0,2}$/.test(text)) return undefined
  return Buffer.from(text.replaceAll('.', '+'), 'base64')
}
