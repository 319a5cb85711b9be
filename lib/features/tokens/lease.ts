/**
 * The lease of a record: taken before the provider is called, extended for as long as its holder lives, and given back. A holder that
 * was killed blocks others for {@link leaseSeconds}, however long the provider may take to answer.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { perOwner, type SiteMemory } from '../../base/memory.js'
import { randomText } from '../../crypto/random.js'
import type { StoredTokens } from '../../store/tables.js'
import type { GuardedTokens } from './guard.js'

/** How long a lease outlives its holder. A process that stands still for longer than this may lose its lease. */
export const leaseSeconds = 8

/** Milliseconds between two extensions. */
const extendEvery = 2000

/** Milliseconds that must be left of a lease before a request is sent under it. */
const margin = 2000

/**
 * Takes the lease of a record.
 *
 * @param isInUse Checks whether a newer version of the record still has the refresh token for which the lease was taken.
 * @returns `undefined` where another process holds it, or the record has another version.
 */
export async function takeLease(
  rows: GuardedTokens,
  row: StoredTokens,
  isInUse: (now: StoredTokens) => Promise<boolean>,
): Promise<HeldLease | undefined> {
  const lease = new HeldLease(rows, row, isInUse)
  return (await lease.take()) ? lease : undefined
}

/** A lease that this process holds. */
class HeldLease {
  readonly #rows: GuardedTokens
  readonly #row: StoredTokens
  readonly #leaseId: string
  readonly #isInUse: (now: StoredTokens) => Promise<boolean>
  readonly #ended = new AbortController()
  readonly #extensions = new Set<Promise<void>>()
  #version: number
  #until: number

  /** @param isInUse As in {@link takeLease}. */
  constructor(rows: GuardedTokens, row: StoredTokens, isInUse: (now: StoredTokens) => Promise<boolean>) {
    this.#rows = rows
    this.#row = row
    this.#leaseId = randomText(16)
    this.#isInUse = isInUse
    this.#version = row.version
    this.#until = 0
  }

  /** Takes the lease, and extends it from then on. Returns whether it was taken. */
  async take(): Promise<boolean> {
    if (!(await this.#ask(this.#version))) return false
    void this.#extend()
    return true
  }

  /** Checks whether a request may still be sent: a process that stood still may have lost its lease without knowing. */
  get isHeld(): boolean {
    return performance.now() < this.#until - margin
  }

  /** Gives the lease back. A release that fails ends by itself, with the lease's time. */
  async release(): Promise<void> {
    this.#ended.abort()
    this.#until = 0
    // One that comes after the release would take the lease again, for nobody.
    await Promise.all(this.#extensions)
    await this.#rows.release(this.#row, this.#leaseId).catch(() => {})
  }

  async #ask(version: number): Promise<boolean> {
    // The store's time begins later than this.
    const asked = performance.now()
    const isTaken = await this.#rows.lease(this.#row, { version, leaseId: this.#leaseId, seconds: leaseSeconds })
    if (isTaken && !this.#ended.signal.aborted) this.#until = asked + leaseSeconds * 1000
    return isTaken
  }

  /** Extensions do not wait for each other: one that hangs in the store must not end the lease. */
  async #extend(): Promise<void> {
    const { signal } = this.#ended
    while (await pause(extendEvery, !signal.aborted, { signal }).catch(() => false)) {
      const extension = this.#extendOnce()
        .catch(() => {})
        .finally(() => this.#extensions.delete(extension))
      this.#extensions.add(extension)
    }
  }

  async #extendOnce(): Promise<void> {
    if (await this.#ask(this.#version)) return
    const now = await this.#rows.find(this.#row)
    if (!now || now.version === this.#version) return
    // A sign-in has written the record. Where it kept the refresh token that is on its way, nobody else may use that.
    if (await this.#isInUse(now)) {
      this.#version = now.version
      await this.#ask(now.version)
    } else this.#ended.abort()
  }
}

export type { HeldLease }

/* ---- flight ------------------------------------------------------------------------------------------------------ */

// Renewals under way in this process, one for each account. A caller waits until its deadline and leaves; the renewal goes on, because
// its answer has the only refresh token that is still good.

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
