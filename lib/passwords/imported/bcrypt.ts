/** Hashes of bcrypt: of Auth0, Clerk, Supabase, Laravel, Rails, `htpasswd -B` and many others. By an optional package. */
import { InvalidConfiguration } from '../../errors.js'
import type { ImportedHash } from '../../types/passwords.js'
import { type Compare, importedHash } from './kind.js'

/** How {@link bcrypt} verifies. */
export interface BcryptOptions {
  /**
   * Whether the other system took passwords of more than 72 bytes, and looked at the first 72 only. They are good here once then, by
   * these 72, and from then on as a whole. Without it they never are, and their owners set a new password by mail. Default `false`.
   */
  truncated?: boolean
}

/** bcrypt looks at no more of a password. */
const mostBytes = 72

/** Each more doubles the time: 15 takes some three seconds. */
const mostCost = 15

const pattern = /^\$2[aby]?\$(\d\d)\$[./A-Za-z0-9]{53}$/

/**
 * Verifies hashes that begin with `$2a$`, `$2b$` or `$2y$`. Needs the package `@node-rs/bcrypt`, which computes beside the event loop.
 *
 * A password with a NUL character is never good: other implementations stop there, and would take it for what is in front.
 */
export function bcrypt({ truncated = false }: BcryptOptions = {}): ImportedHash {
  return importedHash('bcrypt()', (hash) => bcryptCompare(hash, truncated))
}

/** Compares with a hash of bcrypt; `undefined` for other text. @throws TypeError for one that costs too much. */
export function bcryptCompare(hash: string, truncated: boolean): Compare | undefined {
  const cost = pattern.exec(hash)?.[1]
  if (cost === undefined || hash.startsWith('$2$')) return undefined
  if (Number(cost) < 4 || Number(cost) > mostCost)
    throw new TypeError('bcrypt(): a hash has a cost that none may have.')
  return async (password) => {
    const library = await load()
    const isWhole = Buffer.byteLength(password) <= mostBytes || truncated
    // All work is done for each: how long it takes tells nothing.
    const isEqual = await library.verify(password, hash)
    return isEqual && isWhole && !password.includes('\0')
  }
}

async function load(): Promise<typeof import('@node-rs/bcrypt')> {
  // Within `try`, bundlers take it that the package may be missing.
  try {
    return await import('@node-rs/bcrypt')
  } catch (cause) {
    const err = cause instanceof Error ? cause : undefined
    const how = 'Install it with `npm install @node-rs/bcrypt`.'
    throw new InvalidConfiguration(
      `A stored password is hashed with bcrypt, which needs the package @node-rs/bcrypt. ${how}`,
      err,
    )
  }
}
