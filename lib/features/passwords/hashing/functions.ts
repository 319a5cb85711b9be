/** The hash functions. All work that a password causes is done by a call of one of them, so that tests can count it. */
import { type BinaryLike, pbkdf2, scrypt } from 'node:crypto'
import { requireArgon2 } from './argon2-package.js'
import { requireBcrypt } from './bcrypt-package.js'

/** The cost of scrypt. */
export interface ScryptCost {
  /** A power of two (`N`). `N` × 128 × `blockSize` is the memory in bytes. */
  readonly cost: number
  /** The block size (`r`), usually 8. */
  readonly blockSize: number
  /** The number of passes over the memory (`p`). */
  readonly parallelization: number
}

/** The parameters of PBKDF2. `size`: bytes of the key. */
export interface Pbkdf2Options {
  readonly digest: string
  readonly iterations: number
  readonly salt: BinaryLike
  readonly size: number
}

/** The parameters of scrypt. `size`: bytes of the key. */
export interface ScryptOptions {
  readonly cost: ScryptCost
  readonly salt: BinaryLike
  readonly size: number
}

/** The functions. Each computes outside the event loop. */
export const hashFunctions = {
  async argon2(hash: string, password: string): Promise<boolean> {
    const { verify } = await requireArgon2('A stored password is hashed with Argon2, which')
    return verify(hash, password)
  },

  async bcrypt(hash: string, password: string): Promise<boolean> {
    return (await requireBcrypt()).verify(password, hash)
  },

  pbkdf2(password: string, { digest, iterations, salt, size }: Pbkdf2Options): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      pbkdf2(password, salt, iterations, size, digest, (error, key) => (error ? reject(error) : resolve(key)))
    })
  },

  scrypt(password: string | Buffer, { cost: costs, salt, size }: ScryptOptions): Promise<Buffer> {
    const { cost, blockSize, parallelization } = costs
    const maxmem = 128 * blockSize * (cost + parallelization + 2)
    const options = { cost, blockSize, parallelization, maxmem }
    return new Promise((resolve, reject) => {
      scrypt(password, salt, size, options, (error, key) => (error ? reject(error) : resolve(key)))
    })
  },
}
