/**
 * The hashers of new passwords: Argon2id of an optional package, or scrypt of Node.
 *
 * Each of them verifies the hashes of the other, so that passwords survive a change of the hasher. They do not wait for
 * a turn (`work`): the caller does.
 */
import { randomBytes } from 'node:crypto'
import { InvalidConfiguration } from '../../../errors.js'
import type { PasswordHasher } from '../types.js'
import { findArgon2, requireArgon2 } from './argon2-package.js'
import { hashFunctions } from './functions.js'
import { type Measured, measure } from './measure.js'
import { assertNativePackages } from './native-package.js'
import { formsOf, isTooLong, normalizePassword } from './password-rules.js'
import {
  type Argon2Cost,
  type Argon2Hash,
  equalKeys,
  isWithinArgon2Limits,
  isWithinScryptLimits,
  readPhc,
  type ScryptCost,
  type ScryptHash,
  scryptPhc,
} from './phc.js'
import { argon2Work, scryptWork, type Work } from './work.js'

/** The function and cost of new hashes. */
type HashCost = { readonly argon2: Argon2Cost } | { readonly scrypt: ScryptCost }

// Both are from the table in OWASP's Password Storage Cheat Sheet.
/** The default cost of {@link argon2id}. */
export const defaultArgon2Cost: Argon2Cost = { memory: 19456, iterations: 2, parallelism: 1 }
/** The default cost of {@link scrypt}. */
export const defaultScryptCost: ScryptCost = { cost: 2 ** 14, blockSize: 8, parallelization: 5 }

/** The minimum of that table: KiB times passes for Argon2, bytes passed over for scrypt. */
const minimumArgon2 = { memory: 7168, work: 7168 * 5 }
const minimumScrypt = { cost: 2 ** 13, work: 128 * 8 * 2 ** 14 * 5 }

/**
 * Returns a hasher of Argon2id if the package `@node-rs/argon2` is installed, otherwise of scrypt.
 *
 * It is determined when a password is first hashed or verified; `needsRehash` uses it from then on.
 */
export function defaultHasher(): PasswordHasher {
  return createHasher(async () =>
    (await findArgon2()) ? { argon2: defaultArgon2Cost } : { scrypt: defaultScryptCost },
  )
}

/**
 * Returns a hasher of Argon2id. Needs the package `@node-rs/argon2`.
 *
 * @param cost KiB of `memory` (default 19456), `iterations` (2), and `parallelism` (1).
 * @throws {@link InvalidConfiguration} for a cost that is too low, or too high for a sign-in.
 */
export function argon2id(cost: Partial<Argon2Cost> = {}): PasswordHasher {
  const whole = { ...defaultArgon2Cost, ...cost }
  assertNumbers('argon2id', whole)
  const { memory, iterations } = whole
  if (memory < minimumArgon2.memory || memory * iterations < minimumArgon2.work) {
    const least = `at least ${minimumArgon2.memory}, and ${minimumArgon2.work} when it is multiplied with \`iterations\``
    throw new InvalidConfiguration(`argon2id: the cost is too low. \`memory\` (KiB) must be ${least}.`)
  }
  if (!isWithinArgon2Limits(whole)) {
    const most = '`memory` may be 262144 KiB, 1048576 when it is multiplied with `iterations`, and `parallelism` 16'
    throw new InvalidConfiguration(`argon2id: the cost is too high for a sign-in. ${most}.`)
  }
  assertNativePackages('argon2id()', 'Use `scrypt()`, or leave out `hash`.')
  const way = { argon2: whole }
  return createHasher(async () => way, way)
}

/**
 * Returns a hasher of Node's scrypt.
 *
 * @param cost The `cost` N, a power of two (default 16384), `blockSize` r (8), and `parallelization` p (5).
 * @throws {@link InvalidConfiguration} for a cost that is too low, or too high for a sign-in.
 */
export function scrypt(cost: Partial<ScryptCost> = {}): PasswordHasher {
  const whole = { ...defaultScryptCost, ...cost }
  assertNumbers('scrypt', whole)
  if (!Number.isInteger(Math.log2(whole.cost))) {
    throw new InvalidConfiguration('scrypt: `cost` must be a power of two, such as 16384.')
  }
  if (whole.cost < minimumScrypt.cost || workOfScrypt(whole) < minimumScrypt.work) {
    const product = minimumScrypt.work / 128
    const least = `at least ${minimumScrypt.cost}, and ${product} when it is multiplied with \`blockSize\` and \`parallelization\``
    throw new InvalidConfiguration(`scrypt: the cost is too low. \`cost\` must be ${least}.`)
  }
  if (!isWithinScryptLimits(whole)) {
    const most =
      '128 × `cost` × `blockSize` may be 268435456 bytes, four times as much with `parallelization`, and that 16'
    throw new InvalidConfiguration(`scrypt: the cost is too high for a sign-in. ${most}.`)
  }
  const way = { scrypt: whole }
  return createHasher(async () => way, way)
}

function assertNumbers(name: string, cost: object): void {
  for (const [key, value] of Object.entries(cost)) {
    if (Number.isSafeInteger(value) && value > 0) continue
    throw new InvalidConfiguration(`${name}: \`${key}\` must be a whole number above zero.`)
  }
}

/**
 * Creates a hasher. @param find Returns the function and cost of new hashes. @param known The same, if it is already
 * known.
 */
function createHasher(find: () => Promise<HashCost>, known?: HashCost): PasswordHasher & Measured {
  let found = known
  const wayOf = async () => {
    found ??= await find()
    return found
  }
  return Object.freeze({
    async hash(password: string): Promise<string> {
      if (isTooLong(password)) throw new RangeError('The password is too long.')
      const way = await wayOf()
      const text = normalizePassword(password)
      return 'argon2' in way ? hashByArgon2(text, way.argon2) : hashByScrypt(text, way.scrypt)
    },
    async verify(hash: string, password: string): Promise<boolean> {
      await wayOf()
      return verifyPhc(hash, password)
    },
    needsRehash: (hash: string) => needsMoreWork(hash, found),
    [measure]: {
      async most() {
        const way = await wayOf()
        return ['argon2' in way ? argon2Work({ ...way.argon2, variant: 'argon2id' }) : scryptWork(way.scrypt)]
      },
      of: phcWork,
    },
  })
}

async function hashByArgon2(password: string, { memory, iterations, parallelism }: Argon2Cost): Promise<string> {
  const { hash } = await requireArgon2('argon2id()')
  return hash(password, { memoryCost: memory, timeCost: iterations, parallelism })
}

async function hashByScrypt(password: string, cost: ScryptCost): Promise<string> {
  const salt = randomBytes(16)
  return scryptPhc({ ...cost, salt, key: await hashFunctions.scrypt(password, { cost, salt, size: 32 }) })
}

/**
 * Checks whether a password matches a hash of Argon2 or scrypt. An imported hash may be of the text as it was typed. If
 * that differs from its composed form, both are always tried.
 *
 * @throws TypeError for another text, or a hash that takes too much work. {@link InvalidConfiguration} if the package
 *   is missing, which must not look like a wrong password.
 */
export async function verifyPhc(hash: string, password: string): Promise<boolean> {
  const verify = verifierOf(hash)
  let fits = false
  for (const form of isTooLong(password) ? [] : formsOf(password)) {
    if (await verify(form)) fits = true
  }
  return fits
}

function verifierOf(hash: string): (password: string) => Promise<boolean> {
  const stored = readHashWithinLimits(hash)
  if (stored.kind === 'argon2') return (password) => hashFunctions.argon2(hash, password)
  const { salt, key } = stored
  return async (password) =>
    equalKeys(await hashFunctions.scrypt(password, { cost: stored, salt, size: key.length }), key)
}

/**
 * Returns the work of a hash of Argon2 or scrypt, for one form of a password. @throws TypeError as {@link verifyPhc}
 * does.
 */
export function phcWork(hash: string): Work {
  const stored = readHashWithinLimits(hash)
  return stored.kind === 'argon2' ? argon2Work(stored) : scryptWork(stored)
}

function readHashWithinLimits(hash: string): Argon2Hash | ScryptHash {
  const stored = readPhc(hash)
  if (!stored) throw new TypeError('A stored password is no hash of Argon2 or scrypt.')
  if (stored.kind === 'argon2' ? isWithinArgon2Limits(stored) : isWithinScryptLimits(stored)) return stored
  throw new TypeError('A stored password takes more memory or time than is allowed.')
}

/**
 * Checks whether a hash took less work than new ones, or is of another function. The memory that an attacker needs is
 * weighed like the passes over it.
 */
function needsMoreWork(hash: string, way: HashCost | undefined): boolean {
  const stored = readPhc(hash)
  if (!stored) return true
  if (stored.kind === 'scrypt') {
    if (way && 'argon2' in way) return true
    return workOfScrypt(stored) < workOfScrypt(way ? way.scrypt : defaultScryptCost)
  }
  if (way && 'scrypt' in way) return true
  const { memory, iterations } = way ? way.argon2 : defaultArgon2Cost
  const isOld = stored.variant !== 'argon2id' || stored.version !== 19
  return isOld || stored.memory * stored.iterations < memory * iterations
}

function workOfScrypt({ cost, blockSize, parallelization }: ScryptCost): number {
  return 128 * cost * blockSize * parallelization
}
