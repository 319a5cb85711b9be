/** Hashes of Better Auth: `salt:key`, both hexadecimal. The salt is used as text. */
import type { ImportedHash } from '../types.js'
import { importedHash, scryptHash } from './imported-hash.js'
import { scryptWork } from './work.js'

const cost = { cost: 2 ** 14, blockSize: 16, parallelization: 1 }

/** Verifies hashes of the column `password` of Better Auth's accounts, with its default hasher. */
export function betterAuth(): ImportedHash {
  return importedHash('betterAuth()', [scryptWork(cost)], (hash) => {
    const [, salt, key] = /^([0-9a-f]{32}):([0-9a-f]{128})$/.exec(hash) ?? []
    if (salt === undefined || key === undefined) return undefined
    const { work, compare } = scryptHash('betterAuth()', { cost, salt, key: Buffer.from(key, 'hex') })
    return { work, compare: (password) => compare(password.normalize('NFKC')) }
  })
}
