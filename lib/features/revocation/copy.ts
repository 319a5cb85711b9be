/**
 * What this process knows of a store: read when a session is, not more than once in half of `maxStale`, and by one query for all
 * who wait. Nothing runs while no session is read.
 *
 * Nothing is forgotten because the store does not have it any more: a Redis that was started anew without its data would open
 * sessions again that have ended.
 */
import { after } from '../../base/after.js'
import { isRecent } from '../../base/recent.js'
import type { KnownSession } from '../../contracts/index.js'
import { AdapterError } from '../../errors.js'
import type { Awaitable } from '../../types/identity.js'
import type { FoundRevocations, Revocation } from '../../types/store.js'
import { Entries } from './entries.js'
import { type GuardedStore, keysOf } from './store.js'

/** Limits of a copy. */
export interface CopyLimits {
  /** Entries. With more of them the store is asked at each read. */
  readonly capacity: number
  /** Milliseconds after which everything is read once more: it heals what a long transaction committed late. */
  readonly fullEvery: number
}

const usual: CopyLimits = { capacity: 2_000_000, fullEvery: 5 * 60 * 1000 }
/** Milliseconds in which a store that failed is not asked again: with each request it would be. */
const pause = 1000
/** Milliseconds: no read of a page takes longer. */
const longestRead = 60_000
/** Keys in a question. Databases and scripts of Redis take a few thousand, and no more. */
export const mostKeys = 500

/** A process's copy of a store. */
export class RevocationCopy {
  readonly #store: GuardedStore
  readonly #limits: CopyLimits
  readonly #entries = new Entries()
  #cursor: string | null = null
  /** Milliseconds since the epoch: what was written until then is known. */
  #readAt = Number.NEGATIVE_INFINITY
  #fullAt = Number.NEGATIVE_INFINITY
  #poll: Promise<void> | undefined
  #isReadingAll = false
  #failure: { readonly at: number; readonly error: unknown } | undefined
  #isOverflowing = false
  /** Counts reads and writes: clocks cannot tell two of the same millisecond apart. */
  #step = 0
  /** When this process wrote which keys: what was read of them before, or meanwhile, may be older. */
  readonly #written = new Map<string, { readonly at: number; readonly step: number; readonly isReplaced: boolean }>()
  /** Keys of which something was read that may be older than what this process wrote, or newer. They are asked for. */
  readonly #unsure = new Set<string>()

  constructor(store: GuardedStore, limits: CopyLimits = usual) {
    this.#store = store
    this.#limits = limits
  }

  /** Whether the store holds more than fits: it is asked at each read then. */
  get isOverflowing(): boolean {
    return this.#isOverflowing
  }

  get size(): number {
    return this.#entries.size
  }

  /** Whether what was written until so many milliseconds ago is known. A store without a feed is asked with each read. */
  isWithin(milliseconds: number): boolean {
    if (!this.#store.changes || this.#isOverflowing) return true
    const age = Date.now() - this.#readAt
    // A clock that was set back says nothing.
    return age >= 0 && age <= milliseconds
  }

  /** Whether a session has ended, by what is known now. */
  hasEnded(session: KnownSession): boolean {
    return this.#entries.hasEnded(session)
  }

  /** What {@link Entries.endedUntil} says. */
  endedUntil(userId: string): number {
    return this.#entries.endedUntil(userId)
  }

  /** What {@link Entries.isDisabled} says. */
  isDisabled(userId: string): boolean {
    return this.#entries.isDisabled(userId)
  }

  /** Brings up to date what is known of these sessions. At once where that is so already. */
  learn(sessions: readonly KnownSession[], maxStale: number): Awaitable<unknown> {
    const [only] = sessions
    if (!this.#store.changes || this.#isOverflowing)
      return this.ask(only && sessions.length === 1 ? keysOf(only) : sessions.flatMap(keysOf))
    if (!this.isWithin(maxStale)) return this.#refresh()
    // Ahead of time, so that no request waits where there are many.
    if (!this.isWithin(maxStale / 2)) this.#refresh().catch(() => {})
    return undefined
  }

  /** Asks the store for these keys at once. Returns its time, in seconds. */
  ask(keys: readonly string[]): Awaitable<number> {
    if (keys.length > mostKeys) {
      return after(this.#askOnce(keys.slice(0, mostKeys)), () => this.ask(keys.slice(mostKeys)))
    }
    return this.#askOnce(keys)
  }

  #askOnce(keys: readonly string[]): Awaitable<number> {
    const begin = this.#nextStep()
    return after(this.#store.find(keys), ({ revocations, now }: FoundRevocations) => {
      this.#take(revocations, begin)
      return now
    })
  }

  /** Adds to the store. What is added counts here at once, whether the store takes it or not. */
  async add(revocations: readonly Revocation[]): Promise<void> {
    for (const revocation of revocations) this.#entries.add(revocation)
    await this.#write(revocations, false, () => this.#store.add(revocations))
  }

  /**
   * Replaces an entry of the store. What the store says then counts here: another process may have replaced it once more, which a page that
   * is being read may have, and no later one.
   */
  async replace(revocation: Revocation): Promise<void> {
    await this.#write([revocation], true, () => this.#store.replace(revocation))
    this.#unsure.add(revocation.key)
    await this.#askUnsure()
  }

  /** Asks for keys of which nothing certain is known. Where that fails they are asked for with the next changes. */
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
        // Anew at the end: in this order they are forgotten.
        this.#written.delete(key)
        this.#written.set(key, { at: Date.now(), step: this.#nextStep(), isReplaced })
      }
    }
    // Where nothing is polled nothing else would do it.
    if (!this.#store.changes || this.#isOverflowing) this.#forget(Date.now())
    note()
    await write()
    // A read that began before this moment may not have seen it.
    note()
  }

  #nextStep(): number {
    this.#step += 1
    return this.#step
  }

  /** @param begin The step at which the read began. */
  #take(revocations: readonly Revocation[], begin: number): void {
    for (const revocation of revocations) {
      const written = this.#written.get(revocation.key)
      if (written === undefined || written.step < begin) this.#entries.put(revocation)
      // Beside what this process added others may have ended something under the same key.
      else if (!written.isReplaced) this.#entries.add(revocation)
      // The page has it, and no later one will: what another process wrote meanwhile must not be lost.
      else this.#unsure.add(revocation.key)
    }
  }

  #refresh(): Promise<void> {
    if (this.#failure && isRecent(this.#failure.at, pause)) return Promise.reject(this.#failure.error)
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

  /** Nobody waits for it: what has ended lately is known from the changes. What fails is tried again with the next ones. */
  async #readEverything(begin: number): Promise<void> {
    if (this.#isReadingAll) return
    this.#isReadingAll = true
    try {
      await this.#readPages(null)
      this.#fullAt = begin
    } catch {
      // The changes are read all the same, and say so when the store is away.
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
      if (page.cursor === cursor)
        throw new AdapterError('The store of ended sessions returns the same page again and again.')
      cursor = page.cursor
    }
  }
}
