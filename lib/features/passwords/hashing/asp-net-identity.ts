/** Hashes of ASP.NET Core Identity: bytes in base64. The first byte is the version. */
import type { ImportedHash } from '../types.js'
import { assertOptions, importedHash, pbkdf2Hash, type ReadHash } from './imported-hash.js'
import { declaredPbkdf2Work } from './work.js'

const name = 'aspNetIdentity()'

/** The most iterations of the hashes, for each digest. Hashes of an unnamed digest are not expected. */
export interface AspNetIdentityOptions {
  /** Version 2, and version 3 with this digest. */
  sha1?: number
  /** Version 3 until .NET 6. */
  sha256?: number
  /** Version 3 since .NET 7. */
  sha512?: number
}

/** The iterations of all versions of ASP.NET Core. */
const defaultIterations: AspNetIdentityOptions = { sha1: 1000, sha256: 10_000, sha512: 100_000 }

/**
 * Verifies hashes of the column `PasswordHash` of ASP.NET Identity, versions 2 and 3.
 *
 * @param most The most iterations of each digest. Default: those of all versions of ASP.NET Core.
 */
export function aspNetIdentity(most: AspNetIdentityOptions = defaultIterations): ImportedHash {
  // The keys have 32 bytes, which are two blocks of SHA-1.
  const blocks = (digest: string) => (digest === 'sha1' ? 2 : 1)
  assertOptions(name, most, ['sha1', 'sha256', 'sha512'])
  const works = Object.entries(most).map(([digest, iterations]) =>
    declaredPbkdf2Work(name, digest, iterations * blocks(digest)),
  )
  return importedHash(name, works, (hash) => {
    if (!/^A[A-Za-z0-9+/]{30,510}={0,2}$/.test(hash) || hash.length % 4 !== 0) return undefined
    const bytes = Buffer.from(hash, 'base64')
    if (bytes[0] === 0) return readVersion2(bytes)
    return bytes[0] === 1 ? readVersion3(bytes) : undefined
  })
}

/** Reads a hash of version 2: a salt of 16 bytes and a key of 32 bytes. */
function readVersion2(bytes: Buffer): ReadHash | undefined {
  if (bytes.length !== 49) return undefined
  return pbkdf2Hash(name, { digest: 'sha1', iterations: 1000, salt: bytes.subarray(1, 17), key: bytes.subarray(17) })
}

const digests = ['sha1', 'sha256', 'sha512']

/**
 * Reads a hash of version 3: the digest, the iterations and the length of the salt, as big-endian numbers, then the
 * salt and the key.
 */
function readVersion3(bytes: Buffer): ReadHash | undefined {
  if (bytes.length < 13) return undefined
  const digest = digests[bytes.readUInt32BE(1)]
  const saltSize = bytes.readUInt32BE(9)
  const [salt, key] = [bytes.subarray(13, 13 + saltSize), bytes.subarray(13 + saltSize)]
  if (digest === undefined || saltSize < 8 || key.length < 16 || key.length > 128) return undefined
  return pbkdf2Hash(name, { digest, iterations: bytes.readUInt32BE(5), salt, key })
}
