/**
 * What a store of ended sessions is: where processes tell each other which JWT sessions have ended before their time, and whose
 * users are disabled.
 *
 * A store stores and finds. What a key means, and what has ended, is the engine's business. Methods reject when the store is
 * away: taken for "nothing has ended", that would open sessions again.
 */
import type { Awaitable } from './identity.js'

/** What has ended. (`key`, `exceptSid`) is unique. All times are in whole seconds since the epoch. */
export interface Revocation {
  /** Which sessions: one, or those of a user. At most 64 characters of `A-Z a-z 0-9 . _ -`; no secret, and no address. */
  readonly key: string
  /** Of these sessions this one goes on. Empty where none does. Characters as in `key`. */
  readonly exceptSid: string
  /** Those that began until then have ended. */
  readonly notBefore: number
  /** None of them lives longer: the entry may be removed then. */
  readonly until: number
}

/** Some of the changes, in the order in which they were written. */
export interface RevocationPage {
  /** The entries, the oldest first. */
  readonly revocations: readonly Revocation[]
  /** Where the next call goes on. The store's own text. */
  readonly cursor: string
  /** Nothing more was written by now. */
  readonly isLast: boolean
}

/** Entries that were asked for. */
export interface FoundRevocations {
  /** The entries that were found. */
  readonly revocations: readonly Revocation[]
  /** What the clock of the store says. */
  readonly now: number
}

/** A session that goes on, in the list of its user's. All times are in whole seconds since the epoch. */
export interface ListedSession {
  /** Unique. Characters as in {@link Revocation.key}. */
  readonly sid: string
  /** Whose it is: a hash of the user's id, with characters as in {@link Revocation.key}. */
  readonly userKey: string
  /** When it began. */
  readonly begunAt: number
  /** When it was begun or extended the last time. */
  readonly usedAt: number
  /** When it ends if it is not used: the entry may be removed then. */
  readonly until: number
  /**
   * What the engine notes of its beginning, by what and on which kind of device: usually some sixty letters, digits, `-` and `_`, at most 1,000. Given
   * with the first call for a session and with no later one. Keep it as it is.
   */
  readonly beginning?: string | undefined
}

/** Where processes tell each other which sessions have ended. */
export interface RevocationStore {
  /**
   * Notes what has ended. Where there is an entry with the same `key` and `exceptSid`, the later `notBefore` and the later
   * `until` count. Takes part in no transaction: what is noted has ended, whatever becomes of the rest.
   */
  add(revocations: readonly Revocation[]): Awaitable<unknown>
  /** Replaces the entry with this `key` and no `exceptSid`, if it is there. Others learn of that as of an addition. */
  replace(revocation: Omit<Revocation, 'exceptSid'>): Awaitable<unknown>
  /** The entries with one of these keys, and the time by the store's clock. */
  find(keys: readonly string[]): Awaitable<FoundRevocations>
  /**
   * What was written since the cursor; with `null` everything whose `until` has not passed. An entry may come twice, and none
   * may be left out because its statement took long to commit. Without this method `find` is called at each read of a session.
   */
  changes?(cursor: string | null): Awaitable<RevocationPage>
  /**
   * For lists of sessions, with the next two methods: notes one. Of one that is there already the later times count, and its
   * `begunAt` and `beginning` stay.
   */
  list?(session: ListedSession): Awaitable<unknown>
  /** The sessions of a user that were noted, but those whose `until` has passed. Whether they have ended is asked apart. */
  listed?(userKey: string): Awaitable<readonly ListedSession[]>
  /** Removes sessions of a user from the list. */
  unlist?(userKey: string, sids: readonly string[]): Awaitable<unknown>
}
