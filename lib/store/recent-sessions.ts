/**
 * Sessions that were read a moment ago (`session.cacheFor`), with their users: of the whole process, because every configuration
 * that writes to a database changes what the others have read of it. Found by the hash of a token, and only for the adapter that
 * read it.
 *
 * Who writes forgets before the write and after it. A read that began before the write has ended does not get in afterwards: it
 * may have seen what was there before.
 */

import { isPromiseLike } from '../base/after.js'
import { OldestFirstMap } from '../base/memory.js'
import type { StoredSession } from '../contracts/index.js'
import type { AdapterMethod } from '../types/adapter.js'

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

/* ---- changes ----------------------------------------------------------------------------------------------------- */

// What the methods of adapters change of sessions and their users, for what remembers these.

/** What a call changes; `undefined` for one that changes neither sessions nor users that are there. */
export function changeOf(method: AdapterMethod, [first]: readonly unknown[]): Change | undefined {
  const field = (name: string) => (isObject(first) ? textOf(Reflect.get(first, name)) : undefined)
  switch (method) {
    case 'createSession':
    case 'updateSession':
    case 'writeSessionData':
      return { sessionToken: field('sessionToken') }
    case 'deleteSession':
      return { sessionToken: textOf(first) }
    case 'updateUser':
      return { userId: field('id') }
    case 'linkAccount':
      return { userId: field('userId') }
    case 'deleteUser':
    case 'deleteSessionsByUserId':
      return { userId: textOf(first) }
    // It names no user.
    case 'unlinkAccount':
      return {}
    default:
      return undefined
  }
}

/**
 * Runs a write between two times of forgetting. The second comes when the work itself has ended, also where nobody waits for it
 * any more: what is read in between may be what was there before.
 */
export function forgetAround(forget: () => void, write: () => unknown): unknown {
  forget()
  let work: unknown
  try {
    work = write()
  } catch (error) {
    forget()
    throw error
  }
  if (isPromiseLike(work)) {
    // One promise for all who wait: what some libraries return runs once more whenever somebody asks it.
    const promise = Promise.resolve(work)
    promise.then(forget, forget)
    return promise
  }
  forget()
  return work
}

/** Forgets, and says afterwards what was forgotten: what a transaction changes, others see at its end. */
export class ChangeRecord implements Forgetter {
  readonly #forgetter: Forgetter
  readonly #changes: Change[] = []

  constructor(forgetter: Forgetter) {
    this.#forgetter = forgetter
  }

  forget(change: Change): void {
    this.#changes.push(change)
    this.#forgetter.forget(change)
  }

  forgetAgain(): void {
    for (const change of this.#changes) this.#forgetter.forget(change)
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** What is no text is not known. */
function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/* ---- copies ------------------------------------------------------------------------------------------------------ */

// Records, copied: who gets one may change it.

/**
 * Bytes that a value takes, about; `NaN` where it cannot be copied faithfully: functions, and objects of a class, whose copy would
 * be another kind of object than what the adapter returned.
 */
export function sizeOf(value: unknown, depth = 0): number {
  switch (typeof value) {
    case 'string':
      return 16 + 2 * value.length
    case 'function':
    case 'symbol':
      return Number.NaN
    case 'object':
      break
    default:
      return 8
  }
  if (value === null) return 8
  if (value instanceof Date) return 32
  // A record that holds itself would have no end.
  if (depth > deepest || !isPlain(value)) return Number.NaN
  let size = 32
  for (const [key, inner] of Object.entries(value)) size += key.length + 8 + sizeOf(inner, depth + 1)
  return size
}

const deepest = 8

/** A copy of what {@link sizeOf} gives a number for. */
export function copyOf<T>(value: T): T
export function copyOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Date) return new Date(value.getTime())
  if (Array.isArray(value)) return value.map((inner: unknown) => copyOf(inner))
  const copy: Record<string, unknown> = { ...value }
  for (const key in copy) {
    const inner = copy[key]
    if (typeof inner === 'object' && inner !== null) copy[key] = copyOf(inner)
  }
  return copy
}

function isPlain(value: object): boolean {
  if (Array.isArray(value)) return true
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
