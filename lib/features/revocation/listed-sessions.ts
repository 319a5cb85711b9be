/** The JWT sessions that the store keeps: lists for account pages, and links to sessions at a provider. */

import type { Logger } from '../../base/logger.js'
import { catchMaybePromise } from '../../base/maybe-promise.js'
import { BoundedMap } from '../../base/memory.js'
import type { KnownSession, ListedJwtSession, Revocations, SessionLists } from '../../contracts/index.js'
import { readTokenMetadata, writeTokenMetadata } from '../../crypto/session-token.js'
import { AccessDenied, toError } from '../../errors.js'
import type { Awaitable } from '../../types/identity.js'
import type { ListedSession, Revocation } from '../../types/store.js'
import { mostKeys, type RevocationCopy } from './copy.js'
import { frameKey, type GuardedStore, providerUserName, revocationKeysOf, userKeys } from './store.js'

/** Milliseconds between two writes of a session, because a `jwt` callback may change the token with each request. */
const storeEvery = 60_000

/** Creates the lists, for a store that has the methods. @param copy The copy that knows which sessions have ended. */
export function createSessionLists(store: GuardedStore, copy: RevocationCopy, logger: Logger): SessionLists {
  const notedAt = new BoundedMap<string, number>(10_000)
  return {
    storeSession({ sid, userId, startedAt = 0, expires, metadata }) {
      const now = Date.now()
      if (sid === undefined || userId === undefined || now - (notedAt.get(sid) ?? 0) < storeEvery) return undefined
      notedAt.set(sid, now)
      const times = { begunAt: startedAt, usedAt: Math.floor(now / 1000), until: Math.ceil(expires / 1000) }
      const beginning = metadata && { beginning: writeTokenMetadata({ ...metadata, startedAt: metadata.signedInAt }) }
      const entry = { sid, userKey: userKeys(userId).ended, ...times, ...beginning }
      return catchMaybePromise<unknown>(
        () => store.list?.(entry),
        (thrown) => logger.error(toError(thrown)),
      )
    },
    async listSessions(userId) {
      const { ended: userKey, disabled } = userKeys(userId)
      const entries = (await store.listed?.(userKey)) ?? []
      const sids = entries.map(({ sid }) => sid)
      await copy.queryKeys([...sids, userKey, disabled])
      const isOver = (sid: string, begunAt: number) => copy.hasEnded({ sid, userId, startedAt: begunAt })
      const over = entries.filter(({ sid, begunAt }) => isOver(sid, begunAt)).map(({ sid }) => sid)
      for (let at = 0; at < over.length; at += mostKeys) await store.unlist?.(userKey, over.slice(at, at + mostKeys))
      const gone = new Set(over)
      return entries.filter(({ sid }) => !gone.has(sid)).map(toListedJwtSession)
    },
    async beginningOf(userId, sid) {
      try {
        const entry = (await store.listed?.(userKeys(userId).ended))?.find((each) => each.sid === sid)
        const { provider, device, network } = (entry && toListedJwtSession(entry).metadata) ?? {}
        return { provider, device, network }
      } catch (thrown) {
        logger.error(toError(thrown))
        return {}
      }
    },
  }
}

function toListedJwtSession({ sid, begunAt, usedAt, until, beginning }: ListedSession): ListedJwtSession {
  const metadata = typeof beginning === 'string' ? readTokenMetadata(beginning) : undefined
  return {
    sid,
    signedInAt: metadata?.startedAt ?? begunAt,
    usedAt: usedAt * 1000,
    expires: until * 1000,
    ...(metadata && { metadata }),
  }
}

/* Linked sessions. */

// For sessions that are linked to one at a provider, its name is used like a `sid`, and the user's name there like a
// user id.

/** The parts that the methods are made of. */
interface LinkedParts {
  readonly store: GuardedStore
  readonly copy: RevocationCopy
  readonly outage: <T>(work: () => Awaitable<T>) => Awaitable<T | undefined>
  end(sids: readonly string[]): Promise<void>
  userEndOf(person: string): Promise<Revocation>
}

/**
 * Creates the methods for linked sessions.
 *
 * Frames are not authenticated: any client can send any number of session names. Names are therefore stored at the
 * sign-in, apart from ended sessions, and an unknown name writes nothing. Otherwise it would fill the store and the
 * memory of each process.
 */
export function createLinkedMethods(
  parts: LinkedParts,
): Pick<Revocations, 'admitLinked' | 'storeLinked' | 'endLinked'> {
  const { store, copy, outage, end, userEndOf } = parts
  const notedAt = new BoundedMap<string, number>(10_000)
  const isNoted = async (session: string) => {
    const noted = (await store.listed?.(frameKey(session))) ?? []
    return noted.some(({ sid }) => sid === session)
  }
  return {
    async admitLinked({ subject, session }) {
      const known: KnownSession = { provider: { subject, session } }
      const own = Math.floor(Date.now() / 1000)
      const now = (await outage(() => copy.queryKeys(revocationKeysOf(known)))) ?? own
      if (copy.hasEnded(known)) throw new AccessDenied('The user was signed out at the provider in the meantime.')
      const people =
        session === undefined
          ? [providerUserName(subject), providerUserName(subject, true)]
          : [providerUserName(subject)]
      return { now, from: Math.max(now, ...people.map((person) => copy.endedUntil(person) + 1)) }
    },
    storeLinked({ sid, provider, startedAt = 0 }, expires) {
      const { session, byFrame = false } = provider ?? {}
      const now = Date.now()
      if (!byFrame || session === undefined || sid === undefined || now - (notedAt.get(sid) ?? 0) < storeEvery)
        return undefined
      notedAt.set(sid, now)
      const [usedAt, until] = [Math.floor(now / 1000), Math.ceil(expires / 1000)]
      const entry = { sid: session, userKey: frameKey(session), begunAt: startedAt, usedAt, until }
      return outage(() => store.list?.(entry))
    },
    async endLinked({ subject, session, byFrame = false }) {
      if (byFrame && (session === undefined || !(await isNoted(session)))) return false
      if (session !== undefined) await end([session])
      if (subject !== undefined) await copy.add([await userEndOf(providerUserName(subject, session !== undefined))])
      return true
    },
  }
}
