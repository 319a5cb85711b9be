/** Hashes of Django: the name of an algorithm and its parameters, separated by `$`. */
import { createHash } from 'node:crypto'
import type { ImportedHash } from '../types.js'
import { bcryptHash } from './bcrypt.js'
import type { ScryptCost } from './functions.js'
import { phcWork, verifyPhc } from './hasher.js'
import { assertOptions, fromBase64, importedHash, pbkdf2Hash, type ReadHash, scryptHash } from './imported-hash.js'
import { formsOf } from './password-rules.js'
import { type Argon2Cost, readPhc } from './phc.js'
import {
  declaredArgon2Work,
  declaredBcryptWork,
  declaredPbkdf2Work,
  declaredScryptWork,
  inEachForm,
  type Work,
} from './work.js'

const name = 'django()'

/** The readers of each algorithm. They get the text after its name. */
const algorithms: Readonly<Record<string, (rest: string) => ReadHash | undefined>> = {
  pbkdf2_sha256: (rest) => pbkdf2('sha256', rest),
  pbkdf2_sha1: (rest) => pbkdf2('sha1', rest),
  argon2: (rest) => {
    const hash = `$${rest}`
    if (readPhc(hash)?.kind !== 'argon2') return undefined
    return { work: inEachForm(phcWork(hash), formsOf), compare: (password) => verifyPhc(hash, password) }
  },
  bcrypt_sha256: (rest) => {
    const read = bcryptHash(rest, false)
    // The digest has 64 characters, so bcrypt ignores nothing of the password.
    return read && { ...read, compare: (password) => read.compare(createHash('sha256').update(password).digest('hex')) }
  },
  bcrypt: (rest) => bcryptHash(rest, false),
  scrypt,
}

/** The most work of the hashes, for each algorithm of Django. Hashes of an unnamed algorithm are not expected. */
export interface DjangoOptions {
  /** Iterations. */
  pbkdf2_sha256?: number
  /** Iterations. */
  pbkdf2_sha1?: number
  /** The cost of `bcrypt_sha256$…` and `bcrypt$…`. */
  bcrypt?: number
  /** The cost of `scrypt$…`. */
  scrypt?: ScryptCost
  /** The cost of `argon2$argon2id$…`. */
  argon2?: Argon2Cost
}

/**
 * Verifies hashes of Django.
 *
 * These are `pbkdf2_sha256$…`, `pbkdf2_sha1$…`, `scrypt$…`; `argon2$…` with the package `@node-rs/argon2`;
 * `bcrypt_sha256$…` and `bcrypt$…` with `@node-rs/bcrypt`.
 *
 * @param most The most work of each algorithm. Each sign-in does the work of all. Default: 1,200,000 iterations of
 *   `pbkdf2_sha256`, as of Django 6.0.
 */
export function django(most: DjangoOptions = { pbkdf2_sha256: 1_200_000 }): ImportedHash {
  assertOptions(name, most, ['pbkdf2_sha256', 'pbkdf2_sha1', 'bcrypt', 'scrypt', 'argon2'])
  return importedHash(name, worksOf(most), (hash) => {
    const at = hash.indexOf('$')
    const algorithm = hash.slice(0, Math.max(at, 0))
    return Object.hasOwn(algorithms, algorithm) ? algorithms[algorithm]?.(hash.slice(at + 1)) : undefined
  })
}

function worksOf({ pbkdf2_sha256, pbkdf2_sha1, bcrypt, scrypt, argon2 }: DjangoOptions): Work[] {
  return [
    ...(pbkdf2_sha256 === undefined ? [] : [declaredPbkdf2Work(name, 'sha256', pbkdf2_sha256)]),
    ...(pbkdf2_sha1 === undefined ? [] : [declaredPbkdf2Work(name, 'sha1', pbkdf2_sha1)]),
    ...(bcrypt === undefined ? [] : [declaredBcryptWork(name, bcrypt)]),
    ...(scrypt === undefined ? [] : [declaredScryptWork(name, scrypt)]),
    ...(argon2 === undefined ? [] : [inEachForm(declaredArgon2Work(name, argon2), formsOf)]),
  ]
}

function pbkdf2(digest: string, rest: string): ReadHash | undefined {
  const [, iterations, salt = '', text = ''] =
    /^(\d{1,10})\$([^$\r\n]{1,256})\$([\w+/]{16,172}={0,2})$/.exec(rest) ?? []
  const key = fromBase64(text)
  if (iterations === undefined || !key) return undefined
  return pbkdf2Hash(name, { digest, iterations: Number(iterations), salt, key })
}

function scrypt(rest: string): ReadHash | undefined {
  const found = /^(\d{1,10})\$([^$\r\n]{1,256})\$(\d{1,3})\$(\d{1,3})\$([\w+/]{16,172}={0,2})$/.exec(rest)
  const [, cost, salt = '', blockSize, parallelization, text = ''] = found ?? []
  const key = fromBase64(text)
  if (!found || !key) return undefined
  const costs = { cost: Number(cost), blockSize: Number(blockSize), parallelization: Number(parallelization) }
  return scryptHash(name, { cost: costs, salt, key })
}
