/** The guard of the developer's store of ended sessions, and the keys of its entries. */
import { isRecord } from '../../base/guards.js'
import { BoundedMap } from '../../base/memory.js'
import type { KnownSession, UsedTokens } from '../../contracts/index.js'
import { shortHash } from '../../crypto/hash.js'
import { guardedCalls, ignoreResult } from '../../store/guard.js'
import type { FoundRevocations, ListedSession, LogStore, Revocation, RevocationPage } from '../../types/store.js'

/** A store whose methods answer in time, or reject with {@link AdapterError}. Its return values are validated. */
export type GuardedStore = LogStore

/** Guards a store. @param timeout Milliseconds that a method may take. */
export function guardRevocationStore(store: LogStore, timeout: number): GuardedStore {
  const call = guardedCalls<LogStore>(store, { keeps: 'ended sessions', timeout })
  return {
    add: (revocations) => call('add', [revocations], ignoreResult),
    replace: (revocation) => call('replace', [revocation], ignoreResult),
    find: (keys) => call('find', [keys], toFoundRevocations),
    ...(store.list && { list: (session: ListedSession) => call('list', [session], ignoreResult) }),
    ...(store.listed && { listed: (userKey: string) => call('listed', [userKey], toListed) }),
    ...(store.unlist && {
      unlist: (userKey: string, sids: readonly string[]) => call('unlist', [userKey, sids], ignoreResult),
    }),
    ...(store.changes && { changes: (cursor: string | null) => call('changes', [cursor], toPage) }),
  }
}

/** Validates entries. An invalid value must not be treated as an empty list, which would reopen ended sessions. */
function toFoundRevocations(value: unknown): FoundRevocations {
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

/* Keys. */

// The meaning of keys: a session is named by its `sid`, a user by a hash of their id.

/** A time that means all sessions, past and future: the last second of the year 9999. */
export const endOfTime = 253_402_300_799

/** The keys of a user. */
export interface UserKeys {
  /** The time at which all sessions of the user ended. */
  readonly ended: string
  /** The state of a disabled user. Separate from `ended`, which still applies after the user is enabled again. */
  readonly disabled: string
  /** The entries that change the security stamp, without ending JWT sessions. */
  readonly stamp: string
}

/** The keys of recent users, because hashing takes longer than a read of a session may. */
const knownUserKeys = new BoundedMap<string, UserKeys>(10_000)

/** Returns the keys of a user. Ids may be email addresses, and of any length. */
export function userKeys(userId: string): UserKeys {
  const found = knownUserKeys.get(userId)
  if (found !== undefined) return found
  // 128 bits.
  const hash = shortHash(`revoked user ${userId}`).slice(0, 22)
  const keys = { ended: `u.${hash}`, disabled: `d.${hash}`, stamp: `s.${hash}` }
  knownUserKeys.set(userId, keys)
  return keys
}

/**
 * Returns the name of a user at a provider, used like a user id: for all sessions, or for those without a session name
 * at the provider.
 */
export function providerUserName(subject: string, isNameless = false): string {
  return `${isNameless ? 'nameless ' : ''}person at a provider ${subject}`
}

/** Returns the key under which the name of a session at a provider is stored, so that frames may end it. */
export function frameKey(session: string): string {
  return `f.${session}`
}

/** Returns the keys under which a session may have ended. */
export function revocationKeysOf({ sid, formerSid, userId, provider, actor }: KnownSession): string[] {
  const keys = sid === undefined ? [] : [sid]
  if (actor) keys.push(...revocationKeysOf(actor))
  if (formerSid !== undefined) keys.push(formerSid)
  if (userId !== undefined) {
    const { ended, disabled } = userKeys(userId)
    keys.push(ended, disabled)
  }
  if (provider) {
    keys.push(userKeys(providerUserName(provider.subject)).ended)
    keys.push(provider.session ?? userKeys(providerUserName(provider.subject, true)).ended)
  }
  return keys
}

/* Used tokens. */

// Tokens that can be used once. They are stored with ended sessions, so that all processes know them.

/**
 * Creates the store of used tokens.
 *
 * @param timeout Milliseconds that a method may take.
 */
export function createUsedTokens(store: LogStore, timeout: number): UsedTokens {
  const guarded = guardRevocationStore(store, timeout)
  return Object.freeze<UsedTokens>({
    async has(name) {
      return (await guarded.find([usedTokenKey(name)])).revocations.length > 0
    },
    async add(name, seconds) {
      // Ends no session, because none began before this time.
      const entry = {
        key: usedTokenKey(name),
        exceptSid: '',
        notBefore: 0,
        until: Math.ceil(Date.now() / 1000) + seconds,
      }
      await guarded.add([entry])
    },
  })
}

/** Returns the key of a token, which differs from all keys of sessions and users. */
function usedTokenKey(name: string): string {
  return `t.${shortHash(name)}`
}
