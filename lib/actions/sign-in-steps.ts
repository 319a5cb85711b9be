/** The steps of a sign-in. This list is the only place that names the features which take part in one. */
import { perOwner } from '../base/memory.js'
import { warnOnce } from '../base/warn-once.js'
import { emit, tellEnded, toldAccount } from '../callbacks/index.js'
import type { AuthContext, ResolvedConfig } from '../contracts/index.js'
import { AccountMismatch, ReauthenticationRequired } from '../errors.js'
import { secondFactor } from '../features/factors/steps.js'
import { guardedStore, isEnrolled } from '../features/factors/store.js'
import { browserTokens, providerTokens } from '../features/tokens/steps.js'
import { Attempts, attemptCookie, clearAttempt } from '../flows/attempt.js'
import { keepProviderSession } from '../flows/index.js'
import { coarseNetworkOf, isProxyAddress } from '../http/addresses.js'
import { deviceCodeOf } from '../http/device.js'
import { requestInfo } from '../http/message.js'
import { type Action, provesPresence, type Refusal, refusalOf } from '../principal/index.js'
import { renewCsrf, retireCsrf } from '../session/csrf.js'
import { markOf, readStamp } from '../session/security-stamp.js'
import { keepSignedIn } from './remember.js'
import { type Step, type StepOf, stages } from './sign-in-stages.js'

/** Returns the steps that a configuration has, in the order in which they run. */
export const stepsOf = perOwner((config: ResolvedConfig): readonly Step[] => {
  const steps = stepsIn(config)
  return stages.flatMap((stage) => steps.filter((step) => step.stage === stage))
})

/** Lists the steps. Within a stage they run in this order. */
const stepsIn = ({ session, factors, tokens }: ResolvedConfig): Step[] => [
  ...(session.rememberMaxAge === undefined ? [] : [keepSignedIn]),
  reauthentication,
  // Read first: an end of all sessions that comes later changes the stamp.
  ...(session.stamps ? [securityStamp] : []),
  sameUser,
  attaching,
  ...(factors ? [secondFactor] : []),
  ...(tokens ? [providerTokens, browserTokens] : []),
  place,
  providerSession,
  csrf,
  events,
]

/** Reads the security stamp of the user. Flows that know the user earlier have read it before they verified anything. */
const securityStamp: StepOf<'user'> = {
  name: 'security stamp',
  stage: 'user',
  async run({ context, identity: { account, providerLink: link }, userId, isAttached, stamp }) {
    if (userId === undefined || stamp?.userId === userId) return undefined
    const sid = isAttached ? (await context.sessions.owner(context))?.sid : undefined
    const { provider, providerAccountId } = account
    const credentialID = 'credentialID' in account ? account.credentialID : undefined
    const method = typeof credentialID === 'string' ? { credentialID } : { provider, providerAccountId }
    return { stamp: await readStamp(context.config, { userId, sid, link, method, mark: markOf(context) }) }
  },
}

const providerSession: StepOf<'after'> = {
  name: 'session at the provider',
  stage: 'after',
  async run({ context, signIn }) {
    if (signIn) await keepProviderSession(context, signIn.identity.providerSession)
    return undefined
  },
}

const csrf: StepOf<'after'> = {
  name: 'CSRF token',
  stage: 'after',
  run({ context }) {
    retireCsrf(context)
    renewCsrf(context)
    return undefined
  },
}

const events: StepOf<'after'> = {
  name: 'events',
  stage: 'after',
  async run({ context: { config, request: asked }, sid, replaced, reason, signIn }) {
    const request = requestInfo(asked)
    await tellEnded(config, replaced, { reason, endedBy: sid, request })
    if (!signIn) return undefined
    const { signedIn, identity } = signIn
    // With credentials the event gets the value returned by `authorize`.
    const user = identity.isTyped ? identity.user : signedIn.user
    await emit(config, 'signIn', { ...signedIn, user, account: toldAccount(signedIn), sid, request })
    return undefined
  },
}

/* ---- session place ----------------------------------------------------------------------------------------------- */

// Where a session begins, as far as the person's list of sessions shows it: on what kind of device, and from which network.

/** Adds the parts of the request that the session keeps. */
export const place: StepOf<'session'> = {
  name: 'device and network',
  stage: 'session',
  run: ({ context, beginning }) => ({
    beginning: { ...beginning, device: deviceCodeOf(context.request.headers), network: networkOf(context) },
  }),
}

/** The client's network, where the application wants it. That of a proxy which it does not trust would be everybody's. */
function networkOf({ config, request }: AuthContext): string | undefined {
  if (!config.session.network || request.ip === undefined) return undefined
  if (!isProxyAddress(request)) return coarseNetworkOf(request.ip)
  warnOnce(config, 'unknown-network', unknownNetwork)
  return undefined
}

const unknownNetwork =
  'A proxy connects for other clients, but the application does not trust it: sessions do not say from which network they began (`session.network`). In Express set app.set("trust proxy", 1), or as many as there are proxies; elsewhere hand over the client\'s `ip`.'

/* ---- reauthentication -------------------------------------------------------------------------------------------- */

// Proving anew who one is: who is signed in is sent to sign in again, as the same person. What was asked waits in a sealed cookie, so
// that a form that leaves it out changes nothing. Who signs in as somebody else is refused, and stays who they were (MF-10).

/** What was asked of whom. */
interface Reauthentication {
  readonly userId: string
  /** Seconds: the proof must not be older. */
  readonly maxAge: number
}

const slot = 'reauth'
const asked = new Attempts<Reauthentication>('reauthentication')

/**
 * Notes that who is signed in is to prove it. The page without the mark forgets it: there anybody may sign in.
 *
 * @returns The seconds; `undefined` where nobody is asked.
 */
export async function noteReauthentication(context: AuthContext): Promise<number | undefined> {
  if (context.request.method === 'HEAD') return undefined
  const text = context.request.url.searchParams.get('reauth')
  const maxAge = Math.max(/^\d{1,9}$/.test(text ?? '') ? Number(text) : 0, 1)
  const userId = text === null ? undefined : await whoIsHere(context)
  if (userId === undefined) {
    forgetReauthentication(context)
    return undefined
  }
  await asked.keep(context, slot, { userId, maxAge })
  return maxAge
}

async function whoIsHere(context: AuthContext): Promise<string | undefined> {
  const reading = await context.sessions.read(context, { writable: true })
  return reading?.userId
}

/** Finds the question of this browser; `undefined` for most sign-ins, without work. */
async function findReauthentication(context: AuthContext): Promise<Reauthentication | undefined> {
  if (context.cookies.get(attemptCookie(context, slot).name) === undefined) return undefined
  const [found] = await asked.held(context, [slot])
  if (!found) return undefined
  // Who has signed out meanwhile may sign in as anybody.
  return (await whoIsHere(context)) === found.attempt.userId ? found.attempt : undefined
}

/** Forgets it: it was answered, or somebody signs out. */
export function forgetReauthentication(context: AuthContext): void {
  clearAttempt(context, slot)
}

/**
 * Answers a reauthentication: the sign-in has to prove that the user was present.
 *
 * @throws {@link ReauthenticationRequired} where it does not.
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
      `The provider "${identity.account.provider}" did not say that it has just asked the person (\`auth_time\`). Ask them for another way to sign in, or for a second factor.`,
    )
  },
}

/** Refuses a sign-in that would end at another user, or give the account to this one. @throws {@link AccountMismatch} */
const sameUser: StepOf<'user'> = {
  name: 'same user',
  stage: 'user',
  run({ onlyUser, userId, isAttached }) {
    if (onlyUser === undefined || (userId === onlyUser && !isAttached)) return undefined
    throw new AccountMismatch('Who was to confirm that it is them signed in with an account that is not theirs.')
  },
}

/* ---- attach ------------------------------------------------------------------------------------------------------ */

// The right to attach something to the signed-in user: in a sign-in, and where an account page asks for it.

/** Finds the session in which a sign-in method is attached. */
export const attaching: StepOf<'user'> = {
  name: 'attaching',
  stage: 'user',
  async run({ context, userId, isAttached }) {
    if (!isAttached || userId === undefined) return undefined
    await assertMayAttach(context, userId)
    const principal = await context.sessions.owner(context)
    if (principal?.userId === userId) return { attachedIn: principal }
    throw new ReauthenticationRequired(hasEnded)
  },
}

const hasEnded = 'The session has ended while something was attached in it.'

/**
 * Asserts that something may be attached to the signed-in user, such as a passkey or an email address. Users with second factors must have
 * proved them within five minutes: a passkey that a stolen session adds would be a way past them. The session is looked up in its store. Call
 * this after the security stamp was read: an end of the session that comes later changes the stamp.
 *
 * @throws {@link ReauthenticationRequired}
 */
export async function assertMayAttach(context: AuthContext, userId: string): Promise<void> {
  if (!(await context.sessions.isLive(context))) throw new ReauthenticationRequired(hasEnded)
  const refusal = await refusals(context)(userId, 'attach')
  if (refusal === undefined) return
  throw new ReauthenticationRequired(
    refusal === 'stale'
      ? 'Users with a second factor add passkeys, accounts and addresses within five minutes of proving it.'
      : 'This session may not change the account: it did not begin in this browser, or has an end of its own.',
  )
}

/** Returns a function that says why the signed-in user may not do something; `undefined` where they may. */
export function refusals(context: AuthContext): (userId: string, action: Action) => Promise<Refusal | undefined> {
  const { config, sessions } = context
  return async (userId, action) => {
    const principal = await sessions.owner(context)
    if (principal?.userId !== userId) return 'session'
    const rows = config.factors && (await guardedStore(config.factors).list(userId))
    return refusalOf(principal, action, rows && isEnrolled(rows))
  }
}
