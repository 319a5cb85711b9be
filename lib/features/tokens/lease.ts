/**
 * The lease of a record: taken before the provider is called, extended while its holder lives, and released. A killed
 * holder blocks others for {@link leaseSeconds}, however long the provider may take.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { perOwner, type SiteMemory } from '../../base/memory.js'
import { randomText } from '../../crypto/random.js'
import type { RecordLease } from '../../types/store.js'
import type { StoredTokens } from './description.js'

/** The records whose leases are taken. */
interface LeasedRecords<R> {
  find(record: R): Promise<R | null>
  lease(record: R, lease: RecordLease): Promise<boolean>
  release(record: R, leaseId: string): Promise<void>
}

/** A record with a lease. */
interface Leased {
  readonly version: number
}

/** Seconds until a lease expires without its holder. A process that is suspended for longer may lose its lease. */
export const leaseSeconds = 8

/** Milliseconds between two extensions. */
const extendEvery = 2000

/** Milliseconds that must be left of a lease before a request is sent under it. */
const margin = 2000

/**
 * Takes the lease of a record.
 *
 * @param isInUse Checks whether a newer version of the record still has the refresh token for which the lease was
 *   taken.
 * @returns `undefined` if another process has it, or the record has another version.
 */
export async function takeLease<R extends Leased>(
  rows: LeasedRecords<NoInfer<R>>,
  row: R,
  isInUse: (now: NoInfer<R>) => Promise<boolean>,
): Promise<Lease<R> | undefined> {
  const lease = new Lease(rows, row, isInUse)
  return (await lease.take()) ? lease : undefined
}

/** A lease that this process holds. */
class Lease<R extends Leased = StoredTokens> {
  readonly #rows: LeasedRecords<R>
  readonly #row: R
  readonly #leaseId: string
  readonly #isInUse: (now: R) => Promise<boolean>
  readonly #ended = new AbortController()
  readonly #extensions = new Set<Promise<void>>()
  #version: number
  #until: number

  /** See {@link takeLease}. */
  constructor(rows: LeasedRecords<R>, row: R, isInUse: (now: R) => Promise<boolean>) {
    this.#rows = rows
    this.#row = row
    this.#leaseId = randomText(16)
    this.#isInUse = isInUse
    this.#version = row.version
    this.#until = 0
  }

  /** Takes the lease, and then keeps extending it. Returns whether it was taken. */
  async take(): Promise<boolean> {
    if (!(await this.#ask(this.#version))) return false
    void this.#extend()
    return true
  }

  /** Checks whether a request may still be sent. A suspended process may have lost its lease. */
  get isHeld(): boolean {
    return performance.now() < this.#until - margin
  }

  /** Releases the lease. If that fails, the lease expires. */
  async release(): Promise<void> {
    this.#ended.abort()
    this.#until = 0
    // A later extension would take the lease again.
    await Promise.all(this.#extensions)
    await this.#rows.release(this.#row, this.#leaseId).catch(() => {})
  }

  async #ask(version: number): Promise<boolean> {
    // The lease of the store begins later than this.
    const asked = performance.now()
    const isTaken = await this.#rows.lease(this.#row, { version, leaseId: this.#leaseId, seconds: leaseSeconds })
    if (isTaken && !this.#ended.signal.aborted) this.#until = asked + leaseSeconds * 1000
    return isTaken
  }

  /**
   * Extends the lease. Extensions do not wait for each other, so that one that hangs in the store does not end the
   * lease.
   */
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
    // A sign-in has written the record. If it kept the refresh token that is being used, no other process may use it.
    if (await this.#isInUse(now)) {
      this.#version = now.version
      await this.#ask(now.version)
    } else this.#ended.abort()
  }
}

export type { Lease }

/* Shared refreshes. */

// Refreshes that run in this process, one for each account. Callers stop waiting at their deadline. The refresh
// continues, because its answer has the only valid refresh token.

/** The progress of a refresh, for the error of callers that stop waiting. */
export interface Progress {
  /** The step that the refresh is waiting for. */
  waitsFor: string
  /** The last failure, if the refresh tries again. */
  fault?: Error
}

/** A refresh, and its waiting callers. */
export class SharedRefresh {
  /** Settles when the refresh has ended. */
  readonly done: Promise<void>
  /** The requested scope. */
  readonly scope: string | undefined
  readonly #progress: Progress = { waitsFor: 'the provider has not been called yet' }
  #abandoned = createAbandonment()
  #waiting = 0

  /** @param onUnheard Called with an error if no caller waits for it. */
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
   * Waits for the end of the refresh. When the time of one caller is over, all waiting callers fail, since each of them
   * would wait as long as it did.
   *
   * @param deadline By `performance.now()`.
   * @param toError Creates the error of a caller that stops waiting.
   * @throws The error of the refresh, or of `toError`.
   */
  async wait(deadline: number, toError: (progress: Progress) => Error): Promise<void> {
    const left = deadline - performance.now()
    if (left <= 0) throw toError(this.#progress)
    const timer = setTimeout(() => {
      const { reject } = this.#abandoned
      this.#abandoned = createAbandonment()
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

/** Creates a promise that may be rejected, without an unhandled rejection. */
function createAbandonment(): { readonly promise: Promise<never>; readonly reject: (error: Error) => void } {
  let reject: (error: Error) => void = () => {}
  const promise = new Promise<never>((_resolve, rejectIt) => {
    reject = rejectIt
  })
  promise.catch(() => {})
  return { promise, reject }
}

const sharedRefreshesOf = perOwner((_site: SiteMemory) => new Map<string, SharedRefresh>())

/** Joins the refresh of an account that runs in this process, or starts one. */
export function joinSharedRefresh(memory: SiteMemory, key: string, begin: () => SharedRefresh): SharedRefresh {
  const refreshes = sharedRefreshesOf(memory)
  const known = refreshes.get(key)
  if (known) return known
  const refresh = begin()
  refreshes.set(key, refresh)
  const forget = () => {
    refreshes.delete(key)
  }
  refresh.done.then(forget, forget)
  return refresh
}
