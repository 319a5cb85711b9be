/** The developer's store of ended sessions behind its guard, and the keys under which an end is noted. */
import { isRecord } from '../../base/guards.js'
import { BoundedMap } from '../../base/memory.js'
import type { KnownSession, UsedTokens } from '../../contracts/index.js'
import { shortHash } from '../../crypto/hash.js'
import { guardedCalls, nothing } from '../../store/guard.js'
import type { FoundRevocations, ListedSession, LogStore, Revocation, RevocationPage } from '../../types/store.js'

/** A store whose methods answer in time, or reject with {@link AdapterError}. What it returns is what the types say. */
export type GuardedStore = LogStore

/** @param timeout Milliseconds that a method may take. */
export function guardStore(store: LogStore, timeout: number): GuardedStore {
  const call = guardedCalls<LogStore>(store, { keeps: 'ended sessions', timeout })
  return {
    add: (revocations) => call('add', [revocations], nothing),
    replace: (revocation) => call('replace', [revocation], nothing),
    find: (keys) => call('find', [keys], toFound),
    ...(store.list && { list: (session: ListedSession) => call('list', [session], nothing) }),
    ...(store.listed && { listed: (userKey: string) => call('listed', [userKey], toListed) }),
    ...(store.unlist && {
      unlist: (userKey: string, sids: readonly string[]) => call('unlist', [userKey, sids], nothing),
    }),
    ...(store.changes && { changes: (cursor: string | null) => call('changes', [cursor], toPage) }),
  }
}

/** Something else in the place of a list must not pass for an empty one: what had ended would be open again. */
function toFound(value: unknown): FoundRevocations {
  if (isRecord(value) && Number.isFinite(value.now) && areRevocations(value.revocations)) {
    return { revocations: value.revocations, now: Number(value.now) }
  }
  throw new TypeError('It returned no entries with the time of the store.')
}

function toPage(value: unknown): RevocationPage {
  if (isRecord(value) && typeof value.cursor === 'string' && areRevocations(value.revocations)) {
    return { revocations: value.revocations, cursor: value.cursor, isLast: value.isLast !== false }
  }
  throw new TypeError('It returned no page of entries.')
}

function toListed(value: unknown): readonly ListedSession[] {
  if (Array.isArray(value) && value.every(isListed)) return value
  throw new TypeError('It returned no list of sessions.')
}

function isListed(value: unknown): value is ListedSession {
  if (!isRecord(value)) return false
  const { sid, begunAt, usedAt, until } = value
  return typeof sid === 'string' && [begunAt, usedAt, until].every((time) => Number.isFinite(time))
}

function areRevocations(value: unknown): value is readonly Revocation[] {
  return Array.isArray(value) && value.every(isRevocation)
}

function isRevocation(value: unknown): value is Revocation {
  if (!isRecord(value)) return false
  const { key, exceptSid, notBefore, until } = value
  return (
    typeof key === 'string' && typeof exceptSid === 'string' && Number.isFinite(notBefore) && Number.isFinite(until)
  )
}

/* ---- keys -------------------------------------------------------------------------------------------------------- */

// What the keys of revocations mean. A session is named by its `sid`, a user by a hash of their id.

/** In the place of a time: whenever the sessions began, and whenever they will begin. The last second of the year 9999. */
export const always = 253_402_300_799

/** The keys of a user. */
export interface UserKeys {
  /** When all their sessions ended. */
  readonly ended: string
  /** Whether they are disabled. Apart from the other, which says as before what has ended when they are let in again. */
  readonly disabled: string
  /** The security stamp changes by these entries, and no session of a token ends by them. */
  readonly stamp: string
}

/** Hashing takes longer than a read of a session may: of users who were here lately it is remembered. */
const known = new BoundedMap<string, UserKeys>(10_000)

/** The keys of a user. Ids may be addresses, and of any length. */
export function userKeys(userId: string): UserKeys {
  const found = known.get(userId)
  if (found !== undefined) return found
  // 128 bits.
  const hash = shortHash(`revoked user ${userId}`).slice(0, 22)
  const keys = { ended: `u.${hash}`, disabled: `d.${hash}`, stamp: `s.${hash}` }
  known.set(userId, keys)
  return keys
}

/**
 * A person at a provider, in the place of a user: all sessions that they began with it; and those whose sign-in did not say by
 * which session there it was.
 */
export function personAt(subject: string, isNameless = false): string {
  return `${isNameless ? 'nameless ' : ''}person at a provider ${subject}`
}

/** Under which the name of a session at a provider is noted, which frames may end. */
export function frameKey(session: string): string {
  return `f.${session}`
}

/** The keys under which a session may have ended. */
export function keysOf({ sid, formerSid, userId, provider }: KnownSession): string[] {
  const keys = sid === undefined ? [] : [sid]
  if (formerSid !== undefined) keys.push(formerSid)
  if (userId !== undefined) {
    const { ended, disabled } = userKeys(userId)
    keys.push(ended, disabled)
  }
  if (provider) {
    keys.push(userKeys(personAt(provider.subject)).ended)
    keys.push(provider.session ?? userKeys(personAt(provider.subject, true)).ended)
  }
  return keys
}

/* ---- used tokens ------------------------------------------------------------------------------------------------- */

// Tokens that do their work once, where the ends of sessions are noted: each process knows then which were used.

/**
 * Makes use of a store.
 *
 * @param timeout Milliseconds that a method may take.
 */
export function createUsedTokens(store: LogStore, timeout: number): UsedTokens {
  const guarded = guardStore(store, timeout)
  return Object.freeze<UsedTokens>({
    async has(name) {
      return (await guarded.find([keyOf(name)])).revocations.length > 0
    },
    async add(name, seconds) {
      // No session is meant: none began by then.
      const entry = { key: keyOf(name), exceptSid: '', notBefore: 0, until: Math.ceil(Date.now() / 1000) + seconds }
      await guarded.add([entry])
    },
  })
}

/** No session and no user has such a key. */
function keyOf(name: string): string {
  return `t.${shortHash(name)}`
}
