/** The developer's store of ended sessions, with a time-out around each method and errors that name it. */
import { isRecord } from '../../base/guards.js'
import { guardedCalls, nothing } from '../../store/guarded-calls.js'
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
