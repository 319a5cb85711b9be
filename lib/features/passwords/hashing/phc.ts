/** Hashes as text with their parameters (PHC strings): `$argon2id$…` and `$scrypt$…`. And the limits of their work. */
import { timingSafeEqual } from 'node:crypto'
import type { ScryptCost } from './functions.js'

export type { ScryptCost } from './functions.js'

/** The cost of Argon2. */
export interface Argon2Cost {
  /** KiB. */
  readonly memory: number
  /** The number of passes over the memory (`t`). */
  readonly iterations: number
  /** The number of parts that can be computed at once (`p`). */
  readonly parallelism: number
}

export interface Argon2Hash extends Argon2Cost {
  readonly kind: 'argon2'
  readonly variant: 'argon2id' | 'argon2i' | 'argon2d'
  readonly version: number
}

export interface ScryptHash extends ScryptCost {
  readonly kind: 'scrypt'
  readonly salt: Buffer
  readonly key: Buffer
}

/** Bytes of memory that one hashing may use, and bytes that it may pass over in all. */
const mostMemory = 2 ** 28
const mostWork = 2 ** 30

const argon2Pattern =
  /^\$(argon2id|argon2i|argon2d)(?:\$v=(16|19))?\$m=(\d{1,9}),t=(\d{1,5}),p=(\d{1,3})\$[A-Za-z0-9+/]{11,86}\$[A-Za-z0-9+/]{16,172}$/
const scryptPattern =
  /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,3}),p=(\d{1,3})\$([A-Za-z0-9+/]{0,342})={0,2}\$([A-Za-z0-9+/]{22,172})={0,2}$/

/** Reads a hash; `undefined` if it is none of these. Does not check whether it takes too much work. */
export function readPhc(hash: string): Argon2Hash | ScryptHash | undefined {
  const argon2 = argon2Pattern.exec(hash)
  if (argon2) {
    const [, variant, version = '16', memory, iterations, parallelism] = argon2
    return {
      kind: 'argon2',
      variant: variant === 'argon2i' || variant === 'argon2d' ? variant : 'argon2id',
      version: Number(version),
      memory: Number(memory),
      iterations: Number(iterations),
      parallelism: Number(parallelism),
    }
  }
  const found = scryptPattern.exec(hash)
  if (!found) return undefined
  const [, ln, blockSize, parallelization, salt = '', key = ''] = found
  return {
    kind: 'scrypt',
    cost: 2 ** Number(ln),
    blockSize: Number(blockSize),
    parallelization: Number(parallelization),
    salt: Buffer.from(salt, 'base64'),
    key: Buffer.from(key, 'base64'),
  }
}

/** Returns the text of a hash of scrypt. */
export function scryptPhc({ cost, blockSize, parallelization, salt, key }: Omit<ScryptHash, 'kind'>): string {
  const text = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
  return `$scrypt$ln=${Math.log2(cost)},r=${blockSize},p=${parallelization}$${text(salt)}$${text(key)}`
}

/** Checks whether a cost is within the limits. An imported hash could take gigabytes or hours. */
export function isWithinArgon2Limits({ memory, iterations, parallelism }: Argon2Cost): boolean {
  if (iterations < 1 || parallelism < 1 || parallelism > 16 || memory < 8 * parallelism) return false
  return memory * 1024 <= mostMemory && memory * 1024 * iterations <= mostWork
}

/** Checks whether a cost of scrypt is within the limits. */
export function isWithinScryptLimits({ cost, blockSize, parallelization }: ScryptCost): boolean {
  if (cost < 2 || blockSize < 1 || parallelization < 1 || parallelization > 16) return false
  const memory = 128 * cost * blockSize
  return memory <= mostMemory && memory * parallelization <= mostWork
}

/** Compares two keys in constant time. */
export function equalKeys(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other)
}
