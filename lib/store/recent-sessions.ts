/**
 * Sessions that were read a moment ago (`session.cacheFor`), with their users: of the whole process, because every configuration
 * that writes to a database changes what the others have read of it. Found by the hash of a token, and only for the adapter that
 * read it.
 *
 * Who writes forgets before the write and after it. A read that began before the write has ended does not get in afterwards: it
 * may have seen what was there before.
 */
import { OldestFirstMap } from '../base/memory.js'
import type { StoredSession } from '../contracts/index.js'
import { copyOf, sizeOf } from './copies.js'

/** What a write changes: a session, the sessions of a user, or what is not known. */
export interface Change {
  readonly sessionToken?: string | undefined
  readonly userId?: string | undefined
}

/** Where writers say what they change. */
export interface Forgetter {
  forget(change: Change): void
}

/** A read that began: whether its outcome may be remembered is seen when it ends. */
export interface BegunRead {
  readonly adapter: object
  readonly sessionToken: string
  /** Milliseconds. */
  readonly lifetime: number
  readonly at: number
  readonly generation: number
}

export class RecentSessions implements Forgetter {
  readonly #entries = new OldestFirstMap<string, Entry>()
  readonly #limits: Limits
  #bytes = 0
  /** How many writes there were. */
  #generation = 0

  constructor(limits: Limits = { entries: 10_000, bytes: 8 * 1024 * 1024 }) {
    this.#limits = limits
  }

  /** Bytes that are kept, about. */
  get bytes(): number {
    return this.#bytes
  }

  /** A copy of one's own; `undefined` where nothing is remembered, or it was too long ago. */
  get(adapter: object, sessionToken: string): StoredSession | undefined {
    const entry = this.#entries.get(sessionToken)
    if (entry?.adapter !== adapter) return undefined
    if (isValid(entry)) return copyOf(entry.found)
    this.#drop(sessionToken, entry)
    return undefined
  }

  /** Notes that a read begins. @param lifetime Milliseconds from now for which it may be remembered. */
  begin(adapter: object, sessionToken: string, lifetime: number): BegunRead {
    return { adapter, sessionToken, lifetime, at: Date.now(), generation: this.#generation }
  }

  /** Remembers what was read, unless somebody wrote meanwhile, or it cannot be copied, or it is too large to be worth it. */
  add({ adapter, sessionToken, lifetime, at, generation }: BegunRead, found: StoredSession): void {
    const { session } = found
    if (generation !== this.#generation || session.sessionToken !== sessionToken) return
    const size = sizeOf(found) + sessionToken.length + entryBytes
    if (!(size <= this.#limits.bytes / 16)) return
    const until = Math.min(at + lifetime, session.expires.getTime())
    const known = this.#entries.get(sessionToken)
    if (known) this.#drop(sessionToken, known)
    this.#entries.set(sessionToken, { adapter, found: copyOf(found), at, until, size })
    this.#bytes += size
    this.#makeRoom()
  }

  forget({ sessionToken, userId }: Change): void {
    this.#generation += 1
    for (const [token, entry] of sessionToken === undefined ? this.#entries : this.#entryOf(sessionToken)) {
      if (userId === undefined || entry.found.user.id === userId) this.#drop(token, entry)
    }
  }

  #entryOf(sessionToken: string): Iterable<[string, Entry]> {
    const entry = this.#entries.get(sessionToken)
    return entry ? [[sessionToken, entry]] : []
  }

  /** The oldest go: those that have ended, and as many more as are too many. */
  #makeRoom(): void {
    for (let oldest = this.#entries.oldest(); oldest !== undefined; oldest = this.#entries.oldest()) {
      const entry = this.#entries.get(oldest.key)
      const isFull = this.#bytes > this.#limits.bytes || this.#entries.size > this.#limits.entries
      if (!entry || (!isFull && isValid(entry))) break
      this.#drop(oldest.key, entry)
    }
  }

  #drop(sessionToken: string, { size }: Entry): void {
    if (this.#entries.delete(sessionToken)) this.#bytes -= size
  }
}

/** A clock that was set back makes nothing live longer. */
function isValid({ at, until }: Entry): boolean {
  const now = Date.now()
  return at <= now && now < until
}

interface Limits {
  readonly entries: number
  readonly bytes: number
}

interface Entry {
  readonly adapter: object
  readonly found: StoredSession
  /** When the read began; both in milliseconds since the epoch. */
  readonly at: number
  readonly until: number
  readonly size: number
}

/** What an entry takes beside its values. */
const entryBytes = 300

/** What this process has read lately. */
export const recentSessions = new RecentSessions()
