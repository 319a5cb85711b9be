/** Hashes of bcrypt: of Auth0, Clerk, Supabase, Laravel, Rails, `htpasswd -B` and many others. By an optional package. */
import type { ImportedHash } from '../types.js'
import { functions } from './functions.js'
import { assertOptions, importedHash, type ReadHash } from './kind.js'
import { bcryptWork, mostBcrypt, saidBcrypt } from './work.js'

/** How {@link bcrypt} verifies. */
export interface BcryptOptions {
  /** The highest cost of the hashes, which is the number behind `$2b$`: 4 to 15. Each sign-in takes so long. Default 12. */
  cost?: number
  /**
   * Whether the other system took passwords of more than 72 bytes, and looked at the first 72 only. They are good here once then, by
   * these 72, and from then on as a whole. Without it they never are, and their owners set a new password by mail. Default `false`.
   */
  truncated?: boolean
}

/** bcrypt looks at no more of a password. */
const mostBytes = 72

/** The cost that current systems use at the most, of those which the documentation names. */
export const usualBcrypt = 12

const pattern = /^\$2[aby]?\$(\d\d)\$[./A-Za-z0-9]{53}$/

/**
 * Verifies hashes that begin with `$2a$`, `$2b$` or `$2y$`. Needs the package `@node-rs/bcrypt`, which computes beside the event loop.
 *
 * A password with a NUL character is never good: other implementations stop there, and would take it for what is in front.
 */
export function bcrypt(options: BcryptOptions = {}): ImportedHash {
  assertOptions('bcrypt()', options, ['cost', 'truncated'])
  const { truncated = false, cost = usualBcrypt } = options
  return importedHash('bcrypt()', [saidBcrypt('bcrypt()', cost)], (hash) => bcryptHash(hash, truncated))
}

/** Reads a hash of bcrypt; `undefined` for other text. @throws TypeError for one that costs too much. */
export function bcryptHash(hash: string, truncated: boolean): ReadHash | undefined {
  const found = pattern.exec(hash)?.[1]
  if (found === undefined || hash.startsWith('$2$')) return undefined
  const cost = Number(found)
  if (cost < 4 || cost > mostBcrypt) throw new TypeError('bcrypt(): a hash has a cost that none may have.')
  const normalized = withNormalSalt(hash)
  return {
    work: bcryptWork(cost),
    compare: async (password) => {
      const isWhole = Buffer.byteLength(password) <= mostBytes || truncated
      // All work is done for each: how long it takes tells nothing.
      const isEqual = await functions.bcrypt(normalized, password)
      return isEqual && isWhole && !password.includes('\0')
    },
  }
}

const alphabet = './ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
/** Characters in front of the last one of the salt. */
const beforeLast = '$2b$10$'.length + 21

/**
 * Returns the hash with the salt as it was used: of its last character only two bits are. Some programs wrote the other four as well, and
 * the package answers `false` for those without the work.
 */
function withNormalSalt(hash: string): string {
  const last = alphabet.indexOf(hash.charAt(beforeLast))
  return hash.slice(0, beforeLast) + alphabet.charAt(last & 0x30) + hash.slice(beforeLast + 1)
}
