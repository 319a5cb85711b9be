/**
 * How many passwords are hashed at once. Each takes a thread of the pool in which Node also looks up names and reads files, and tens
 * of megabytes: four at once would stop everything else, and a hundred fill the memory.
 */
import { PasswordsBusy } from '../../../errors.js'
import type { Awaitable } from '../../../types/identity.js'

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
