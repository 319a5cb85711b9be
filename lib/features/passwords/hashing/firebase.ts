/**
 * Hashes of Firebase Authentication: a key derived by scrypt encrypts the project's signer key. An export has the salt
 * and the hash of each user, and the project settings have the common parameters.
 */
import { createCipheriv } from 'node:crypto'
import { InvalidConfiguration } from '../../../errors.js'
import type { ImportedHash } from '../types.js'
import { hashFunctions } from './functions.js'
import { fromBase64, importedHash } from './imported-hash.js'
import { equalKeys, isWithinScryptLimits } from './phc.js'
import { scryptWork } from './work.js'

/** The password hash parameters of a Firebase project, as its console shows them. */
export interface FirebaseScryptOptions {
  /** `base64_signer_key`. A secret. */
  signerKey: string
  /** `base64_salt_separator`, such as `Bw==`. */
  saltSeparator: string
  /** `rounds`, usually 8. */
  rounds: number
  /** `mem_cost`, usually 14. */
  memoryCost: number
}

const pattern = /^\$firebase-scrypt\$([\w+/-]{1,342}={0,2})\$([\w+/-]{43,342}={0,2})$/

/** The password of a user, as written by `firebase auth:export`. */
export interface FirebaseUser {
  /** Base64, in either alphabet. */
  salt: string
  /** Base64, in either alphabet. */
  passwordHash: string
}

/** Returns the hash of a user as one text, to be stored. @throws TypeError for text that is no base64. */
export function firebaseHash({ salt, passwordHash }: FirebaseUser): string {
  const hash = `$firebase-scrypt$${salt}$${passwordHash}`
  if (!pattern.test(hash))
    throw new TypeError('firebaseHash: `salt` and `passwordHash` must be base64, as in the export.')
  return hash
}

/**
 * Verifies hashes of {@link firebaseHash}.
 *
 * @throws {@link InvalidConfiguration} for invalid parameters.
 */
export function firebaseScrypt(options: FirebaseScryptOptions): ImportedHash {
  const { signerKey, separator, cost } = readFirebaseOptions(options)
  const work = scryptWork(cost)
  return importedHash('firebaseScrypt()', [work], (hash) => {
    const [, salt = '', text = ''] = pattern.exec(hash) ?? []
    const [saltBytes, expected] = [fromBase64(salt), fromBase64(text)]
    if (!saltBytes?.length || !expected?.length) return undefined
    return {
      work,
      compare: async (password) => {
        const salt = Buffer.concat([saltBytes, separator])
        const key = await hashFunctions.scrypt(password, { cost, salt, size: 32 })
        const cipher = createCipheriv('aes-256-ctr', key, Buffer.alloc(16))
        return equalKeys(Buffer.concat([cipher.update(signerKey), cipher.final()]), expected)
      },
    }
  })
}

function readFirebaseOptions({ signerKey, saltSeparator, rounds, memoryCost }: FirebaseScryptOptions) {
  const [key, separator] = [fromBase64(String(signerKey)), fromBase64(String(saltSeparator))]
  if (!key || key.length < 32) {
    throw new InvalidConfiguration('firebaseScrypt: `signerKey` must be `base64_signer_key` of the project.')
  }
  if (!separator) {
    throw new InvalidConfiguration('firebaseScrypt: `saltSeparator` must be `base64_salt_separator` of the project.')
  }
  const cost = { cost: 2 ** memoryCost, blockSize: rounds, parallelization: 1 }
  if (!Number.isInteger(memoryCost) || !Number.isInteger(rounds) || !isWithinScryptLimits(cost)) {
    throw new InvalidConfiguration(
      'firebaseScrypt: `rounds` and `memoryCost` must be those of the project, such as 8 and 14.',
    )
  }
  return { signerKey: key, separator, cost }
}
