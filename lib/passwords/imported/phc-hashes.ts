/** Hashes that say by themselves how they were made: PHC strings, and those of passlib. */
import type { ImportedHash } from '../../types/passwords.js'
import { verifyPhc } from '../hasher.js'
import { readPhc } from '../phc.js'
import { fromBase64, importedHash, pbkdf2Compare } from './kind.js'

/**
 * Verifies hashes of Argon2: `$argon2id$`, `$argon2i$`, `$argon2d$`. Needed only beside a `hash` of your own: all of ours verify them.
 * Needs the package `@node-rs/argon2`.
 */
export function argon2Hashes(): ImportedHash {
  return ofPhc('argon2Hashes()', 'argon2')
}

/** Verifies hashes that begin with `$scrypt$`, also those of passlib. Needed only beside a `hash` of your own: all of ours verify them. */
export function scryptHashes(): ImportedHash {
  return ofPhc('scryptHashes()', 'scrypt')
}

function ofPhc(name: string, kind: 'argon2' | 'scrypt'): ImportedHash {
  return importedHash(name, (hash) => {
    return readPhc(hash)?.kind === kind ? (password) => verifyPhc(hash, password) : undefined
  })
}

const pattern =
  /^\$pbkdf2(?:-sha(1|256|512))?\$(?:(\d{1,10})|i=(\d{1,10})(?:,l=\d{1,3})?)\$([\w+/.-]{0,342}={0,2})\$([\w+/.-]{16,172}={0,2})$/

/** Verifies hashes of PBKDF2: `$pbkdf2-sha256$29000$salt$hash` of passlib, and `$pbkdf2-sha256$i=600000$salt$hash`. Also SHA-1 and SHA-512. */
export function pbkdf2(): ImportedHash {
  return importedHash('pbkdf2()', (hash) => {
    const [, digest = '1', rounds, cost, salt = '', key = ''] = pattern.exec(hash) ?? []
    const [saltBytes, keyBytes] = [fromBase64(salt), fromBase64(key)]
    const iterations = Number(rounds ?? cost)
    if (!saltBytes || !keyBytes?.length) return undefined
    return pbkdf2Compare('pbkdf2()', { digest: `sha${digest}`, iterations, salt: saltBytes, key: keyBytes })
  })
}
