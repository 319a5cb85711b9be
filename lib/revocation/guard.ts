/** The developer's store of ended sessions, with a time-out around each method and errors that name it. */

import { isPromiseLike } from '../base/after.js'
import { isRecord } from '../base/guards.js'
import { withTimeout } from '../base/timeout.js'
import { AdapterError } from '../errors.js'
import { toFault } from '../store/fault.js'
import type { Awaitable } from '../types/identity.js'
import type {
  FoundRevocations,
  ListedSession,
  Revocation,
  RevocationPage,
  RevocationStore,
} from '../types/revocation.js'

/** A store whose methods answer in time, or reject with {@link AdapterError}. What it returns is what the types say. */
export type GuardedStore = RevocationStore

/** @param timeout Milliseconds that a method may take. */
export function guardStore(store: RevocationStore, timeout: number): GuardedStore {
  const call = <T>(
    method: keyof RevocationStore,
    args: readonly unknown[],
    read: (value: unknown) => T,
  ): Awaitable<T> => {
    const fail = (error: unknown): never => {
      throw new AdapterError(`The store of ended sessions failed (\`${method}\`).`, {
        err: toFault(error, textsOf(args)),
        method,
      })
    }
    try {
      const answer: unknown = Reflect.apply(store[method] ?? missing, store, args)
      // A store in the memory of the process answers at once, and so do reads then.
      if (!isPromiseLike(answer)) return read(answer)
      return withTimeout(Promise.resolve(answer), timeout, `\`${method}\``).then(read).catch(fail)
    } catch (error) {
      return fail(error)
    }
  }
  return {
    add: (revocations) => call('add', [revocations], () => undefined),
    replace: (revocation) => call('replace', [revocation], () => undefined),
    find: (keys) => call('find', [keys], toFound),
    ...(store.list && { list: (session: ListedSession) => call('list', [session], () => undefined) }),
    ...(store.listed && { listed: (userKey: string) => call('listed', [userKey], toListed) }),
    ...(store.unlist && {
      unlist: (userKey: string, sids: readonly string[]) => call('unlist', [userKey, sids], () => undefined),
    }),
    ...(store.changes && { changes: (cursor: string | null) => call('changes', [cursor], toPage) }),
  }
}

function missing(): never {
  throw new TypeError('There is no such method.')
}

/** Keys are no secrets, but nothing for a log either. */
function textsOf(args: readonly unknown[]): readonly unknown[] {
  return args.map((arg) => (typeof arg === 'string' ? '' : arg))
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
