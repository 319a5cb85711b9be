/**
 * Security stamps, kept in the store of ended sessions: the ends of all sessions of a user, and entries of their own for events that end no
 * session of a token. Each entry is written with a later time than every entry that could be seen before it. So two events that a sign-in
 * could tell apart never look the same.
 *
 * The user of a sign-in at a provider is not known before the provider's answer is verified. So the entries of logouts at providers have the
 * provider's time, which is compared with that of the answer: a logout that came before the stamp was read counts as well.
 */
import type { ProviderLogout, SecurityStamp, SecurityStamps, SignInMethod, StampOwner } from '../../contracts/index.js'
import { shortHash } from '../../crypto/hash.js'
import type { Awaitable } from '../../types/identity.js'
import type { Revocation } from '../../types/store.js'
import type { GuardedStore } from './guard.js'
import { keysOf, personAt, userKeys } from './keys.js'

/** The parts that stamps are made of. */
export interface StampParts {
  readonly store: GuardedStore
  readonly outage: <T>(work: () => Awaitable<T>) => Awaitable<T | undefined>
  /** Until when entries that are written now are of use. Both in seconds since the epoch. */
  untilOf(now: number): number
}

/** Creates the stamps of a store. */
export function createStamps({ store, outage, untilOf }: StampParts): SecurityStamps {
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
