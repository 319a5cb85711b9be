/** The timer of a process for all watched sessions. It runs only while a session is watched. */

/** A queue that is checked while it is not empty. */
export interface Timed {
  /** Called about once a second. */
  tick(): void
}

/** Milliseconds. */
const period = 1000

class Ticks {
  readonly #queues = new Set<Timed>()
  #timer: NodeJS.Timeout | undefined

  /** Begins to call a queue. */
  start(queue: Timed): void {
    this.#queues.add(queue)
    this.#timer ??= setInterval(() => this.#callAll(), period).unref()
  }

  /** Stops calling a queue. */
  stop(queue: Timed): void {
    this.#queues.delete(queue)
    if (this.#queues.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #callAll(): void {
    for (const queue of this.#queues) queue.tick()
  }
}

/** The timer of this process. */
export const ticks = new Ticks()
