/**
 * A cache of sessions and their users (`session.cacheFor`). The whole process shares it, because every configuration
 * that writes to a database changes what the others have read. Entries are found by the token's hash, and only for the
 * adapter that read them.
 *
 * A writer invalidates before and after the write. A read that began before the write ended is not cached, because it
 * may have seen the old record.
 */

import { isPromiseLike } from '../base/maybe-promise.js'
import { OldestFirstMap } from '../base/memory.js'
import type { StoredSession } from '../contracts/index.js'
import type { AdapterMethod } from '../types/adapter.js'

/** The scope of a write: a session, the sessions of a user, or unknown. */
export interface SessionChange {
  readonly sessionToken?: string | undefined
  readonly userId?: string | undefined
}

/** Receives the changes of writers. */
export interface SessionInvalidator {
  invalidate(change: SessionChange): void
}

/** A read in progress. At its end the cache decides whether the result may be cached. */
export interface StartedRead {
  readonly adapter: object
  readonly sessionToken: string
  /** The lifetime in milliseconds. */
  readonly lifetime: number
  readonly at: number
  readonly generation: number
}

export class SessionCache implements SessionInvalidator {
  readonly #entries = new OldestFirstMap<string, CacheEntry>()
  readonly #limits: CacheLimits
  #bytes = 0
  /** The number of writes so far. */
  #generation = 0

  constructor(limits: CacheLimits = { entries: 10_000, bytes: 8 * 1024 * 1024 }) {
    this.#limits = limits
  }

  /** The approximate size in bytes. */
  get bytes(): number {
    return this.#bytes
  }

  /** Returns a copy of the cached session; `undefined` when there is none, or it is too old. */
  get(adapter: object, sessionToken: string): StoredSession | undefined {
    const entry = this.#entries.get(sessionToken)
    if (entry?.adapter !== adapter) return undefined
    if (isFreshEntry(entry)) return deepCopy(entry.found)
    this.#drop(sessionToken, entry)
    return undefined
  }

  /**
   * Records that a read begins.
   *
   * @param lifetime The milliseconds from now for which the result may be cached.
   */
  startRead(adapter: object, sessionToken: string, lifetime: number): StartedRead {
    return { adapter, sessionToken, lifetime, at: Date.now(), generation: this.#generation }
  }

  /** Caches a result, unless there was a write meanwhile, or it cannot be copied, or it is too large. */
  add({ adapter, sessionToken, lifetime, at, generation }: StartedRead, found: StoredSession): void {
    const { session } = found
    if (generation !== this.#generation || session.sessionToken !== sessionToken) return
    const size = approximateSize(found) + sessionToken.length + entryBytes
    if (!(size <= this.#limits.bytes / 16)) return
    const until = Math.min(at + lifetime, session.expires.getTime())
    const known = this.#entries.get(sessionToken)
    if (known) this.#drop(sessionToken, known)
    this.#entries.set(sessionToken, { adapter, found: deepCopy(found), at, until, size })
    this.#bytes += size
    this.#makeRoom()
  }

  invalidate({ sessionToken, userId }: SessionChange): void {
    this.#generation += 1
    for (const [token, entry] of sessionToken === undefined ? this.#entries : this.#entryOf(sessionToken)) {
      if (userId === undefined || entry.found.user.id === userId) this.#drop(token, entry)
    }
  }

  #entryOf(sessionToken: string): Iterable<[string, CacheEntry]> {
    const entry = this.#entries.get(sessionToken)
    return entry ? [[sessionToken, entry]] : []
  }

  /** Removes the oldest entries: expired ones, and as many more as exceed the limits. */
  #makeRoom(): void {
    for (let oldest = this.#entries.oldest(); oldest !== undefined; oldest = this.#entries.oldest()) {
      const entry = this.#entries.get(oldest.key)
      const isFull = this.#bytes > this.#limits.bytes || this.#entries.size > this.#limits.entries
      if (!entry || (!isFull && isFreshEntry(entry))) break
      this.#drop(oldest.key, entry)
    }
  }

  #drop(sessionToken: string, { size }: CacheEntry): void {
    if (this.#entries.delete(sessionToken)) this.#bytes -= size
  }
}

/** Checks whether an entry is valid. A clock that was set back does not extend it. */
function isFreshEntry({ at, until }: CacheEntry): boolean {
  const now = Date.now()
  return at <= now && now < until
}

interface CacheLimits {
  readonly entries: number
  readonly bytes: number
}

interface CacheEntry {
  readonly adapter: object
  readonly found: StoredSession
  /** The start of the read. Both times are in milliseconds since the epoch. */
  readonly at: number
  readonly until: number
  readonly size: number
}

/** The size of an entry in addition to its values. */
const entryBytes = 300

/** The session cache of this process. */
export const sessionCache = new SessionCache()

/* ---- changes ----------------------------------------------------------------------------------------------------- */

// The changes that adapter methods make to sessions and their users.

/** Returns the change of a call; `undefined` when it changes no stored session or user. */
export function sessionChangeOf(method: AdapterMethod, [first]: readonly unknown[]): SessionChange | undefined {
  const field = (name: string) => (isObject(first) ? textOrUndefined(Reflect.get(first, name)) : undefined)
  switch (method) {
    case 'createSession':
    case 'updateSession':
    case 'writeSessionData':
      return { sessionToken: field('sessionToken') }
    case 'deleteSession':
      return { sessionToken: textOrUndefined(first) }
    case 'updateUser':
      return { userId: field('id') }
    case 'linkAccount':
      return { userId: field('userId') }
    case 'deleteUser':
    case 'deleteSessionsByUserId':
      return { userId: textOrUndefined(first) }
    // The arguments do not contain the user.
    case 'unlinkAccount':
      return {}
    default:
      return undefined
  }
}

/**
 * Runs a write, and invalidates before and after it. The second time is when the write itself ends, even after a
 * timeout: a read in between may have seen the old record.
 */
export function invalidateAround(invalidate: () => void, write: () => unknown): unknown {
  invalidate()
  let work: unknown
  try {
    work = write()
  } catch (error) {
    invalidate()
    throw error
  }
  if (isPromiseLike(work)) {
    // One promise for all callers: the thenables of some libraries run the query again on each `then`.
    const promise = Promise.resolve(work)
    promise.then(invalidate, invalidate)
    return promise
  }
  invalidate()
  return work
}

/**
 * Forwards changes and records them. Other readers see the changes of a transaction only at its end, so they are
 * invalidated again then.
 */
export class RecordedInvalidator implements SessionInvalidator {
  readonly #invalidator: SessionInvalidator
  readonly #changes: SessionChange[] = []

  constructor(invalidator: SessionInvalidator) {
    this.#invalidator = invalidator
  }

  invalidate(change: SessionChange): void {
    this.#changes.push(change)
    this.#invalidator.invalidate(change)
  }

  invalidateAgain(): void {
    for (const change of this.#changes) this.#invalidator.invalidate(change)
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** Returns `undefined` for values that are not text. */
function textOrUndefined(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/* ---- copies ------------------------------------------------------------------------------------------------------ */

// Copies of records, because callers may change them.

/**
 * Returns the approximate size of a value in bytes, or `NaN` when it cannot be copied faithfully: functions, and
 * instances of classes.
 */
export function approximateSize(value: unknown, depth = 0): number {
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
  // A record that contains itself would recurse without end.
  if (depth > maxCopyDepth || !isPlainValue(value)) return Number.NaN
  let size = 32
  for (const [key, inner] of Object.entries(value)) size += key.length + 8 + approximateSize(inner, depth + 1)
  return size
}

const maxCopyDepth = 8

/** Copies a value for which {@link approximateSize} returns a number. */
export function deepCopy<T>(value: T): T
export function deepCopy(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Date) return new Date(value.getTime())
  if (Array.isArray(value)) return value.map((inner: unknown) => deepCopy(inner))
  const copy: Record<string, unknown> = { ...value }
  for (const key in copy) {
    const inner = copy[key]
    if (typeof inner === 'object' && inner !== null) copy[key] = deepCopy(inner)
  }
  return copy
}

function isPlainValue(value: object): boolean {
  if (Array.isArray(value)) return true
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
