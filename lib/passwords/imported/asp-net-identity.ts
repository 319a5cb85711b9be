/** Hashes of ASP.NET Core Identity: bytes as base64, of which the first says the version. */
import type { ImportedHash } from '../../types/passwords.js'
import { type Compare, importedHash, pbkdf2Compare } from './kind.js'

const name = 'aspNetIdentity()'

/** Verifies hashes of the column `PasswordHash` of ASP.NET Identity, versions 2 and 3. */
export function aspNetIdentity(): ImportedHash {
  return importedHash(name, (hash) => {
    if (!/^A[A-Za-z0-9+/]{30,510}={0,2}$/.test(hash) || hash.length % 4 !== 0) return undefined
    const bytes = Buffer.from(hash, 'base64')
    if (bytes[0] === 0) return version2(bytes)
    return bytes[0] === 1 ? version3(bytes) : undefined
  })
}

/** A salt of 16 bytes, a key of 32. */
function version2(bytes: Buffer): Compare | undefined {
  if (bytes.length !== 49) return undefined
  return pbkdf2Compare(name, { digest: 'sha1', iterations: 1000, salt: bytes.subarray(1, 17), key: bytes.subarray(17) })
}

const digests = ['sha1', 'sha256', 'sha512']

/** Three numbers, highest byte first: the digest, the iterations, the bytes of the salt. Then that, and the key. */
function version3(bytes: Buffer): Compare | undefined {
  if (bytes.length < 13) return undefined
  const digest = digests[bytes.readUInt32BE(1)]
  const saltSize = bytes.readUInt32BE(9)
  const [salt, key] = [bytes.subarray(13, 13 + saltSize), bytes.subarray(13 + saltSize)]
  if (digest === undefined || saltSize < 8 || key.length < 16 || key.length > 128) return undefined
  return pbkdf2Compare(name, { digest, iterations: bytes.readUInt32BE(5), salt, key })
}
