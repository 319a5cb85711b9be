/**
 * Renewals under way in this process, one for each account. A caller waits until its deadline and leaves; the renewal goes on, because
 * its answer has the only refresh token that is still good.
 */
import { perOwner, type SiteMemory } from '../../base/memory.js'

/** The progress of a renewal, for the error of callers that wait no longer. */
export interface Progress {
  /** Explains what the renewal is waiting for. */
  waitsFor: string
  /** The last failure, where the renewal tries again. */
  fault?: Error
}

/** One renewal, and everybody who waits for it. */
export class Flight {
  /** Settles when the renewal has ended. */
  readonly done: Promise<void>
  /** The scope that is asked for. */
  readonly scope: string | undefined
  readonly #progress: Progress = { waitsFor: 'the provider has not been called yet' }
  #abandoned = abandonment()
  #waiting = 0

  /** @param onUnheard Called with an error that no caller is there to hear. */
  constructor(
    scope: string | undefined,
    work: (progress: Progress) => Promise<void>,
    onUnheard: (error: unknown) => void,
  ) {
    this.scope = scope
    this.done = work(this.#progress)
    this.done.catch((error: unknown) => {
      if (this.#waiting === 0) onUnheard(error)
    })
  }

  /**
   * Waits for the end of the renewal. The first caller whose time is over fails, and all that wait with it: each would otherwise wait as
   * long as it did.
   *
   * @param deadline By `performance.now()`.
   * @param toError Makes the error of a caller that waits no longer.
   * @throws The renewal's error, or the one that `toError` made.
   */
  async wait(deadline: number, toError: (progress: Progress) => Error): Promise<void> {
    const left = deadline - performance.now()
    if (left <= 0) throw toError(this.#progress)
    const timer = setTimeout(() => {
      const { reject } = this.#abandoned
      this.#abandoned = abandonment()
      reject(toError(this.#progress))
    }, left)
    this.#waiting += 1
    try {
      await Promise.race([this.done, this.#abandoned.promise])
    } finally {
      this.#waiting -= 1
      clearTimeout(timer)
    }
  }
}

/** A promise that can be rejected, and need not be. */
function abandonment(): { readonly promise: Promise<never>; readonly reject: (error: Error) => void } {
  let reject: (error: Error) => void = () => {}
  const promise = new Promise<never>((_resolve, rejectIt) => {
    reject = rejectIt
  })
  promise.catch(() => {})
  return { promise, reject }
}

const flightsOf = perOwner((_site: SiteMemory) => new Map<string, Flight>())

/** Joins the renewal of an account that is under way in this process, or begins one. */
export function joinFlight(memory: SiteMemory, key: string, begin: () => Flight): Flight {
  const flights = flightsOf(memory)
  const known = flights.get(key)
  if (known) return known
  const flight = begin()
  flights.set(key, flight)
  const forget = () => {
    flights.delete(key)
  }
  flight.done.then(forget, forget)
  return flight
}
