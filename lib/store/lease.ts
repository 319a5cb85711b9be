/**
 * The lease of a record: taken before work that only one process may do, extended while its holder lives, and released.
 * A killed holder blocks others for {@link leaseSeconds}, however long the work may take.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { randomText } from '../crypto/random.js'
import type { RecordLease } from '../types/store.js'

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
const leaseSeconds = 8

/** Milliseconds between two extensions. */
const extendEvery = 2000

/** Milliseconds that must be left of a lease before a request is sent under it. */
const margin = 2000

/**
 * Takes the lease of a record.
 *
 * @param isInUse Checks whether a newer version of the record still needs the lease, such as one with the same refresh
 *   token.
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
class Lease<R extends Leased> {
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
    // Another call has written the record, such as a sign-in that kept the refresh token that is being used.
    if (await this.#isInUse(now)) {
      this.#version = now.version
      await this.#ask(now.version)
    } else this.#ended.abort()
  }
}

export type { Lease }
