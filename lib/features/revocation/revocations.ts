/** Revocation: which sessions have ended before their time, in this process and in all others that share a store. */
import { rescue } from '../../base/after.js'
import type { Logger } from '../../base/logger.js'
import type {
  KnownSession,
  ProviderLogout,
  Revocations,
  SecurityStamp,
  SecurityStamps,
  SignInMethod,
  StampOwner,
} from '../../contracts/index.js'
import { shortHash } from '../../crypto/hash.js'
import { AccessDenied, toError } from '../../errors.js'
import type { Awaitable } from '../../types/identity.js'
import type { LogStore, Revocation } from '../../types/store.js'
import { RevocationCopy } from './copy.js'
import { createLists, linkedMethods } from './noted-sessions.js'
import { always, type GuardedStore, guardStore, keysOf, personAt, userKeys } from './store.js'

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

/* ---- stamps ------------------------------------------------------------------------------------------------------ */

// Security stamps, kept in the store of ended sessions: the ends of all sessions of a user, and entries of their own for events that end
// no session of a token. Each entry is written with a later time than every entry that could be seen before it. So two events that a
// sign-in could tell apart never look the same.  The user of a sign-in at a provider is not known before the provider's answer is
// verified. So the entries of logouts at providers have the provider's time, which is compared with that of the answer: a logout that
// came before the stamp was read counts as well.

/** The parts that stamps are made of. */
interface StampParts {
  readonly store: GuardedStore
  readonly outage: <T>(work: () => Awaitable<T>) => Awaitable<T | undefined>
  /** Until when entries that are written now are of use. Both in seconds since the epoch. */
  untilOf(now: number): number
}

/** Creates the stamps of a store. */
function createStamps({ store, outage, untilOf }: StampParts): SecurityStamps {
  const entriesOf = (of: StampOwner) => outage(async () => (await store.find(stampKeys(of))).revocations)
  const change = async (name: string, { mark = '', at }: { mark?: string | undefined; at?: number } = {}) => {
    const key = userKeys(name).stamp
    const { revocations, now } = await store.find([key])
    const notBefore = Math.max(at ?? now, ...revocations.map((each) => each.notBefore + 1))
    await store.add([{ key, exceptSid: mark, notBefore, until: untilOf(now) }])
  }
  return {
    async read(given) {
      const of = plainOf(given)
      const entries = await entriesOf(of)
      return entries && { ...of, value: toValue(entries, of.mark) }
    },
    async hasChanged(stamp) {
      const entries = await entriesOf(stamp)
      return entries !== undefined && (toValue(entries, stamp.mark) !== stamp.value || hasEnded(entries, stamp.link))
    },
    change: (userId, mark) => change(userId, { mark }),
    changeMethod: (method) => change(nameOf(method)),
    async changeLinked(logout) {
      // A frame proves nothing: anybody can name sessions.
      if (logout.byFrame) return
      for (const name of namesAtLogout(logout)) await change(name, { at: logout.at })
    },
  }
}

/** Returns the parts that a stamp is read by, and no others: a stamp is carried as JSON. */
function plainOf({ userId, link, method, sid, mark }: StampOwner & Pick<SecurityStamp, 'mark'>) {
  const { subject = '', session, at = 0 } = link ?? {}
  return {
    userId,
    ...(link && { link: { subject, at, ...(session !== undefined && { session }) } }),
    ...(method && { method }),
    ...(sid !== undefined && { sid }),
    ...(mark !== undefined && { mark }),
  }
}

/** Returns the name of a sign-in method, used in place of a user id. No user id has a line end. */
function nameOf(method: SignInMethod): string {
  if ('credentialID' in method) return `passkey\n${method.credentialID}`
  return `account\n${JSON.stringify([method.provider, method.providerAccountId])}`
}

/** All keys under which something may have ended the sessions of a user. */
function stampKeys({ userId, link, method, sid }: StampOwner): string[] {
  const names = [userId, ...(method ? [nameOf(method)] : []), ...(link ? namesOf(link) : [])]
  return [...keysOf({ userId, sid, provider: link }), ...names.map((name) => userKeys(name).stamp)]
}

/** Returns the names under which a logout at the provider concerns a sign-in. */
function namesOf({ subject, session }: NonNullable<StampOwner['link']>): string[] {
  return [personAt(subject), session ?? personAt(subject, true)]
}

/** A session at a provider never comes back. A user does: their logout concerns what the provider said of them before it. */
function hasEnded(entries: readonly Revocation[], link: StampOwner['link']): boolean {
  if (!link) return false
  const [of, session] = namesOf(link).map((name) => userKeys(name).stamp)
  const isOver = (key: string) => key === session && link.session !== undefined
  return entries.some(({ key, notBefore }) => isOver(key) || ((key === of || key === session) && notBefore >= link.at))
}

function namesAtLogout({ subject, session }: ProviderLogout): string[] {
  return [
    ...(session === undefined ? [] : [session]),
    ...(subject === undefined ? [] : [personAt(subject, session !== undefined)]),
  ]
}

/** @param mark Of the sign-in itself, whose entries do not count. A user has few entries. */
function toValue(entries: readonly Revocation[], mark: string | undefined): string {
  const others = mark === undefined ? entries : entries.filter(({ exceptSid }) => exceptSid !== mark)
  if (others.length === 0) return ''
  return shortHash(JSON.stringify(others.map(({ key, exceptSid, notBefore }) => [key, exceptSid, notBefore]).sort()))
}
