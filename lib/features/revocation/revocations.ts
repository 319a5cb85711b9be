/** Revocation: which sessions have ended before their time, in this process and in all others that share a store. */
import { rescue } from '../../base/after.js'
import type { Logger } from '../../base/logger.js'
import type { KnownSession, Revocations } from '../../contracts/index.js'
import { AccessDenied, toError } from '../../errors.js'
import type { Awaitable } from '../../types/identity.js'
import type { LogStore } from '../../types/store.js'
import { RevocationCopy } from './copy.js'
import { type GuardedStore, guardStore } from './guard.js'
import { always, keysOf, userKeys } from './keys.js'
import { linkedMethods } from './linked.js'
import { createLists } from './lists.js'
import { createStamps } from './stamps.js'

/** How a store is used. */
export interface RevocationOptions {
  /** Milliseconds by which what is known may be behind. */
  readonly maxStale: number
  /** While the store is away: nobody has a session, or everybody has one whose end is not known here. */
  readonly onOutage: 'deny' | 'allow'
  /** Seconds that no session outlives which is renewed now, and no mailed link that is sent now. */
  readonly lifetime: number
  /** Milliseconds that a method may take. */
  readonly timeout: number
  readonly logger: Logger
  /** Whether lists of sessions are kept. The store has the methods for it then. */
  readonly list: boolean
}

/** By store: configurations with the same one share what they know of it. */
const copies = new WeakMap<LogStore, RevocationCopy>()

function copyOf(store: LogStore, guarded: GuardedStore): RevocationCopy {
  const copy = copies.get(store) ?? new RevocationCopy(guarded)
  copies.set(store, copy)
  return copy
}

/** By store, in seconds: what one configuration ends may be sessions of another one, which live longer. */
const lifetimes = new WeakMap<LogStore, number>()

/** Seconds beyond the lifetime of a session for which its end is known: processes that were without the store may renew it. */
const margin = 24 * 60 * 60

/** Makes use of a store. */
export function createRevocations(store: LogStore, options: RevocationOptions): Revocations {
  const { maxStale, logger } = options
  lifetimes.set(store, Math.max(options.lifetime, lifetimes.get(store) ?? 0))
  const guarded = guardStore(store, options.timeout)
  const copy = copyOf(store, guarded)
  const outage = outageRule(options)
  const untilOf = (now: number) => now + Math.ceil(lifetimes.get(store) ?? options.lifetime) + margin
  /** Ends all that the user has: until a second after which none of their sessions has begun. */
  const endOf = async (userId: string, exceptSid = '') => {
    const { ended: key } = userKeys(userId)
    const now = await copy.ask([key])
    return { key, exceptSid, notBefore: Math.max(now, copy.endedUntil(userId) + 1), until: untilOf(now) }
  }
  const end = async (sids: readonly string[]) => {
    const until = untilOf(Math.floor(Date.now() / 1000))
    if (sids.length > 0) await copy.add(sids.map((key) => ({ key, exceptSid: '', notBefore: always, until })))
  }
  const warnOfSize = createWarning(logger)
  return Object.freeze<Revocations>({
    ...(options.list && { lists: createLists(guarded, copy, logger) }),
    ...linkedMethods({ store: guarded, copy, outage, end, endOf }),
    stamps: createStamps({ store: guarded, outage, untilOf }),
    takesFrames: guarded.list !== undefined && guarded.listed !== undefined,
    learn(sessions) {
      if (copy.isOverflowing) warnOfSize()
      return outage(() => copy.learn(sessions, maxStale))
    },
    hasEnded: (session) => copy.hasEnded(session),
    isRecent: () => options.onOutage === 'allow' || copy.isWithin(2 * maxStale),
    async ask(session: KnownSession) {
      await outage(() => copy.ask(keysOf(session)))
      return copy.hasEnded(session)
    },
    async admit(userId) {
      const own = Math.floor(Date.now() / 1000)
      const now = (await outage(() => copy.ask(keysOf({ userId })))) ?? own
      if (copy.isDisabled(userId)) throw new AccessDenied('The user is disabled.')
      return { now, from: Math.max(now, copy.endedUntil(userId) + 1) }
    },
    retire: async (sids) => outage(() => end(sids)),
    end,
    endAllOf: async (userId, exceptSid) => copy.add([await endOf(userId, exceptSid)]),
    async disable(userId) {
      const mark = { key: userKeys(userId).disabled, exceptSid: '', notBefore: always, until: always }
      // First, for whoever signs in meanwhile.
      await copy.add([mark])
      await copy.add([await endOf(userId)])
    },
    async enable(userId) {
      const { disabled: key } = userKeys(userId)
      const now = await copy.ask([key])
      await copy.replace({ key, exceptSid: '', notBefore: 0, until: untilOf(now) })
    },
  })
}

/** What happens when the store is away: it is told to who asked; or it is logged once in a minute, and what is known counts. */
function outageRule({ onOutage, logger }: RevocationOptions) {
  let loggedAt = Number.NEGATIVE_INFINITY
  return <T>(work: () => Awaitable<T>): Awaitable<T | undefined> => {
    if (onOutage === 'deny') return work()
    return rescue<T | undefined>(work, (thrown) => {
      if (Date.now() - loggedAt >= 60_000) {
        loggedAt = Date.now()
        logger.error(toError(thrown))
      }
      return undefined
    })
  }
}

function createWarning(logger: Logger): () => void {
  let isSaid = false
  return () => {
    if (isSaid) return
    isSaid = true
    logger.warn(
      'revocations-overflow',
      'More sessions have ended than fit into the memory of this process: the store is asked at each read now.',
    )
  }
}
