/**
 * The pipeline of every sign-in, from a proved identity to a session. It finds the user and issues the session.
 * Everything else is a step of a feature (`sign-in-steps`). If a step fails, the steps before it undo their writes.
 */
import { isPromiseLike } from '../base/maybe-promise.js'
import type {
  AuthContext,
  Identity,
  IssuedSession,
  SessionMetadata,
  SignInResult,
  StepUp,
  TokenHolder,
} from '../contracts/index.js'
import { ReauthenticationRequired, toError } from '../errors.js'
import type { PendingSignInData } from '../features/factors/entry.js'
import type { AuthResponse, SafeRedirect } from '../http/message.js'
import { asAttachedProof, identityProofs, type Proof, type ProviderOrigin, withProof } from '../principal/index.js'
import { assertStampUnchanged } from '../session/security-stamp.js'
import { clearSessionCookie } from '../session/session-cookie.js'
import { detachMethod, withCurrentUser } from '../users/linking.js'
import { resolveUser } from '../users/resolve-user.js'
import { passkeyOfferUrl } from './passkey-offer.js'
import type {
  FoundSignIn,
  ProvedSignIn,
  SignInRun,
  Stage,
  StartedSessionState,
  States,
  StepOf,
} from './sign-in-stages.js'
import { stepsOf } from './sign-in-steps.js'

/** A proved identity, and the page to which the user goes afterwards. */
type SignInEntryState = Pick<ProvedSignIn, 'identity' | 'sessionOptions' | 'to'>

/** A sign-in, and work before its session begins, which ends the sign-in if it throws. */
interface ProvedEntry extends SignInEntryState {
  beforeSession?(signedIn: SignInResult): Promise<void>
}

/** A second proof, and work that undoes what was stored with it. */
type SecondProof = { readonly proof: Proof; readonly undo?: (() => Promise<void>) | undefined }

/** Signs a user in, and redirects them: to their second factor if they need one, or once to the offer of a passkey. */
export async function completeSignIn(
  context: AuthContext,
  identity: Identity,
  to: SafeRedirect,
): Promise<AuthResponse> {
  const begun = await startProvedSession(context, { identity, sessionOptions: {}, to })
  const { signedIn } = begun
  const isPassword = identity.account.type === 'credentials' && !identity.byMail
  const offer = signedIn && isPassword && (await passkeyOfferUrl(context, { signedIn, to: begun.to }))
  return { kind: 'redirect', to: offer || begun.to }
}

/**
 * Signs a user in.
 *
 * @returns The URL for the user. Without `signedIn` no session has started: the user goes to their second factor, or to
 *   the URL of the `signIn` callback.
 */
export function startProvedSession(
  context: AuthContext,
  { beforeSession, ...entry }: ProvedEntry,
): Promise<{ to: SafeRedirect; signedIn?: SignInResult }> {
  return withUndo(context, async (run) => {
    const proved = await runStage('identity', { ...run, ...entry, stamp: entry.identity.stamp })
    const found = await runUserStage(await runStage('reauthentication', proved))
    if (typeof found === 'string') return { to: found }
    const leveled = await runStage('level', found)
    if (leveled.suspendedTo) {
      // No session follows in this request, and a sign-in method that was attached stays.
      await assertStampUnchanged(context.config, leveled.identity.stamp)
      return { to: leveled.suspendedTo }
    }
    await beforeSession?.(leveled.signedIn)
    await openSession(leveled)
    return { to: leveled.to, signedIn: leveled.signedIn }
  })
}

/**
 * Resumes a pending sign-in with its second factor. @throws {@link ReauthenticationRequired} if the user may no longer
 * sign in.
 */
export function resumeSignIn(
  context: AuthContext,
  held: PendingSignInData,
  { proof, undo }: SecondProof,
): Promise<void> {
  return withUndo(context, async (run) => {
    if (undo) run.undo(undo)
    const { userId: owner, ...rest } = held
    const signedIn = await withCurrentUser(context.config, held)
    const identity = { ...held.identity, proofs: withProof(held.identity.proofs, proof) }
    await openSession({ ...run, ...rest, signedIn, identity, owner })
  })
}

/** A session of a user that an app gets, with facts of the session in which the user approved it. */
interface AppSession extends Pick<SessionMetadata, 'proofs' | 'startedAt' | 'organization' | 'stamp'> {
  readonly userId: string
  readonly app: string
  /** The user and the session at the provider, which end the session. */
  readonly provider?: ProviderOrigin | undefined
}

/**
 * Begins a session for an app. Nothing is proved: the proofs are those of another session of the user.
 *
 * @param context Of a client without cookies.
 * @param undo Runs if no session begins.
 * @throws {@link ReauthenticationRequired} if the sessions of the user ended since the stamp was read, {@link AccessDenied} if the user is
 *   disabled.
 */
export function continueInApp(
  context: AuthContext,
  { userId, app, organization, provider, ...begins }: AppSession,
  undo: () => Promise<unknown>,
): Promise<IssuedSession> {
  return withUndo(context, async (run) => {
    run.undo(undo)
    const account = { type: 'application', provider: '', providerAccountId: userId } as const
    const found = { user: { id: userId }, account, isNewUser: false }
    const signedIn = await withCurrentUser(context.config, { userId, signedIn: found })
    const { subject, session } = provider ?? {}
    // All logouts until the approval are known.
    const providerLink = subject === undefined ? undefined : { subject, session, at: Number.POSITIVE_INFINITY }
    const identity = { user: signedIn.user, account, ...begins, providerLink, isTyped: false }
    const wish = { remembered: context.config.session.rememberMaxAge === undefined ? undefined : false }
    const to = context.urls.home
    return openSession({ ...run, identity, signedIn, wish, to, owner: userId, beginning: { app, organization } })
  })
}

/** Replaces the session of `holder` by one with more proofs. Other sessions of the request stay. */
export function stepUpSession(context: AuthContext, holder: TokenHolder, { proof, undo }: SecondProof): Promise<void> {
  return changeSession(context, holder, { proof, undo, reason: 'steppedUp' })
}

/** A change of a session, the reason for which the previous one ends, and work that undoes what was stored with it. */
type SessionChange = Omit<StepUp, 'sid'> & Pick<StartedSessionState, 'reason'> & Pick<SecondProof, 'undo'>

/** Replaces a session by a changed one. Other sessions of the request stay. */
export function changeSession(
  context: AuthContext,
  { userId: owner, id: sid }: Pick<TokenHolder, 'id'> & { readonly userId: string | undefined },
  { undo, reason, ...change }: SessionChange,
): Promise<void> {
  return withUndo(context, async (run) => {
    if (undo) run.undo(undo)
    const issued = await context.sessions.stepUp(context, { sid, ...change })
    if (!issued) throw new ReauthenticationRequired('The session has ended meanwhile.')
    await runAfterStage({ ...run, ...issued, owner, reason })
  })
}

/** Finds the user of an account that is connected in a session, and attaches a new account. The session continues. */
export function attachAccount(context: AuthContext, entry: SignInEntryState): Promise<SignInResult | SafeRedirect> {
  return withUndo(context, async (run) => {
    const found = await runUserStage({ ...run, ...entry })
    if (typeof found === 'string') return found
    await assertStampUnchanged(context.config, found.identity.stamp)
    return found.signedIn
  })
}

/** Runs the stage `user`. Returns a URL if the `signIn` callback redirects. */
async function runUserStage(proved: ProvedSignIn): Promise<FoundSignIn | SafeRedirect> {
  const { context, undo, identity, to } = proved
  let judged = proved
  const signedIn = await resolveUser(context, identity, async (found) => {
    judged = await runStage('user', { ...judged, ...found, attachedIn: undefined, confirmedIn: undefined })
    return judged.suspendedTo
  })
  if (typeof signedIn === 'string') return signedIn
  const { attachedIn, confirmedIn = attachedIn, stamp, sessionOptions, ran } = judged
  ran.add('user')
  if (attachedIn) undo(() => detachMethod(context, identity))
  const { user, account, profile, providerSession, providerLink, tokenKey, credentials } = identity
  const given = identityProofs(identity, context.config.factors)
  // Attaching proves nothing about the user: the proofs of the session continue.
  const proofs = confirmedIn ? given.map(asAttachedProof).reduce(withProof, confirmedIn.proofs) : given
  const { startedAt, end } = confirmedIn ?? {}
  const begins = { proofs, startedAt, end, replaces: confirmedIn?.key, stamp }
  const kept = { user, account, profile, providerSession, providerLink, tokenKey, isTyped: credentials !== undefined }
  const newUserUrl = signedIn.isNewUser ? context.urls.customPage('newUser', { callbackUrl: to }) : undefined
  const owner = signedIn.isNewUser === undefined ? undefined : signedIn.user.id
  return {
    context,
    undo,
    ran,
    identity: { ...kept, ...begins },
    signedIn,
    wish: sessionOptions,
    to: newUserUrl ?? to,
    owner,
  }
}

/** Runs the stages from `tokens` on. */
async function openSession(found: FoundSignIn): Promise<IssuedSession> {
  const signIn = await runStage('session', await runStage('tokens', found))
  const { context, undo, ran, identity, signedIn, wish, owner, beginning } = signIn
  const { account, proofs, startedAt, end, replaces, stamp, providerLink } = identity
  const tokenOwner = signedIn.isNewUser === undefined ? owner : undefined
  const provider = account.type === 'application' ? undefined : account.provider
  const began = { ...wish, proofs, startedAt, end, replaces, stamp, provider, ...beginning }
  const issued = await context.sessions.issue(context, { ...signedIn, providerLink, tokenOwner }, began)
  await runAfterStage({ context, undo, ran, ...issued, owner, reason: 'replaced', signIn })
  return issued
}

/** Runs the stage `after`. If it fails, no user is signed in. */
async function runAfterStage(begun: StartedSessionState): Promise<void> {
  begun.ran.add('session')
  begun.undo(() => clearSessionCookie(begun.context))
  await runStage('after', begun)
}

/* ---- sign in run ------------------------------------------------------------------------------------------------- */

// The runner of the stages of a sign-in. It is independent of the steps.

/** Runs the steps of a stage. Each step adds facts to the state. */
export async function runStage<S extends Stage>(stage: S, state: States[S]): Promise<States[S]> {
  let current = state
  for (const step of stepsOf(state.context.config)) {
    if (!isStepOf(step, stage)) continue
    state.ran.add(step.name)
    const added = step.run(current)
    const facts = isPromiseLike(added) ? await added : added
    if (facts) current = { ...current, ...facts }
    if (!current.suspendedTo) continue
    state.ran.add('suspended')
    break
  }
  return current
}

function isStepOf<S extends Stage>(step: { readonly stage: Stage }, stage: S): step is StepOf<S> {
  return step.stage === stage
}

/**
 * Runs stages. If a step fails, undoes the writes of the steps before it. With `debug`, the log has one line with the
 * steps that ran.
 */
export async function withUndo<T>(context: AuthContext, work: (run: SignInRun) => Promise<T>): Promise<T> {
  const { logger } = context.config
  const undoSteps: Array<() => unknown> = []
  const ran = new Set<string>()
  try {
    return await work({ context, ran, undo: (takeBack) => undoSteps.unshift(takeBack) })
  } catch (error) {
    ran.add('failed')
    for (const takeBack of undoSteps) {
      // The error of the sign-in is thrown, not one of the undo work.
      await (async () => takeBack())().catch((fault: unknown) => logger.error(toError(fault)))
    }
    throw error
  } finally {
    logger.debug(`sign-in: ${[...ran].join(', ')}`)
  }
}
