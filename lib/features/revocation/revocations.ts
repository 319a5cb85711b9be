/** Revocation: sessions that were ended early, in this process and in all others that share a store. */

import type { Logger } from '../../base/logger.js'
import { catchMaybePromise } from '../../base/maybe-promise.js'
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
import { createLinkedMethods, createSessionLists } from './listed-sessions.js'
import {
  endOfTime,
  type GuardedStore,
  guardRevocationStore,
  providerUserName,
  revocationKeysOf,
  userKeys,
} from './store.js'

/** The options of revocations. */
export interface RevocationOptions {
  /** Milliseconds by which the known state may be outdated. */
  readonly maxStale: number
  /**
   * The behaviour if the store fails. `deny`: no session is accepted. `allow`: all sessions are, except those known to
   * have ended.
   */
  readonly onOutage: 'deny' | 'allow'
  /** Seconds: the longest life of a session that is renewed now, or of an email link that is sent now. */
  readonly lifetime: number
  /** Milliseconds that a method may take. */
  readonly timeout: number
  readonly logger: Logger
  /** True if lists of sessions are kept. The store then has the methods. */
  readonly list: boolean
}

/** The copies by store: configurations with the same store share one. */
const copies = new WeakMap<LogStore, RevocationCopy>()

function copyOf(store: LogStore, guarded: GuardedStore): RevocationCopy {
  const copy = copies.get(store) ?? new RevocationCopy(guarded)
  copies.set(store, copy)
  return copy
}

/** The lifetimes by store, in seconds. A configuration may end sessions of another one that live longer. */
const lifetimes = new WeakMap<LogStore, number>()

/**
 * Seconds beyond the lifetime of a session for which its end is stored, because processes without access to the store
 * may renew it.
 */
const margin = 24 * 60 * 60

/** Creates the revocations of a store. */
export function createRevocations(store: LogStore, options: RevocationOptions): Revocations {
  const { maxStale, logger } = options
  lifetimes.set(store, Math.max(options.lifetime, lifetimes.get(store) ?? 0))
  const guarded = guardRevocationStore(store, options.timeout)
  const copy = copyOf(store, guarded)
  const outage = createOutageHandler(options)
  const untilOf = (now: number) => now + Math.ceil(lifetimes.get(store) ?? options.lifetime) + margin
  const { userEndOf, prepareEndOfAll } = createUserEnds(copy, untilOf)
  const end = async (sids: readonly string[]) => {
    const until = untilOf(Math.floor(Date.now() / 1000))
    if (sids.length > 0) await copy.add(sids.map((key) => ({ key, exceptSid: '', notBefore: endOfTime, until })))
  }
  const warnOfSize = createWarning(logger)
  return Object.freeze<Revocations>({
    ...(options.list && { lists: createSessionLists(guarded, copy, logger) }),
    ...createLinkedMethods({ store: guarded, copy, outage, end, userEndOf }),
    stamps: createStamps({ store: guarded, outage, untilOf }),
    canRestrictFrames: guarded.list !== undefined && guarded.listed !== undefined,
    refreshSessions(sessions) {
      if (copy.isOverflowing) warnOfSize()
      return outage(() => copy.refreshSessions(sessions, maxStale))
    },
    hasEnded: (session) => copy.hasEnded(session),
    isRecent: () => options.onOutage === 'allow' || copy.isWithin(2 * maxStale),
    async querySession(session: KnownSession) {
      await outage(() => copy.queryKeys(revocationKeysOf(session)))
      return copy.hasEnded(session)
    },
    async admit(userId) {
      const own = Math.floor(Date.now() / 1000)
      const now = (await outage(() => copy.queryKeys(revocationKeysOf({ userId })))) ?? own
      if (copy.isDisabled(userId)) throw new AccessDenied('The user is disabled.')
      return { now, from: Math.max(now, copy.endedUntil(userId) + 1) }
    },
    endReplaced: async (sids) => outage(() => end(sids)),
    end,
    endAllOf: (userId, exceptSid) => prepareEndOfAll(userId, exceptSid)(),
    prepareEndOfAll,
    async disable(userId) {
      const mark = { key: userKeys(userId).disabled, exceptSid: '', notBefore: endOfTime, until: endOfTime }
      // First, so that a concurrent sign-in is rejected.
      await copy.add([mark])
      await copy.add([await userEndOf(userId)])
    },
    listDisabled: (userIds) => listDisabled(guarded, userIds),
    async enable(userId) {
      const { disabled: key } = userKeys(userId)
      const now = await copy.queryKeys([key])
      await copy.replace({ key, exceptSid: '', notBefore: 0, until: untilOf(now) })
    },
  })
}

/** Creates the functions that end all sessions of a user. @param untilOf As in {@link StampParts}. */
function createUserEnds(copy: RevocationCopy, untilOf: StampParts['untilOf']) {
  /**
   * Ends all sessions of the user: until a second after which none of them has begun.
   *
   * @param asOf The time to which it applies, in milliseconds by this process's clock. Default: now.
   */
  const userEndOf = async (userId: string, exceptSid = '', asOf = Date.now()) => {
    const { ended: key } = userKeys(userId)
    // Before the query: the time that its response takes must not spare sessions that began earlier.
    const age = (Date.now() - asOf) / 1000
    const now = await copy.queryKeys([key])
    const ended = copy.endedUntil(userId)
    // By the store's clock. Rounded up, because its seconds are rounded down.
    const then = Math.min(now, Math.ceil(now - age))
    // Sessions since a later end began after `then`.
    const notBefore = then < now && ended > then ? then : Math.max(then, ended + 1)
    return { key, exceptSid, notBefore, until: untilOf(now) }
  }
  const prepareEndOfAll = (userId: string, exceptSid?: string) => {
    let entry: Revocation | undefined
    return async (asOf?: number) => {
      entry ??= await userEndOf(userId, exceptSid, asOf)
      await copy.add([entry])
    }
  }
  return { userEndOf, prepareEndOfAll }
}

/** Returns those of the users who are disabled. */
async function listDisabled(store: GuardedStore, userIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (userIds.length === 0) return new Set()
  const { revocations } = await store.find(userIds.map((userId) => userKeys(userId).disabled))
  const keys = new Set(revocations.filter(({ notBefore }) => notBefore === endOfTime).map(({ key }) => key))
  return new Set(userIds.filter((userId) => keys.has(userKeys(userId).disabled)))
}

/**
 * Returns a function that applies `onOutage`. If the store fails, it throws the error, or logs it once a minute and
 * continues with what is known.
 */
function createOutageHandler({ onOutage, logger }: RevocationOptions) {
  let loggedAt = Number.NEGATIVE_INFINITY
  return <T>(work: () => Awaitable<T>): Awaitable<T | undefined> => {
    if (onOutage === 'deny') return work()
    return catchMaybePromise<T | undefined>(work, (thrown) => {
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
      'More sessions have ended than fit into the memory of this process. The store is now queried at each read.',
    )
  }
}

/* Security stamps. */

// Stamps are stored in the store of ended sessions. They consist of the ends of all sessions of a user, and of separate
// entries for events that end no JWT session. Each entry gets a later time than every entry that could be seen before
// it, so two events that a sign-in could distinguish never look the same.
//
// The user of a sign-in at a provider is unknown until the provider's answer is verified. Entries of logouts at
// providers therefore have the provider's time, which is compared with that of the answer. A logout before the stamp
// was read is detected as well.

/** The parts that stamps are made of. */
interface StampParts {
  readonly store: GuardedStore
  readonly outage: <T>(work: () => Awaitable<T>) => Awaitable<T | undefined>
  /** Returns the time until which an entry of `now` is needed. Both in seconds since the epoch. */
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
      const of = stampOwnerParts(given)
      const entries = await entriesOf(of)
      return entries && { ...of, value: stampValueOf(entries, of.mark) }
    },
    async hasChanged(stamp) {
      const entries = await entriesOf(stamp)
      return (
        entries !== undefined &&
        (stampValueOf(entries, stamp.mark) !== stamp.value || hasEndedAtProvider(entries, stamp.link))
      )
    },
    change: (userId, mark) => change(userId, { mark }),
    changeMethod: (method) => change(signInMethodName(method)),
    async changeLinked(logout) {
      // Frames are not authenticated.
      if (logout.byFrame) return
      for (const name of logoutNames(logout)) await change(name, { at: logout.at })
    },
  }
}

/** Returns the parts by which a stamp is read, and no others, because stamps are serialized as JSON. */
function stampOwnerParts({ userId, link, method, sid, mark }: StampOwner & Pick<SecurityStamp, 'mark'>) {
  const { subject = '', session, at = 0 } = link ?? {}
  return {
    userId,
    ...(link && { link: { subject, at, ...(session !== undefined && { session }) } }),
    ...(method && { method }),
    ...(sid !== undefined && { sid }),
    ...(mark !== undefined && { mark }),
  }
}

/** Returns the name of a sign-in method, used in place of a user id. No user id contains a line break. */
function signInMethodName(method: SignInMethod): string {
  if ('credentialID' in method) return `passkey\n${method.credentialID}`
  return `account\n${JSON.stringify([method.provider, method.providerAccountId])}`
}

/** Returns all keys under which the user's sessions may have been ended. */
function stampKeys({ userId, link, method, sid }: StampOwner): string[] {
  const names = [userId, ...(method ? [signInMethodName(method)] : []), ...(link ? linkNames(link) : [])]
  return [...revocationKeysOf({ userId, sid, provider: link }), ...names.map((name) => userKeys(name).stamp)]
}

/** Returns the names under which a logout at the provider concerns a sign-in. */
function linkNames({ subject, session }: NonNullable<StampOwner['link']>): string[] {
  return [providerUserName(subject), session ?? providerUserName(subject, true)]
}

/**
 * Checks whether a logout at the provider concerns a sign-in. A session there never comes back. A user does, so their
 * logout concerns earlier answers of the provider only.
 */
function hasEndedAtProvider(entries: readonly Revocation[], link: StampOwner['link']): boolean {
  if (!link) return false
  const [of, session] = linkNames(link).map((name) => userKeys(name).stamp)
  const isOver = (key: string) => key === session && link.session !== undefined
  return entries.some(({ key, notBefore }) => isOver(key) || ((key === of || key === session) && notBefore >= link.at))
}

function logoutNames({ subject, session }: ProviderLogout): string[] {
  return [
    ...(session === undefined ? [] : [session]),
    ...(subject === undefined ? [] : [providerUserName(subject, session !== undefined)]),
  ]
}

/** Returns the value of a stamp. @param mark The mark of the sign-in itself, whose entries are ignored. */
function stampValueOf(entries: readonly Revocation[], mark: string | undefined): string {
  const others = mark === undefined ? entries : entries.filter(({ exceptSid }) => exceptSid !== mark)
  if (others.length === 0) return ''
  return shortHash(JSON.stringify(others.map(({ key, exceptSid, notBefore }) => [key, exceptSid, notBefore]).sort()))
}
