/** Hashes of Django: the name of an algorithm, and what it needs, with `$` between. */
import { createHash } from 'node:crypto'
import type { ImportedHash } from '../../types/passwords.js'
import { verifyPhc } from '../hasher.js'
import { readPhc } from '../phc.js'
import { bcryptCompare } from './bcrypt.js'
import { type Compare, fromBase64, importedHash, pbkdf2Compare, scryptCompare } from './kind.js'

const name = 'django()'

/** How each algorithm reads what is behind its name. */
const algorithms: Readonly<Record<string, (rest: string) => Compare | undefined>> = {
  pbkdf2_sha256: (rest) => pbkdf2('sha256', rest),
  pbkdf2_sha1: (rest) => pbkdf2('sha1', rest),
  argon2: (rest) => {
    const hash = `$${rest}`
    return readPhc(hash)?.kind === 'argon2' ? (password) => verifyPhc(hash, password) : undefined
  },
  bcrypt_sha256: (rest) => {
    const compare = bcryptCompare(rest, false)
    // The digest has 64 characters: nothing of the password is cut off.
    return compare && ((password) => compare(createHash('sha256').update(password).digest('hex')))
  },
  bcrypt: (rest) => bcryptCompare(rest, false),
  scrypt,
}

/**
 * Verifies hashes of Django: `pbkdf2_sha256$…`, `pbkdf2_sha1$…`, `scrypt$…`; `argon2$…` with the package `@node-rs/argon2`, and
 * `bcrypt_sha256$…` and `bcrypt$…` with `@node-rs/bcrypt`.
 */
export function django(): ImportedHash {
  return importedHash(name, (hash) => {
    const at = hash.indexOf('$')
    const algorithm = hash.slice(0, Math.max(at, 0))
    return Object.hasOwn(algorithms, algorithm) ? algorithms[algorithm]?.(hash.slice(at + 1)) : undefined
  })
}

function pbkdf2(digest: string, rest: string): Compare | undefined {
  const [, iterations, salt = '', text = ''] =
    /^(\d{1,10})\$([^$\r\n]{1,256})\$([\w+/]{16,172}={0,2})$/.exec(rest) ?? []
  const key = fromBase64(text)
  if (iterations === undefined || !key) return undefined
  return pbkdf2Compare(name, { digest, iterations: Number(iterations), salt, key })
}

function scrypt(rest: string): Compare | undefined {
  const found = /^(\d{1,10})\$([^$\r\n]{1,256})\$(\d{1,3})\$(\d{1,3})\$([\w+/]{16,172}={0,2})$/.exec(rest)
  const [, cost, salt = '', blockSize, parallelization, text = ''] = found ?? []
  const key = fromBase64(text)
  if (!found || !key) return undefined
  const costs = { cost: Number(cost), blockSize: Number(blockSize), parallelization: Number(parallelization) }
  return scryptCompare(name, { cost: costs, salt, key })
}
