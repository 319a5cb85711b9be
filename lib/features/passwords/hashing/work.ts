/**
 * The work that hashes take, and how the same work is done where there is no such hash. Work of one function is counted in units of
 * equal time, so that the rest of it can be done by itself. Of functions that fill memory one unit is the whole hash.
 */
import { InvalidConfiguration, PasswordsBusy } from '../../../errors.js'
import type { Awaitable } from '../../../types/identity.js'
import { functions, type ScryptCost } from './functions.js'
import { type Argon2Cost, type Argon2Hash, isBearableArgon2, isBearableScrypt } from './phc.js'

/** The work that one hash takes. */
export interface Work {
  /** The function, with everything that decides how long a unit takes. */
  readonly by: string
  readonly units: number
  /** For messages. */
  readonly label: string
  /** The kind in `imported` that declares the work, as code. Absent where there is none of ours. */
  readonly kind?: string
  /** Does so many units of the work with a password that nothing is compared with. */
  spend(password: string, units: number): Awaitable<unknown>
}

/* ---- works of each function --------------------------------------------------------------------------------- */

const salt = 'nobody’s salt'

/** The work of bcrypt: a unit is one round of the key schedule, of which a hash takes 2 to the power of its cost. */
export function bcryptWork(cost: number): Work {
  return {
    by: 'bcrypt',
    units: 2 ** cost,
    label: `bcrypt of cost ${cost}`,
    kind: `bcrypt({ cost: ${cost} })`,
    async spend(password, units) {
      for (let power = Math.floor(Math.log2(units)); power >= 4; power -= 1) {
        if (Math.floor(units / 2 ** power) % 2 === 1) await functions.bcrypt(bcryptText(power), password)
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

/** The work of PBKDF2: a unit is one iteration for one block of the key. */
export function pbkdf2Work({ digest, iterations, size }: { digest: string; iterations: number; size?: number }): Work {
  const block = digestSizes.get(digest) ?? 1
  const units = iterations * Math.ceil((size ?? block) / block)
  return {
    ...{ by: `pbkdf2 ${digest}`, units },
    label: `PBKDF2 (${digest}) of ${units} iterations, those of each block of the key added up`,
    kind: `pbkdf2({ ${digest}: ${units} })`,
    spend: (password, rest) => functions.pbkdf2(password, { digest, iterations: rest, salt, size: block }),
  }
}

/** The work of scrypt: each set of parameters is a function of its own. */
export function scryptWork(cost: ScryptCost): Work {
  const { cost: n, blockSize, parallelization } = cost
  const kind = `scryptHashes({ cost: ${n}, blockSize: ${blockSize}, parallelization: ${parallelization} })`
  return whole(`scrypt N=${n}, r=${blockSize}, p=${parallelization}`, {
    kind,
    once: (password) => functions.scrypt(password, { cost, salt, size: 32 }),
  })
}

/** The work of Argon2: each set of parameters is a function of its own. */
export function argon2Work({
  memory,
  iterations,
  parallelism,
  variant,
}: Argon2Cost & Pick<Argon2Hash, 'variant'>): Work {
  const parameters = `m=${memory},t=${iterations},p=${parallelism}`
  const hash = `$${variant}$v=19$${parameters}$${'A'.repeat(22)}$${'A'.repeat(43)}`
  const kind = `argon2Hashes({ memory: ${memory}, iterations: ${iterations}, parallelism: ${parallelism} })`
  return whole(`${variant} ${parameters}`, { kind, once: (password) => functions.argon2(hash, password) })
}

function whole(
  label: string,
  { kind, once }: { readonly kind?: string; once(password: string): Awaitable<unknown> },
): Work {
  return {
    ...{ by: label, units: 1, label, ...(kind !== undefined && { kind }) },
    async spend(password, units) {
      for (let unit = 0; unit < units; unit += 1) await once(password)
    },
  }
}

/** The work of a function that is not ours, once for each attempt. */
export function foreignWork(by: string, spend: (password: string) => Awaitable<unknown>): Work {
  return whole(by, { once: spend })
}

/** The work for passwords that are tried in each of their forms. @param formsOf Returns the forms. */
export function inEachForm(work: Work, formsOf: (password: string) => readonly string[]): Work {
  return {
    ...{ by: `${work.by}, each form`, units: work.units, label: work.label },
    async spend(password, units) {
      for (const form of formsOf(password)) await work.spend(form, units)
    },
  }
}

/* ---- the work of an attempt --------------------------------------------------------------------------------- */

/** Returns the largest work of each function: a stored hash takes one of them at the most. */
export function largest(works: Iterable<Work>): ReadonlyMap<string, Work> {
  const found = new Map<string, Work>()
  for (const work of works) if (work.units > (found.get(work.by)?.units ?? 0)) found.set(work.by, work)
  return found
}

/** Does what a hash has left of the work of an attempt. @param done The work of the hash; absent where there was none. */
export async function spendRest(budget: ReadonlyMap<string, Work>, password: string, done?: Work): Promise<void> {
  for (const work of budget.values()) {
    const rest = work.units - (work.by === done?.by ? done.units : 0)
    if (rest > 0) await work.spend(password, rest)
  }
}

/* ---- the work that an application says ---------------------------------------------------------------------- */

/** Iterations of PBKDF2, for each block of its key: some two seconds. */
export const mostIterations = 10_000_000
/** Each more doubles the time: 15 takes some three seconds. */
export const mostBcrypt = 15

/** Reads the cost of bcrypt that a kind was given. @throws {@link InvalidConfiguration} */
export function saidBcrypt(name: string, cost: number): Work {
  if (Number.isInteger(cost) && cost >= 4 && cost <= mostBcrypt) return bcryptWork(cost)
  throw new InvalidConfiguration(`${name}: the cost of bcrypt must be a whole number from 4 to ${mostBcrypt}.`)
}

/** Reads the iterations of PBKDF2 that a kind was given. @throws {@link InvalidConfiguration} */
export function saidPbkdf2(name: string, digest: string, iterations: number): Work {
  if (Number.isInteger(iterations) && iterations >= 1 && iterations <= mostIterations) {
    return pbkdf2Work({ digest, iterations })
  }
  throw new InvalidConfiguration(`${name}: iterations must be a whole number from 1 to ${mostIterations}.`)
}

/** Reads the cost of scrypt that a kind was given. @throws {@link InvalidConfiguration} */
export function saidScrypt(name: string, cost: ScryptCost): Work {
  if (areWhole(cost) && Number.isInteger(Math.log2(cost.cost)) && isBearableScrypt(cost)) return scryptWork(cost)
  throw new InvalidConfiguration(
    `${name}: the cost of scrypt must be that of the hashes, and at most 256 MiB of memory.`,
  )
}

/** Reads the cost of Argon2 that a kind was given. @throws {@link InvalidConfiguration} */
export function saidArgon2(name: string, cost: Argon2Cost, variant: Argon2Hash['variant'] = 'argon2id'): Work {
  if (areWhole(cost) && isBearableArgon2(cost)) return argon2Work({ ...cost, variant })
  throw new InvalidConfiguration(
    `${name}: the cost of Argon2 must be that of the hashes, and at most 256 MiB of memory.`,
  )
}

function areWhole(cost: object): boolean {
  return Object.values(cost).every((value) => typeof value === 'string' || Number.isSafeInteger(value))
}

/* ---- turns ------------------------------------------------------------------------------------------------------- */

// How many passwords are hashed at once. Each takes a thread of the pool in which Node also looks up names and reads files, and tens of
// megabytes: four at once would stop everything else, and a hundred fill the memory.

/** Hashings at once, in this process: half of the threads of Node's pool. */
const atOnce = 2
/** How many may wait for their turn. */
const longestQueue = 32

/** Lets work be done a few at a time, in the order in which it came. */
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
   * Does the work when it is its turn.
   *
   * @throws {@link PasswordsBusy} at once, without the work, where too many wait.
   */
  async take<T>(work: () => Awaitable<T>): Promise<T> {
    if (this.#running < this.#atOnce) this.#running += 1
    else {
      if (this.#waiting.length >= this.#longestQueue) throw new PasswordsBusy()
      // Who ends hands its place over: it is never free in between for somebody who came later.
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
 * Hashes or verifies a password when it is its turn in this process. Each hashing passes here once, also the one that is done in the
 * place of a password that is not there. Work must not ask for another turn: it would wait for itself.
 *
 * @throws {@link PasswordsBusy}, an answer with status 503 and `Retry-After`, where too many wait already.
 */
export function withTurn<T>(work: () => Awaitable<T>): Promise<T> {
  return turns.take(work)
}
