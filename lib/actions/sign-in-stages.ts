/** The stages of a sign-in, and the state that the steps of each stage receive. */
import type { AuthContext, Identity, IssuedSession, SecurityStamp, SessionMetadata } from '../contracts/index.js'
import type { PendingSignInData, SignInSessionOptions } from '../features/factors/entry.js'
import type { SafeRedirect } from '../http/message.js'
import type { Principal } from '../principal/index.js'
import type { Awaitable } from '../types/identity.js'
import type { SignInTarget } from '../users/resolve-user.js'

/**
 * The stages, in their order. Security depends on the order:
 *
 * - `user` judges before anything is written. The security stamp is read there, unless the flow read it before its
 *   verification.
 * - `level` is before `tokens`, so that a sign-in without its second factor stores nothing that could be used.
 * - `tokens` reserves the room of cookies and writes to stores before `session`, so that after a failure no user is
 *   signed in.
 * - `session` issues the session. The strategy compares the security stamp when the session exists, before the browser
 *   receives it.
 * - `after` runs when the session exists.
 */
export const stages = ['identity', 'reauthentication', 'user', 'level', 'tokens', 'session', 'after'] as const

/** A stage of a sign-in. */
export type Stage = (typeof stages)[number]

/** The state that all stages share. */
export interface SignInRun {
  readonly context: AuthContext
  /** Adds work that undoes a write. It runs if a later step fails, in reverse order. */
  readonly undo: (work: () => unknown) => void
  /** The names of the steps that ran, for the debug line. */
  readonly ran: Set<string>
  /** The URL to which the user goes first. The sign-in stops there, and may be resumed. */
  readonly suspendedTo?: SafeRedirect | undefined
}

/** A sign-in whose identity is proved. */
export interface ProvedSignIn extends SignInRun {
  readonly identity: Identity
  readonly sessionOptions: SignInSessionOptions
  /** The URL to which the user goes after the sign-in. */
  readonly to: SafeRedirect
  /** The only user who may be signed in. */
  readonly onlyUser?: string | undefined
  /** The user's security stamp. Absent for a new user, who has no earlier sessions. */
  readonly stamp?: SecurityStamp | undefined
  /** The session in which a sign-in method is attached to the user. */
  readonly attachedIn?: Principal | undefined
  /** The session that an account of the user only confirms: its proofs continue. */
  readonly confirmedIn?: Principal | undefined
}

/** A sign-in whose user is known and not written yet. Its steps may run again, for another user. */
export type JudgedSignIn = ProvedSignIn & SignInTarget

/** A sign-in whose user is found. */
export interface FoundSignIn extends SignInRun, Omit<PendingSignInData, 'userId'> {
  /** The name under which the user's second factors and provider tokens are stored; absent without both. */
  readonly owner: string | undefined
  /** Facts about the start of the session, which the session contains. */
  readonly beginning?: Partial<SessionMetadata>
}

/** A session that exists: of a sign-in, or of a step-up. */
export interface StartedSessionState extends SignInRun, IssuedSession {
  readonly owner: string | undefined
  /** The reason why the previous sessions of the browser have ended. */
  readonly reason: 'replaced' | 'steppedUp' | 'organizationChanged'
  /** Absent when a session is changed. */
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
  readonly after: StartedSessionState
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
