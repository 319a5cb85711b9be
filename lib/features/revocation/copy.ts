/**
 * The copy of a store of ended sessions in this process.
 *
 * It is updated when sessions are read, at most once in half of `maxStale`, by one query for all that wait. There is no
 * timer.
 *
 * Entries are not removed because the store lost them: a Redis that was restarted without its data would reopen ended
 * sessions.
 */
import { mapMaybePromise } from '../../base/maybe-promise.js'
import { isRecent } from '../../base/time.js'
import type { KnownSession } from '../../contracts/index.js'
import { AdapterError } from '../../errors.js'
import type { Awaitable } from '../../types/identity.js'
import type { FoundRevocations, Revocation } from '../../types/store.js'
import { Entries } from './entries.js'
import { type GuardedStore, revocationKeysOf } from './store.js'

/** The limits of a copy. */
export interface CopyLimits {
  /** Entries. If there are more, the store is queried at each read. */
  readonly capacity: number
  /** Milliseconds between complete reads, which find entries that a long transaction committed late. */
  readonly fullEvery: number
}

const defaultCopyLimits: CopyLimits = { capacity: 2_000_000, fullEvery: 5 * 60 * 1000 }
/** Milliseconds after a failure in which the store is not queried again. Otherwise each request would query it. */
const pauseAfterFailure = 1000
/** Milliseconds: the longest read of a page. */
const longestRead = 60_000
/** The most keys of a query. Databases and Redis scripts accept a few thousand. */
export const mostKeys = 500

/** A process's copy of a store. */
export class RevocationCopy {
  readonly #store: GuardedStore
  readonly #limits: CopyLimits
  readonly #entries = new Entries()
  #cursor: string | null = null
  /** Milliseconds since the epoch. Everything that was written before is known. */
  #readAt = Number.NEGATIVE_INFINITY
  #fullAt = Number.NEGATIVE_INFINITY
  #poll: Promise<void> | undefined
  #isReadingAll = false
  #failure: { readonly at: number; readonly error: unknown } | undefined
  #isOverflowing = false
  /** The number of reads and writes, because clocks cannot order two of the same millisecond. */
  #step = 0
  /** The keys that this process wrote, and when. Reads that began before the write may return older entries. */
  readonly #written = new Map<string, { readonly at: number; readonly step: number; readonly isReplaced: boolean }>()
  /** Keys whose read entries may be older or newer than those written by this process. They are queried. */
  readonly #unsure = new Set<string>()

  constructor(store: GuardedStore, limits: CopyLimits = defaultCopyLimits) {
    this.#store = store
    this.#limits = limits
  }

  /** Checks whether the store has more entries than fit. It is queried at each read then. */
  get isOverflowing(): boolean {
    return this.#isOverflowing
  }

  get size(): number {
    return this.#entries.size
  }

  /**
   * Checks whether everything is known that was written until so many milliseconds ago. Always `true` for a store
   * without `changes`, which is queried at each read.
   */
  isWithin(milliseconds: number): boolean {
    if (!this.#store.changes || this.#isOverflowing) return true
    const age = Date.now() - this.#readAt
    // Negative after the clock was set back.
    return age >= 0 && age <= milliseconds
  }

  /** Checks whether a session has ended, by what is known now. */
  hasEnded(session: KnownSession): boolean {
    return this.#entries.hasEnded(session)
  }

  /** Returns {@link Entries.endedUntil}. */
  endedUntil(userId: string): number {
    return this.#entries.endedUntil(userId)
  }

  /** Returns {@link Entries.isDisabled}. */
  isDisabled(userId: string): boolean {
    return this.#entries.isDisabled(userId)
  }

  /** Updates what is known of these sessions. Synchronous if it is recent enough. */
  refreshSessions(sessions: readonly KnownSession[], maxStale: number): Awaitable<unknown> {
    const [only] = sessions
    if (!this.#store.changes || this.#isOverflowing)
      return this.queryKeys(only && sessions.length === 1 ? revocationKeysOf(only) : sessions.flatMap(revocationKeysOf))
    if (!this.isWithin(maxStale)) return this.#refresh()
    // Ahead of time, so that busy sites have no requests that wait.
    if (!this.isWithin(maxStale / 2)) this.#refresh().catch(() => {})
    return undefined
  }

  /** Queries the store for these keys. Returns the time of the store, in seconds. */
  queryKeys(keys: readonly string[]): Awaitable<number> {
    if (keys.length > mostKeys) {
      return mapMaybePromise(this.#askOnce(keys.slice(0, mostKeys)), () => this.queryKeys(keys.slice(mostKeys)))
    }
    return this.#askOnce(keys)
  }

  #askOnce(keys: readonly string[]): Awaitable<number> {
    const begin = this.#nextStep()
    return mapMaybePromise(this.#store.find(keys), ({ revocations, now }: FoundRevocations) => {
      this.#take(revocations, begin)
      return now
    })
  }

  /** Adds entries to the store. They apply in this process at once, even if the store fails. */
  async add(revocations: readonly Revocation[]): Promise<void> {
    for (const revocation of revocations) this.#entries.add(revocation)
    await this.#write(revocations, false, () => this.#store.add(revocations))
  }

  /**
   * Replaces an entry of the store, and queries it again. Another process may have replaced it at the same time, and a
   * page that is being read may contain that entry while no later page does.
   */
  async replace(revocation: Revocation): Promise<void> {
    await this.#write([revocation], true, () => this.#store.replace(revocation))
    this.#unsure.add(revocation.key)
    await this.#askUnsure()
  }

  /** Queries the keys that are uncertain. If that fails, they are queried with the next changes. */
  async #askUnsure(): Promise<void> {
    while (this.#unsure.size > 0) {
      const keys = [...this.#unsure].slice(0, mostKeys)
      for (const key of keys) this.#unsure.delete(key)
      try {
        await this.#askOnce(keys)
      } catch (error) {
        for (const key of keys) this.#unsure.add(key)
        throw error
      }
    }
  }

  async #write(
    revocations: readonly Revocation[],
    isReplaced: boolean,
    write: () => Awaitable<unknown>,
  ): Promise<void> {
    const note = () => {
      for (const { key } of revocations) {
        // At the end again: they are forgotten in this order.
        this.#written.delete(key)
        this.#written.set(key, { at: Date.now(), step: this.#nextStep(), isReplaced })
      }
    }
    // Without polling there is no other call of it.
    if (!this.#store.changes || this.#isOverflowing) this.#forget(Date.now())
    note()
    await write()
    // A read that began earlier may not contain it.
    note()
  }

  #nextStep(): number {
    this.#step += 1
    return this.#step
  }

  /** Takes over entries that were read. @param begin The step at which the read began. */
  #take(revocations: readonly Revocation[], begin: number): void {
    for (const revocation of revocations) {
      const written = this.#written.get(revocation.key)
      if (written === undefined || written.step < begin) this.#entries.put(revocation)
      // Other processes may have added to the same key.
      else if (!written.isReplaced) this.#entries.add(revocation)
      // This page contains the key, and no later one will. An entry that another process wrote in the meantime must not
      // be lost.
      else this.#unsure.add(revocation.key)
    }
  }

  #refresh(): Promise<void> {
    if (this.#failure && isRecent(this.#failure.at, pauseAfterFailure)) return Promise.reject(this.#failure.error)
    this.#poll ??= this.#readChanges().finally(() => {
      this.#poll = undefined
    })
    return this.#poll
  }

  async #readChanges(): Promise<void> {
    const begin = Date.now()
    const isFirst = this.#cursor === null
    try {
      this.#cursor = await this.#readPages(this.#cursor)
      await this.#askUnsure()
    } catch (error) {
      this.#failure = { at: Date.now(), error }
      throw error
    }
    this.#failure = undefined
    this.#readAt = begin
    if (isFirst) this.#fullAt = begin
    this.#forget(begin)
    if (begin - this.#fullAt >= this.#limits.fullEvery) void this.#readEverything(begin)
  }

  #forget(now: number): void {
    this.#entries.sweep()
    for (const [key, { at }] of this.#written) {
      if (at > now - longestRead) break
      this.#written.delete(key)
    }
  }

  /**
   * Reads the whole store in the background. Recent entries are known from the changes. After an error it is tried
   * again with the next changes.
   */
  async #readEverything(begin: number): Promise<void> {
    if (this.#isReadingAll) return
    this.#isReadingAll = true
    try {
      await this.#readPages(null)
      this.#fullAt = begin
    } catch {
      // The changes are read independently, and report a store that fails.
    } finally {
      this.#isReadingAll = false
    }
  }

  async #readPages(from: string | null): Promise<string | null> {
    let cursor = from
    for (;;) {
      const begin = this.#nextStep()
      const page = await this.#store.changes?.(cursor)
      if (!page) return cursor
      this.#take(page.revocations, begin)
      if (this.#entries.size > this.#limits.capacity) {
        this.#isOverflowing = true
        this.#entries.clear()
        return page.cursor
      }
      if (page.isLast) return page.cursor
      if (page.cursor === cursor) throw new AdapterError('The store of ended sessions returned the same page twice.')
      cursor = page.cursor
    }
  }
}
