/**
 * The watched sessions of one configuration and interval, in the order in which they are due.
 *
 * Sessions are checked in batches. A batch begins when a session is due, or when enough time has passed for its share of all
 * sessions, so that the batches of many sessions are spread over the interval. A batch is filled with those that are due next, so
 * that few sessions soon have one batch. A new session is checked at the next tick, because it may have been read a while ago.
 */
import { perOwner } from '../../base/memory.js'
import type { ResolvedConfig, WatchedSession } from '../../contracts/index.js'
import { toError } from '../../errors.js'
import { followRenewals, noteRenewal } from '../../session/renewals.js'
import { type Ends, findEnds, knownEnds, mostSessions } from './ends.js'
import { lookUpMembers, type RequiredMember } from './members.js'
import { type Timed, ticks } from './timer.js'
import type { WatchEndReason } from './types.js'

/** A watch of a session. */
export interface Watch {
  /** Called once. Never throws. */
  onEnd(reason: WatchEndReason, error?: Error): void
  /** `true` if it ends when it cannot be checked. */
  readonly endsInOutage: boolean
  /** The membership that must continue. */
  readonly member?: RequiredMember | undefined
}

/** A session, with all of its watches. */
interface Entry {
  readonly session: WatchedSession
  readonly watches: Set<Watch>
  /** Milliseconds since the epoch. */
  checkedAt: number
  unfollow(): void
}

/** A watch of a member. */
interface MemberWatch {
  readonly entry: Entry
  readonly watch: Watch
  readonly member: RequiredMember
}

/** Milliseconds between two lines of the log about one outage. */
const logEvery = 60_000
/** Milliseconds by which a session is due early, so that the check is in time. */
const early = 1000

class WatchQueue implements Timed {
  readonly #config: ResolvedConfig
  /** Milliseconds. */
  readonly #every: number
  /** New sessions, and the others in the order of their checks. */
  readonly #fresh = new Map<string, Entry>()
  readonly #checked = new Map<string, Entry>()
  /** The number of sessions whose share of the interval has passed. */
  #share = 0
  #tickedAt = 0
  #isRunning = false
  /** The memberships that are due. They are looked up apart from the sessions, whose ends must not wait for the application's function. */
  readonly #due = new Map<Watch, MemberWatch>()
  #isLookingUp = false
  #loggedAt = Number.NEGATIVE_INFINITY

  constructor(config: ResolvedConfig, every: number) {
    this.#config = config
    this.#every = Math.max(every * 1000 - early, early / 2)
  }

  /** Adds a watch. Returns the function that removes it. */
  add(session: WatchedSession, watch: Watch): () => void {
    const { name } = session
    const entry = this.#fresh.get(name) ?? this.#checked.get(name) ?? this.#create(session)
    entry.watches.add(watch)
    // Another process may have renewed the token since an earlier watch.
    noteRenewal(this.#config, name, session.expires)
    // Also a known session: it may have ended since the request was read.
    this.#checked.delete(name)
    this.#fresh.set(name, entry)
    return () => this.#remove(entry, watch)
  }

  tick(): void {
    const now = Date.now()
    const passed = Math.min(Math.max(now - this.#tickedAt, 0), this.#every)
    this.#tickedAt = now
    this.#share = Math.min(this.#share + (this.#checked.size * passed) / this.#every, this.#checked.size)
    // A slow database gets no second query at the same time.
    if (this.#isRunning) return
    this.#isRunning = true
    void this.#run().finally(() => {
      this.#isRunning = false
    })
  }

  #create(session: WatchedSession): Entry {
    if (this.#fresh.size + this.#checked.size === 0) {
      this.#tickedAt = Date.now()
      ticks.start(this)
    }
    return { session, watches: new Set(), checkedAt: 0, unfollow: followRenewals(this.#config, session) }
  }

  /** Removes a watch. Returns `false` if it was removed before. */
  #remove(entry: Entry, watch: Watch): boolean {
    if (!entry.watches.delete(watch)) return false
    this.#due.delete(watch)
    if (entry.watches.size > 0) return true
    const { name } = entry.session
    this.#fresh.delete(name)
    this.#checked.delete(name)
    entry.unfollow()
    if (this.#fresh.size + this.#checked.size === 0) ticks.stop(this)
    return true
  }

  async #run(): Promise<void> {
    for (;;) {
      const batch = this.#nextBatch()
      if (batch.length === 0) return
      try {
        await this.#check(batch)
      } catch (thrown) {
        this.#endAll(batch, knownEnds(this.#config, batch.map(sessionOf)))
        this.#fail(
          batch.flatMap((entry) => [...entry.watches].map((watch) => ({ entry, watch }))),
          toError(thrown),
        )
        // The next batch would wait for the same outage.
        return
      }
    }
  }

  #nextBatch(): readonly Entry[] {
    const now = Date.now()
    const [oldest] = this.#checked.values()
    const age = oldest ? now - oldest.checkedAt : 0
    // A negative age: the clock was set back.
    const isDue = age < 0 || age >= this.#every || this.#share >= mostSessions
    const size = isDue ? mostSessions : Math.min(this.#fresh.size, mostSessions)
    const batch = [...take(this.#fresh, size)]
    batch.push(...take(this.#checked, size - batch.length))
    this.#share = Math.max(0, this.#share - batch.length)
    for (const entry of batch) {
      entry.checkedAt = now
      this.#fresh.delete(entry.session.name)
      // At the end of the order.
      this.#checked.delete(entry.session.name)
      this.#checked.set(entry.session.name, entry)
    }
    return batch
  }

  async #check(batch: readonly Entry[]): Promise<void> {
    this.#endAll(batch, await findEnds(this.#config, batch.map(sessionOf)))
    for (const entry of batch)
      for (const watch of entry.watches) if (watch.member) this.#due.set(watch, { entry, watch, member: watch.member })
    void this.#lookUpDue()
  }

  /** Looks up the memberships that are due. Only one call does it at a time. */
  async #lookUpDue(): Promise<void> {
    const { organizations } = this.#config
    if (!organizations || this.#isLookingUp) return
    this.#isLookingUp = true
    try {
      while (this.#due.size > 0) {
        const due = [...this.#due.values()]
        this.#due.clear()
        const members = due.map(({ member }) => member)
        const isMember = await lookUpMembers(organizations, members)
        for (const { entry, watch, member } of due) {
          const looked = isMember(member)
          if (looked === false) this.#end(entry, watch, 'left-organization')
          else if (looked !== true) this.#fail([{ entry, watch }], looked)
        }
      }
    } finally {
      this.#isLookingUp = false
    }
  }

  /** Ends all watches of the sessions that are over. */
  #endAll(batch: readonly Entry[], ends: Ends): void {
    for (const entry of batch) {
      const reason = ends.get(entry.session.name)
      if (reason) for (const watch of [...entry.watches]) this.#end(entry, watch, reason)
    }
  }

  /** Logs an outage, and ends the watches that must not outlast it. The others are tried again when they are due. */
  #fail(watches: ReadonlyArray<{ readonly entry: Entry; readonly watch: Watch }>, error: Error): void {
    if (Math.abs(Date.now() - this.#loggedAt) >= logEvery) {
      this.#loggedAt = Date.now()
      this.#config.logger.error(error)
    }
    for (const { entry, watch } of watches) if (watch.endsInOutage) this.#end(entry, watch, 'outage', error)
  }

  #end(entry: Entry, watch: Watch, reason: WatchEndReason, error?: Error): void {
    if (this.#remove(entry, watch)) watch.onEnd(reason, error)
  }
}

const sessionOf = ({ session }: Entry): WatchedSession => session

function* take(entries: ReadonlyMap<string, Entry>, count: number): Generator<Entry> {
  let left = count
  for (const entry of entries.values()) {
    if (left <= 0) return
    left -= 1
    yield entry
  }
}

const queuesOf = perOwner((_config: ResolvedConfig) => new Map<number, WatchQueue>())

/** Watches a session. @param every Seconds. Returns the function that stops it. */
export function addWatch(config: ResolvedConfig, session: WatchedSession, watch: Watch, every: number): () => void {
  const queues = queuesOf(config)
  const queue = queues.get(every) ?? new WatchQueue(config, every)
  queues.set(every, queue)
  return queue.add(session, watch)
}
