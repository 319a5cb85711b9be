/** The steps of a sign-in. Only this list names the features that take part in one. */
import { perOwner } from '../base/memory.js'
import { warnOnce } from '../base/warn-once.js'
import { emitEvent, emitSessionsEnded, publicAccount } from '../callbacks/index.js'
import type { AuthContext, ResolvedConfig } from '../contracts/index.js'
import { AccountMismatch, ReauthenticationRequired } from '../errors.js'
import { connectionSteps } from '../features/connections/steps.js'
import { lateRecordsStep } from '../features/deletion/steps.js'
import { secondFactorStep } from '../features/factors/steps.js'
import { guardFactors, isEnrolled } from '../features/factors/store.js'
import { activeOrganizationStep } from '../features/organizations/steps.js'
import { browserTokensStep, providerTokensStep } from '../features/tokens/steps.js'
import { Attempts, attemptCookie, clearAttempt } from '../flows/attempt.js'
import { storeProviderSession } from '../flows/index.js'
import { deviceCodeOf } from '../http/device.js'
import { coarseNetwork, isProxyAddress } from '../http/ip-addresses.js'
import { requestInfo } from '../http/message.js'
import {
  provesPresence,
  type RejectionReason,
  rejectionReasonOf,
  type SessionAction,
  type StoredPrincipal,
} from '../principal/index.js'
import { rememberReplacedCsrf, renewCsrf } from '../session/csrf.js'
import { readStamp, requestMark } from '../session/security-stamp.js'
import { rememberMethod } from './last-method.js'
import { keepSignedIn } from './remember.js'
import { type Step, type StepOf, stages } from './sign-in-stages.js'

/** Returns the steps of a configuration, in the order in which they run. */
export const stepsOf = perOwner((config: ResolvedConfig): readonly Step[] => {
  const steps = listSteps(config)
  return stages.flatMap((stage) => steps.filter((step) => step.stage === stage))
})

/** Lists the steps. Within a stage they run in this order. */
const listSteps = ({ session, connections, deletion, factors, organizations, tokens }: ResolvedConfig): Step[] => [
  ...(session.rememberMaxAge === undefined ? [] : [keepSignedIn]),
  reauthentication,
  // Read first: if all sessions are ended later, the stamp changes.
  ...(session.stamps ? [securityStamp] : []),
  sameUser,
  ...(connections ? connectionSteps(connections) : []),
  attaching,
  ...(deletion ? [lateRecordsStep('level'), lateRecordsStep('tokens')] : []),
  ...(factors ? [secondFactorStep] : []),
  ...(tokens ? [providerTokensStep, browserTokensStep] : []),
  deviceAndNetwork,
  ...(organizations ? [activeOrganizationStep] : []),
  providerSession,
  csrf,
  rememberMethod,
  events,
]

/** Reads the user's security stamp. Flows that know the user earlier have read it before their verification. */
const securityStamp: StepOf<'user'> = {
  name: 'security stamp',
  stage: 'user',
  async run({ context, identity: { account, providerLink: link }, userId, isAttached, stamp }) {
    if (userId === undefined || stamp?.userId === userId) return undefined
    const sid = isAttached ? (await context.sessions.principal(context))?.sid : undefined
    const { provider, providerAccountId } = account
    const credentialID = 'credentialID' in account ? account.credentialID : undefined
    const method = typeof credentialID === 'string' ? { credentialID } : { provider, providerAccountId }
    return { stamp: await readStamp(context.config, { userId, sid, link, method, mark: requestMark(context) }) }
  },
}

const providerSession: StepOf<'after'> = {
  name: 'session at the provider',
  stage: 'after',
  async run({ context, signIn }) {
    if (signIn) await storeProviderSession(context, signIn.identity.providerSession)
    return undefined
  },
}

const csrf: StepOf<'after'> = {
  name: 'CSRF token',
  stage: 'after',
  run({ context }) {
    rememberReplacedCsrf(context)
    renewCsrf(context)
    return undefined
  },
}

const events: StepOf<'after'> = {
  name: 'events',
  stage: 'after',
  async run({ context: { config, request: asked }, sid, replaced, reason, signIn }) {
    const request = requestInfo(asked)
    await emitSessionsEnded(config, replaced, { reason, endedBy: sid, request })
    if (!signIn) return undefined
    const { signedIn, identity, beginning: { app } = {} } = signIn
    // With credentials the event gets the value returned by `authorize`.
    const user = identity.isTyped ? identity.user : signedIn.user
    const account = publicAccount(signedIn)
    await emitEvent(config, 'signIn', { ...signedIn, user, account, sid, ...(app !== undefined && { app }), request })
    return undefined
  },
}

/* ---- session place ----------------------------------------------------------------------------------------------- */

// The device and network of a new session, for the user's list of sessions.

/** Adds the parts of the request that the session stores. */
export const deviceAndNetwork: StepOf<'session'> = {
  name: 'device and network',
  stage: 'session',
  run: ({ context, beginning }) => ({
    beginning: { ...beginning, device: deviceCodeOf(context.request.headers), network: networkOf(context) },
  }),
}

/**
 * Returns the client's network, if the application wants it. The network of an untrusted proxy would be the same for
 * all clients.
 */
function networkOf({ config, request }: AuthContext): string | undefined {
  if (!config.session.network || request.ip === undefined) return undefined
  if (!isProxyAddress(request)) return coarseNetwork(request.ip)
  warnOnce(config, 'unknown-network', unknownNetworkWarning)
  return undefined
}

const unknownNetworkWarning =
  'Requests come through a proxy that the application does not trust, so sessions do not store their network (`session.network`). In Express set app.set("trust proxy", 1), or the number of proxies; elsewhere pass the client\'s `ip`.'

/* ---- reauthentication -------------------------------------------------------------------------------------------- */

// Reauthentication: signed-in users sign in again, as the same user. The request is stored in a sealed cookie, so that
// a form cannot leave it out. A sign-in as another user is rejected, and the session stays (MF-10).

/** The user who must reauthenticate. */
interface Reauthentication {
  readonly userId: string
  /** The maximum age of the proof, in seconds. */
  readonly maxAge: number
}

const reauthenticationSlot = 'reauth'
const reauthentications = new Attempts<Reauthentication>('reauthentication')

/**
 * Stores that the signed-in user must reauthenticate. The page without the mark deletes it, because any user may sign
 * in there.
 *
 * @returns The maximum age in seconds; `undefined` if no reauthentication is required.
 */
export async function storeReauthentication(context: AuthContext): Promise<number | undefined> {
  if (context.request.method === 'HEAD') return undefined
  const text = context.request.url.searchParams.get('reauth')
  const maxAge = Math.max(/^\d{1,9}$/.test(text ?? '') ? Number(text) : 0, 1)
  const userId = text === null ? undefined : await signedInUserId(context)
  if (userId === undefined) {
    forgetReauthentication(context)
    return undefined
  }
  await reauthentications.storeInCookie(context, reauthenticationSlot, { userId, maxAge })
  return maxAge
}

async function signedInUserId(context: AuthContext): Promise<string | undefined> {
  const reading = await context.sessions.read(context, { writable: true })
  return reading?.userId
}

/** Returns the required reauthentication of this browser; `undefined` for most sign-ins, without work. */
async function findReauthentication(context: AuthContext): Promise<Reauthentication | undefined> {
  if (context.cookies.get(attemptCookie(context, reauthenticationSlot).name) === undefined) return undefined
  const [found] = await reauthentications.presented(context, [reauthenticationSlot])
  if (!found) return undefined
  // After a sign-out in the meantime, any user may sign in.
  return (await signedInUserId(context)) === found.attempt.userId ? found.attempt : undefined
}

/** Deletes the requirement, after the reauthentication or at a sign-out. */
export function forgetReauthentication(context: AuthContext): void {
  clearAttempt(context, reauthenticationSlot)
}

/**
 * Completes a reauthentication: the sign-in has to prove that the user was present.
 *
 * @throws {@link ReauthenticationRequired} otherwise.
 */
export const reauthentication: StepOf<'reauthentication'> = {
  name: 'reauthentication',
  stage: 'reauthentication',
  async run({ context, identity }) {
    const found = identity.account.type === 'application' ? undefined : await findReauthentication(context)
    if (!found) return undefined
    forgetReauthentication(context)
    if (provesPresence(identity, found.maxAge)) return { onlyUser: found.userId }
    throw new ReauthenticationRequired(
      `The provider "${identity.account.provider}" did not report a recent authentication (\`auth_time\`). Offer another sign-in method, or require a second factor.`,
    )
  },
}

/**
 * Rejects a sign-in as another user, or one that would attach the account to this user. @throws {@link AccountMismatch}
 */
const sameUser: StepOf<'user'> = {
  name: 'same user',
  stage: 'user',
  run({ onlyUser, userId, isAttached }) {
    if (onlyUser === undefined || (userId === onlyUser && !isAttached)) return undefined
    throw new AccountMismatch('The user had to reauthenticate, but signed in with an account that is not theirs.')
  },
}

/* ---- attach ------------------------------------------------------------------------------------------------------ */

// The right to attach something to the signed-in user: in a sign-in, and at the request of an account page.

/** Returns the session in which a sign-in method is attached. */
export const attaching: StepOf<'user'> = {
  name: 'attaching',
  stage: 'user',
  async run({ context, userId, isAttached }) {
    if (!isAttached || userId === undefined) return undefined
    return { attachedIn: await assertMayAttach(context, userId) }
  },
}

/**
 * Asserts that something may be attached to the signed-in user, such as a passkey or an email address. Users with
 * second factors must have proved them within five minutes. Otherwise a stolen session could add a passkey and bypass
 * them. The session is looked up in its store. Call this after the security stamp was read: if the session ends later,
 * the stamp changes.
 *
 * @returns The checked session. Another one of the request may be read if this one has ended meanwhile.
 * @throws {@link ReauthenticationRequired}
 */
export async function assertMayAttach(context: AuthContext, userId: string): Promise<StoredPrincipal> {
  const owner = await context.sessions.principal(context)
  if (owner?.userId !== userId || !(await context.sessions.isLive(context, owner.id)))
    throw new ReauthenticationRequired('The session has ended while something was attached in it.')
  const reason = await rejectionReasonFor(context.config, owner, 'attach')
  if (reason === undefined) return owner
  throw new ReauthenticationRequired(
    reason === 'stale'
      ? 'Users with a second factor add passkeys, accounts and addresses within five minutes of proving it.'
      : 'This session may not change the account, because it did not start in this browser or has its own end.',
  )
}

/** Returns a function that returns why the signed-in user may not do something; `undefined` if they may. */
export function rejectionReasons(
  context: AuthContext,
): (userId: string, action: SessionAction) => Promise<RejectionReason | undefined> {
  return async (userId, action) => {
    const principal = await context.sessions.principal(context)
    return principal?.userId === userId ? rejectionReasonFor(context.config, principal, action) : 'session'
  }
}

async function rejectionReasonFor(
  { factors }: ResolvedConfig,
  principal: StoredPrincipal,
  action: SessionAction,
): Promise<RejectionReason | undefined> {
  const rows = factors && (await guardFactors(factors).list(principal.userId))
  return rejectionReasonOf(principal, action, rows && isEnrolled(rows))
}
