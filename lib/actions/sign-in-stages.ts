/** The stages of a sign-in, and the state that the steps of each stage receive. */
import type { AuthContext, Beginning, Identity, IssuedSession, SecurityStamp } from '../contracts/index.js'
import type { HeldSignIn, SessionWish } from '../features/factors/entry.js'
import type { SafeRedirect } from '../http/message.js'
import type { Principal } from '../principal/index.js'
import type { Awaitable } from '../types/identity.js'
import type { Found } from '../users/resolve-user.js'

/**
 * The stages, in their order. Security depends on the order:
 *
 * - `user` judges before anything is written. The security stamp is read there, unless the flow has read it before it verified anything.
 * - `level` is before `tokens`: nothing of a sign-in that needs a second factor is stored where it could be used.
 * - `tokens` reserves the room of cookies and writes to stores before `session`, so that a failure leaves nobody signed in.
 * - `session` issues the session. The strategy compares the security stamp when the session exists, before the browser receives it.
 * - `after` sees a session that exists.
 */
export const stages = ['identity', 'reauthentication', 'user', 'level', 'tokens', 'session', 'after'] as const

/** A stage of a sign-in. */
export type Stage = (typeof stages)[number]

/** The state that all stages share. */
export interface Running {
  readonly context: AuthContext
  /** Adds work that takes back what a step wrote. It runs when a later step fails, in reverse order. */
  readonly undo: (work: () => unknown) => void
  /** The names of the steps that ran, for the debug line. */
  readonly ran: Set<string>
  /** Where the user goes first. The sign-in stops there, and may be resumed. */
  readonly elsewhere?: SafeRedirect | undefined
}

/** A sign-in whose identity is proved. */
export interface ProvedSignIn extends Running {
  readonly identity: Identity
  readonly wish: SessionWish
  /** Where the user goes after the sign-in. */
  readonly to: SafeRedirect
  /** The only user at whom the sign-in may end. */
  readonly onlyUser?: string | undefined
  /** The security stamp of the user. Absent for a new user, whose sessions nothing has ended. */
  readonly stamp?: SecurityStamp | undefined
  /** The session in which a sign-in method is attached to the user. */
  readonly attachedIn?: Principal | undefined
}

/** A sign-in whose user is known and not written yet. Its steps may run again, for another user. */
export type JudgedSignIn = ProvedSignIn & Found

/** A sign-in whose user is found. */
export interface FoundSignIn extends Running, Omit<HeldSignIn, 'userId'> {
  /** The name under which second factors and provider tokens of the user are kept; absent where the user has neither. */
  readonly owner: string | undefined
  /** Facts that the session says of its beginning. */
  readonly beginning?: Partial<Beginning>
}

/** A session that exists: of a sign-in, or in the place of one in which more was proved. */
export interface BegunSession extends Running, IssuedSession {
  readonly owner: string | undefined
  /** Why the sessions that the browser had before have ended. */
  readonly reason: 'replaced' | 'steppedUp'
  /** Absent in a step-up. */
  readonly signIn?: FoundSignIn
}

/** The state by stage. */
export interface States {
  readonly identity: ProvedSignIn
  readonly reauthentication: ProvedSignIn
  readonly user: JudgedSignIn
  readonly level: FoundSignIn
  readonly tokens: FoundSignIn
  readonly session: FoundSignIn
  readonly after: BegunSession
}

/** A step of a stage. It returns the facts that it adds to the state, or throws. */
export interface StepOf<S extends Stage> {
  /** Shown in the debug line. */
  readonly name: string
  readonly stage: S
  readonly run: (signIn: States[S]) => Awaitable<Partial<States[S]> | undefined>
}

/** A step of any stage. */
export type Step = { readonly [S in Stage]: StepOf<S> }[Stage]
