/** Hashes that contain their parameters: PHC strings, and those of passlib. */
import type { ImportedHash } from '../types.js'
import type { ScryptCost } from './functions.js'
import { defaultArgon2Cost, defaultScryptCost, phcWork, verifyPhc } from './hasher.js'
import { assertOptions, fromBase64, importedHash, pbkdf2Hash } from './imported-hash.js'
import { formsOf } from './password-rules.js'
import { type Argon2Cost, readPhc } from './phc.js'
import { declaredArgon2Work, declaredPbkdf2Work, declaredScryptWork, inEachForm, type Work } from './work.js'

/** The cost of hashes of Argon2. */
export interface Argon2HashCost extends Argon2Cost {
  /** Default `argon2id`. */
  readonly variant?: 'argon2id' | 'argon2i' | 'argon2d'
}

/**
 * Verifies hashes of Argon2: `$argon2id$`, `$argon2i$`, `$argon2d$`. Needs the package `@node-rs/argon2`.
 *
 * Use it beside a custom `hash`, and for hashes with other costs than new ones.
 *
 * @param costs The costs of the hashes. Each sign-in does the work of all. Default: that of `argon2id()`.
 */
export function argon2Hashes(...costs: readonly Argon2HashCost[]): ImportedHash {
  const said = costs.length > 0 ? costs : [defaultArgon2Cost]
  const works = said.map(({ variant, ...cost }: Argon2HashCost) => declaredArgon2Work('argon2Hashes()', cost, variant))
  return ofPhc('argon2Hashes()', 'argon2', works)
}

/**
 * Verifies hashes that begin with `$scrypt$`, including those of passlib.
 *
 * Use it beside a custom `hash`, and for hashes with other costs than new ones, such as those from before
 * `@node-rs/argon2` was installed.
 *
 * @param costs The costs of the hashes. Each sign-in does the work of all. Default: that of `scrypt()`.
 */
export function scryptHashes(...costs: readonly ScryptCost[]): ImportedHash {
  const said = costs.length > 0 ? costs : [defaultScryptCost]
  return ofPhc(
    'scryptHashes()',
    'scrypt',
    said.map((cost) => declaredScryptWork('scryptHashes()', cost)),
  )
}

function ofPhc(name: string, kind: 'argon2' | 'scrypt', works: readonly Work[]): ImportedHash {
  const most = works.map((work) => inEachForm(work, formsOf))
  return importedHash(name, most, (hash) => {
    if (readPhc(hash)?.kind !== kind) return undefined
    return { work: inEachForm(phcWork(hash), formsOf), compare: (password) => verifyPhc(hash, password) }
  })
}

const pattern =
  /^\$pbkdf2(?:-sha(1|256|512))?\$(?:(\d{1,10})|i=(\d{1,10})(?:,l=\d{1,3})?)\$([\w+/.-]{0,342}={0,2})\$([\w+/.-]{16,172}={0,2})$/

/** The most iterations of PBKDF2 hashes, for each digest. Hashes of an unnamed digest are not expected. */
export interface Pbkdf2Iterations {
  /** Hashes that begin with `$pbkdf2$`. */
  sha1?: number
  /** Hashes that begin with `$pbkdf2-sha256$`. */
  sha256?: number
  /** Hashes that begin with `$pbkdf2-sha512$`. */
  sha512?: number
}

/**
 * Verifies hashes of PBKDF2: `$pbkdf2-sha256$29000$salt$hash` of passlib, and `$pbkdf2-sha256$i=600000$salt$hash`. Also SHA-1 and SHA-512.
 *
 * @param most The most iterations of each digest. Each sign-in does the work of all. Default: 600,000 of SHA-256.
 */
export function pbkdf2(most: Pbkdf2Iterations = { sha256: 600_000 }): ImportedHash {
  assertOptions('pbkdf2()', most, ['sha1', 'sha256', 'sha512'])
  const works = Object.entries(most).map(([digest, iterations]) => declaredPbkdf2Work('pbkdf2()', digest, iterations))
  return importedHash('pbkdf2()', works, (hash) => {
    const [, digest = '1', rounds, cost, salt = '', key = ''] = pattern.exec(hash) ?? []
    const [saltBytes, keyBytes] = [fromBase64(salt), fromBase64(key)]
    const iterations = Number(rounds ?? cost)
    if (!saltBytes || !keyBytes?.length) return undefined
    return pbkdf2Hash('pbkdf2()', { digest: `sha${digest}`, iterations, salt: saltBytes, key: keyBytes })
  })
}
