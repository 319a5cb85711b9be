/**
 * Hashes of bcrypt, from Auth0, Clerk, Supabase, Laravel, Rails, `htpasswd -B` and many others. Needs an optional
 * package.
 */
import type { ImportedHash } from '../types.js'
import { hashFunctions } from './functions.js'
import { assertOptions, importedHash, type ReadHash } from './imported-hash.js'
import { assertNativePackages } from './native-package.js'
import { bcryptWork, declaredBcryptWork, mostBcrypt } from './work.js'

/** The options of {@link bcrypt}. */
export interface BcryptOptions {
  /** The highest cost of the hashes, the number after `$2b$`: 4 to 15. Each sign-in takes this time. Default 12. */
  cost?: number
  /**
   * True if the other system accepted passwords of more than 72 bytes, and ignored the rest. They then work once by
   * their first 72 bytes, and as a whole from then on. Without it they are rejected, and their owners set a new
   * password by email. Default `false`.
   */
  truncated?: boolean
}

/** bcrypt ignores the rest of a password. */
const mostBytes = 72

/** The highest cost among the systems that the documentation names. */
export const defaultBcryptCost = 12

const pattern = /^\$2[aby]?\$(\d\d)\$[./A-Za-z0-9]{53}$/

/**
 * Verifies hashes that begin with `$2a$`, `$2b$` or `$2y$`. Needs the package `@node-rs/bcrypt`, which computes outside
 * the event loop.
 *
 * A password with a NUL character never matches: other implementations ignore the rest after it.
 */
export function bcrypt(options: BcryptOptions = {}): ImportedHash {
  assertNativePackages('bcrypt()')
  assertOptions('bcrypt()', options, ['cost', 'truncated'])
  const { truncated = false, cost = defaultBcryptCost } = options
  return importedHash('bcrypt()', [declaredBcryptWork('bcrypt()', cost)], (hash) => bcryptHash(hash, truncated))
}

/** Reads a hash of bcrypt; `undefined` for other text. @throws TypeError for a hash that costs too much. */
export function bcryptHash(hash: string, truncated: boolean): ReadHash | undefined {
  const found = pattern.exec(hash)?.[1]
  if (found === undefined || hash.startsWith('$2$')) return undefined
  const cost = Number(found)
  if (cost < 4 || cost > mostBcrypt) throw new TypeError(`bcrypt(): a hash has a cost outside 4 to ${mostBcrypt}.`)
  const normalized = withNormalSalt(hash)
  return {
    work: bcryptWork(cost),
    compare: async (password) => {
      const isWhole = Buffer.byteLength(password) <= mostBytes || truncated
      // All work is done for each password, so that the time reveals nothing.
      const isEqual = await hashFunctions.bcrypt(normalized, password)
      return isEqual && isWhole && !password.includes('\0')
    },
  }
}

const alphabet = './ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
/** The characters before the last one of the salt. */
const beforeLast = '$2b$10$'.length + 21

/**
 * Returns the hash with a normalized salt, of whose last character only two bits are used. Some systems set the other
 * four as well, and the package rejects such hashes without computing them.
 */
function withNormalSalt(hash: string): string {
  const last = alphabet.indexOf(hash.charAt(beforeLast))
  return hash.slice(0, beforeLast) + alphabet.charAt(last & 0x30) + hash.slice(beforeLast + 1)
}
