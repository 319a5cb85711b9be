/** Sessions that have ended before their time, as the engine asks for them. */

import type { TokenFacts } from '../../crypto/stored-token.js'
import type { Awaitable } from '../../types/identity.js'
import type { ProviderLink, ProviderLogout } from '../logout/contract.js'
import type { SecurityStamps } from './stamp-contract.js'

/** A session, by what {@link Revocations} tells it from others. */
export interface KnownSession {
  /** Of JWT sessions. A row is deleted instead. */
  readonly sid?: string | undefined
  /** The name that earlier versions gave to the session. It ends by both names. */
  readonly formerSid?: string | undefined
  /** Whose it is, where that is known. */
  readonly userId?: string | undefined
  /** In seconds since the epoch. Absent where it is not known: then it has ended only with its user disabled. */
  readonly startedAt?: number
  /** By which session at a provider it began, where the provider may end it. */
  readonly provider?: Pick<ProviderLink, 'subject' | 'session' | 'byFrame'> | undefined
}

/** When a session begins, by the store's clock, in seconds since the epoch. */
export interface Admission {
  readonly now: number
  /** After all that ended before: ends in one second put it beyond `now`. Ends are compared with this one. */
  readonly from: number
}

/** Lists of the JWT sessions that users have. */
export interface SessionLists {
  /**
   * Notes a session that begins or is extended, once in a minute. What fails is logged: the session goes on unlisted.
   *
   * @param session `expires`: when it ends, in milliseconds since the epoch. `began`: what it says of itself, as it begins.
   */
  note(
    session: KnownSession & { readonly expires: number; readonly began?: NotedBeginning | undefined },
  ): Awaitable<unknown>
  /**
   * The sessions of a user that have not ended, by what the store says now. Times are in milliseconds since the epoch.
   *
   * @throws {@link AdapterError} when the store is away.
   */
  of(userId: string): Promise<readonly NotedSession[]>
}

/** The facts of a session that a list keeps. `signedInAt`: seconds since the epoch, as users are told it. */
export interface NotedBeginning extends Omit<TokenFacts, 'startedAt' | 'proofs'> {
  readonly signedInAt: number
}

/** A session of a list. Times are in milliseconds since the epoch. */
export interface NotedSession {
  readonly sid: string
  readonly usedAt: number
  readonly expires: number
  /** When the person signed in, in seconds since the epoch; 0 where nobody knows. */
  readonly signedInAt: number
  /** What it said of itself as it began; absent where that was not noted. */
  readonly began?: Partial<TokenFacts>
}

/** What has ended before its time, in any process, and whose users are disabled. */
export interface Revocations {
  readonly stamps: SecurityStamps
  /** Where lists are kept. */
  readonly lists?: SessionLists
  /** Whether frames can be kept to what was noted: the store has the methods for it. */
  readonly takesFrames: boolean
  /**
   * Brings up to date what is known of these sessions, to within `maxStale`. At once where that is so already.
   *
   * @throws {@link AdapterError} when the store is away, unless the application said to go on without it.
   */
  learn(sessions: readonly KnownSession[]): Awaitable<unknown>
  /** Whether a session has ended, by what is known now. */
  hasEnded(session: KnownSession): boolean
  /** Whether what is known is new enough to write a cookie by it. */
  isRecent(): boolean
  /** Whether a session has ended, by what the store says now. Rejects as {@link learn} does. */
  ask(session: KnownSession): Promise<boolean>
  /**
   * When a session of this user begins that begins now.
   *
   * @throws {@link AccessDenied} when the user is disabled.
   */
  admit(userId: string): Promise<Admission>
  /**
   * The same for a session that began by one at a provider.
   *
   * @throws {@link AccessDenied} when that one has ended.
   */
  admitLinked(link: ProviderLink): Promise<Admission>
  /** Ends these sessions, in whose place others began. Rejects as {@link learn} does. */
  retire(sids: readonly string[]): Promise<void>
  /** Ends these sessions, here at once. @throws {@link AdapterError} when others cannot be told. */
  end(sids: readonly string[]): Promise<void>
  /** Ends all sessions that the user has now, but this one. Rejects as {@link end} does. */
  endAllOf(userId: string, exceptSid?: string): Promise<void>
  /** Notes by which session at a provider one begins or is extended, where frames may end it. Rejects as {@link learn} does. */
  noteLinked(session: KnownSession, expires: number): Awaitable<unknown>
  /**
   * Ends the sessions that began by what has ended at a provider; by a frame only what was noted, and `false` where nothing was.
   * Rejects as {@link end} does.
   */
  endLinked(logout: ProviderLogout): Promise<boolean>
  /** From now on the user has no session, until {@link enable}. Rejects as {@link end} does. */
  disable(userId: string): Promise<void>
  /** Lets the user sign in again. Sessions from before do not come back. */
  enable(userId: string): Promise<void>
}
