/** Sessions that began by one at a provider: its name stands in the place of a session's, and the person's in that of a user's. */
import { BoundedMap } from '../../base/memory.js'
import type { KnownSession, Revocations } from '../../contracts/index.js'
import { AccessDenied } from '../../errors.js'
import type { Awaitable } from '../../types/identity.js'
import type { Revocation } from '../../types/store.js'
import type { RevocationCopy } from './copy.js'
import type { GuardedStore } from './guard.js'
import { frameKey, keysOf, personAt } from './keys.js'

/** What they are made with. */
export interface LinkedParts {
  readonly store: GuardedStore
  readonly copy: RevocationCopy
  readonly outage: <T>(work: () => Awaitable<T>) => Awaitable<T | undefined>
  end(sids: readonly string[]): Promise<void>
  endOf(person: string): Promise<Revocation>
}

/** Milliseconds between two notes of a session: a `jwt` callback may change its token with each request. */
const pause = 60_000

/**
 * Frames prove nothing: anybody can name any number of sessions to us. So a name is noted at the sign-in, apart from what has
 * ended, and a name that nobody noted writes nothing: it would fill the store and the memory of each process.
 */
export function linkedMethods(parts: LinkedParts): Pick<Revocations, 'admitLinked' | 'noteLinked' | 'endLinked'> {
  const { store, copy, outage, end, endOf } = parts
  const notedAt = new BoundedMap<string, number>(10_000)
  const isNoted = async (session: string) => {
    const noted = (await store.listed?.(frameKey(session))) ?? []
    return noted.some(({ sid }) => sid === session)
  }
  return {
    async admitLinked({ subject, session }) {
      const known: KnownSession = { provider: { subject, session } }
      const own = Math.floor(Date.now() / 1000)
      const now = (await outage(() => copy.ask(keysOf(known)))) ?? own
      if (copy.hasEnded(known)) throw new AccessDenied('The person was signed out at the provider in the meantime.')
      const people = session === undefined ? [personAt(subject), personAt(subject, true)] : [personAt(subject)]
      return { now, from: Math.max(now, ...people.map((person) => copy.endedUntil(person) + 1)) }
    },
    noteLinked({ sid, provider, startedAt = 0 }, expires) {
      const { session, byFrame = false } = provider ?? {}
      const now = Date.now()
      if (!byFrame || session === undefined || sid === undefined || now - (notedAt.get(sid) ?? 0) < pause)
        return undefined
      notedAt.set(sid, now)
      const [usedAt, until] = [Math.floor(now / 1000), Math.ceil(expires / 1000)]
      const entry = { sid: session, userKey: frameKey(session), begunAt: startedAt, usedAt, until }
      return outage(() => store.list?.(entry))
    },
    async endLinked({ subject, session, byFrame = false }) {
      if (byFrame && (session === undefined || !(await isNoted(session)))) return false
      if (session !== undefined) await end([session])
      if (subject !== undefined) await copy.add([await endOf(personAt(subject, session !== undefined))])
      return true
    },
  }
}
