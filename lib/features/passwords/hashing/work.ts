/**
 * The work of hashes, and how the same work is done without a hash. The work of a function is counted in units of equal
 * time, so that a part of it can be done alone. For functions that fill memory, a unit is the whole hash.
 */
import { InvalidConfiguration, PasswordsBusy } from '../../../errors.js'
import type { Awaitable } from '../../../types/identity.js'
import { hashFunctions, type ScryptCost } from './functions.js'
import { type Argon2Cost, type Argon2Hash, isWithinArgon2Limits, isWithinScryptLimits } from './phc.js'

/** The work of one hash. */
export interface Work {
  /** The function, with all parameters that determine the time of a unit. */
  readonly algorithm: string
  readonly units: number
  /** For messages. */
  readonly label: string
  /** The code of the kind in `imported` that declares the work. Absent if no built-in kind does. */
  readonly kind?: string
  /** Does so many units of the work with a password, without comparing the result. */
  spend(password: string, units: number): Awaitable<unknown>
}

/* The work of each function. */

const salt = 'nobody’s salt'

/** Returns the work of bcrypt. A unit is one round of the key schedule; a hash takes 2 to the power of its cost. */
export function bcryptWork(cost: number): Work {
  return {
    algorithm: 'bcrypt',
    units: 2 ** cost,
    label: `bcrypt of cost ${cost}`,
    kind: `bcrypt({ cost: ${cost} })`,
    async spend(password, units) {
      for (let power = Math.floor(Math.log2(units)); power >= 4; power -= 1) {
        if (Math.floor(units / 2 ** power) % 2 === 1) await hashFunctions.bcrypt(bcryptText(power), password)
      }
    },
  }
}

function bcryptText(cost: number): string {
  return `$2b$${String(cost).padStart(2, '0')}$${'.'.repeat(53)}`
}

const digestSizes: ReadonlyMap<string, number> = new Map([
  ['sha1', 20],
  ['sha256', 32],
  ['sha512', 64],
])

/** Returns the work of PBKDF2. A unit is one iteration for one block of the key. */
export function pbkdf2Work({ digest, iterations, size }: { digest: string; iterations: number; size?: number }): Work {
  const block = digestSizes.get(digest) ?? 1
  const units = iterations * Math.ceil((size ?? block) / block)
  return {
    ...{ algorithm: `pbkdf2 ${digest}`, units },
    label: `PBKDF2 (${digest}) of ${units} iterations, those of each block of the key added up`,
    kind: `pbkdf2({ ${digest}: ${units} })`,
    spend: (password, rest) => hashFunctions.pbkdf2(password, { digest, iterations: rest, salt, size: block }),
  }
}

/** Returns the work of scrypt. Each set of parameters is treated as a separate function. */
export function scryptWork(cost: ScryptCost): Work {
  const { cost: n, blockSize, parallelization } = cost
  const kind = `scryptHashes({ cost: ${n}, blockSize: ${blockSize}, parallelization: ${parallelization} })`
  return wholeHashWork(`scrypt N=${n}, r=${blockSize}, p=${parallelization}`, {
    kind,
    once: (password) => hashFunctions.scrypt(password, { cost, salt, size: 32 }),
  })
}

/** Returns the work of Argon2. Each set of parameters is treated as a separate function. */
export function argon2Work({
  memory,
  iterations,
  parallelism,
  variant,
}: Argon2Cost & Pick<Argon2Hash, 'variant'>): Work {
  const parameters = `m=${memory},t=${iterations},p=${parallelism}`
  const hash = `$${variant}$v=19$${parameters}$${'A'.repeat(22)}$${'A'.repeat(43)}`
  const kind = `argon2Hashes({ memory: ${memory}, iterations: ${iterations}, parallelism: ${parallelism} })`
  return wholeHashWork(`${variant} ${parameters}`, { kind, once: (password) => hashFunctions.argon2(hash, password) })
}

function wholeHashWork(
  label: string,
  { kind, once }: { readonly kind?: string; once(password: string): Awaitable<unknown> },
): Work {
  return {
    ...{ algorithm: label, units: 1, label, ...(kind !== undefined && { kind }) },
    async spend(password, units) {
      for (let unit = 0; unit < units; unit += 1) await once(password)
    },
  }
}

/** Returns the work of a custom function, done once for each attempt. */
export function customWork(by: string, spend: (password: string) => Awaitable<unknown>): Work {
  return wholeHashWork(by, { once: spend })
}

/** Returns the work for passwords that are tried in each of their forms. @param formsOf Returns the forms. */
export function inEachForm(work: Work, formsOf: (password: string) => readonly string[]): Work {
  return {
    ...{ algorithm: `${work.algorithm}, each form`, units: work.units, label: work.label },
    async spend(password, units) {
      for (const form of formsOf(password)) await work.spend(form, units)
    },
  }
}

/* The work of an attempt. */

/** Returns the largest work of each function. A stored hash takes at most one of them. */
export function largestWorks(works: Iterable<Work>): ReadonlyMap<string, Work> {
  const found = new Map<string, Work>()
  for (const work of works) if (work.units > (found.get(work.algorithm)?.units ?? 0)) found.set(work.algorithm, work)
  return found
}

/** Does the rest of the work of an attempt. @param done The work of the stored hash, if there was one. */
export async function spendRemainingWork(
  budget: ReadonlyMap<string, Work>,
  password: string,
  done?: Work,
): Promise<void> {
  for (const work of budget.values()) {
    const rest = work.units - (work.algorithm === done?.algorithm ? done.units : 0)
    if (rest > 0) await work.spend(password, rest)
  }
}

/* The work that the configuration declares. */

/** Iterations of PBKDF2 for each block of its key: about two seconds. */
export const mostIterations = 10_000_000
/** Each step doubles the time: 15 takes about three seconds. */
export const mostBcrypt = 15

/** Returns the work of a configured cost of bcrypt. @throws {@link InvalidConfiguration} */
export function declaredBcryptWork(name: string, cost: number): Work {
  if (Number.isInteger(cost) && cost >= 4 && cost <= mostBcrypt) return bcryptWork(cost)
  throw new InvalidConfiguration(`${name}: the cost of bcrypt must be a whole number from 4 to ${mostBcrypt}.`)
}

/** Returns the work of configured iterations of PBKDF2. @throws {@link InvalidConfiguration} */
export function declaredPbkdf2Work(name: string, digest: string, iterations: number): Work {
  if (Number.isInteger(iterations) && iterations >= 1 && iterations <= mostIterations) {
    return pbkdf2Work({ digest, iterations })
  }
  throw new InvalidConfiguration(`${name}: iterations must be a whole number from 1 to ${mostIterations}.`)
}

/** Returns the work of a configured cost of scrypt. @throws {@link InvalidConfiguration} */
export function declaredScryptWork(name: string, cost: ScryptCost): Work {
  if (areWhole(cost) && Number.isInteger(Math.log2(cost.cost)) && isWithinScryptLimits(cost)) return scryptWork(cost)
  throw new InvalidConfiguration(
    `${name}: the cost of scrypt must be that of the hashes, and at most 256 MiB of memory.`,
  )
}

/** Returns the work of a configured cost of Argon2. @throws {@link InvalidConfiguration} */
export function declaredArgon2Work(name: string, cost: Argon2Cost, variant: Argon2Hash['variant'] = 'argon2id'): Work {
  if (areWhole(cost) && isWithinArgon2Limits(cost)) return argon2Work({ ...cost, variant })
  throw new InvalidConfiguration(
    `${name}: the cost of Argon2 must be that of the hashes, and at most 256 MiB of memory.`,
  )
}

function areWhole(cost: object): boolean {
  return Object.values(cost).every((value) => typeof value === 'string' || Number.isSafeInteger(value))
}

/* Turns. */

// The limit of concurrent hashings. Each takes tens of megabytes and a thread of Node's pool, which also resolves names
// and reads files. Four at once would block everything else, and a hundred would fill the memory.

/** Concurrent hashings in this process: half of the threads of Node's pool. */
const atOnce = 2
/** The most calls that may wait for their turn. */
const longestQueue = 32

/** A queue that runs a few works at once, in the order of their calls. */
export class Turns {
  readonly #atOnce: number
  readonly #longestQueue: number
  readonly #waiting: Array<() => void> = []
  #running = 0

  constructor(most: { readonly atOnce: number; readonly longestQueue: number }) {
    this.#atOnce = most.atOnce
    this.#longestQueue = most.longestQueue
  }

  /**
   * Runs the work when it is its turn.
   *
   * @throws {@link PasswordsBusy} at once, without the work, if too many wait.
   */
  async take<T>(work: () => Awaitable<T>): Promise<T> {
    if (this.#running < this.#atOnce) this.#running += 1
    else {
      if (this.#waiting.length >= this.#longestQueue) throw new PasswordsBusy()
      // Finished work hands its place over, so that a later call cannot take it.
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#running -= 1
    }
  }
}

const turns = new Turns({ atOnce, longestQueue })

/**
 * Hashes or verifies a password in turn. Each hashing gets one turn, including those for passwords that do not exist.
 * The work must not call it again, because it would wait for itself.
 *
 * @throws {@link PasswordsBusy}, an error with status 503 and `Retry-After`, if too many wait.
 */
export function withTurn<T>(work: () => Awaitable<T>): Promise<T> {
  return turns.take(work)
}
