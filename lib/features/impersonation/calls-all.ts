/** The beginning and the end of an impersonated session. Loaded at the first call. */
import { endSession } from '../../actions/index.js'
import { nowInSeconds } from '../../base/time.js'
import { emitEvent } from '../../callbacks/index.js'
import type { AuthContext, ResolvedImpersonation, SessionReading } from '../../contracts/index.js'
import { randomText } from '../../crypto/random.js'
import { hashSessionToken, toSessionToken } from '../../crypto/session-token.js'
import { CallbackRouteError, InvalidRequest, ReauthenticationRequired, toError } from '../../errors.js'
import { readSetCookie } from '../../http/cookies.js'
import { requestInfo } from '../../http/message.js'
import {
  type Actor,
  isStored,
  meetsRequirement,
  rejectionReasonOf,
  type StoredPrincipal,
} from '../../principal/index.js'
import { writeSessionProof } from '../../session/browser.js'
import { rememberReplacedCsrf, renewCsrf } from '../../session/csrf.js'
import { readStamp } from '../../session/security-stamp.js'
import { clearSessionCookie, idleMaxAge, writeSessionCookie } from '../../session/session-cookie.js'
import { requireStore } from '../../store/guard.js'
import type { AdapterUser } from '../../types/adapter.js'
import type { Outcome } from '../../types/outcome.js'
import type { Session } from '../../types/session.js'
import { onlyOrganizationOf } from '../organizations/steps.js'
import {
  clearKeptSession,
  contextWith,
  findImpersonation,
  type Impersonation,
  keepOwnSession,
  tokenOfSession,
} from './entry.js'
import type { BeginImpersonation } from './types.js'

/** The most characters of a reason. */
const maxReasonLength = 100
/** Seconds since the authentication of the user who begins. */
const freshness = 10 * 60

/** Checks the options, which a form may contain. @throws {@link InvalidRequest} */
export function readOptions(given: BeginImpersonation): BeginImpersonation {
  const { userId, reason }: Partial<Record<keyof BeginImpersonation, unknown>> = given ?? {}
  if (typeof userId !== 'string' || userId === '') throw new InvalidRequest('`userId` must be the id of a user.')
  const text = typeof reason === 'string' ? reason.trim() : ''
  if (text === '' || text.length > maxReasonLength || /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(text)) {
    throw new InvalidRequest(`\`reason\` must be 1 to ${maxReasonLength} characters on one line.`)
  }
  return { userId, reason: text }
}

/** The user who begins, with the session that the application knows. */
interface Beginner {
  readonly reading: SessionReading
  readonly principal: StoredPrincipal
}

/** Begins a session of another user, if that is allowed. Otherwise changes nothing. */
export async function beginImpersonation(
  context: AuthContext,
  { allow, maxAge }: ResolvedImpersonation,
  { userId, reason }: BeginImpersonation,
): Promise<Outcome<'unknown' | 'refused'>> {
  const { config, request, sessions } = context
  const { revocation } = config.session
  const beginner = await findBeginner(context)
  if (!beginner) return { ok: false, reason: 'refused' }
  const { principal, reading } = beginner
  // Read first: if sessions of one of the users end later, it is noticed below, or in the new session.
  const stamp = await readStamp(config, { userId })
  const startedAt = (await revocation?.admit(principal.userId))?.from ?? nowInSeconds()
  const token = await tokenOfSession(context, reading.id)
  if (token === undefined || !(await sessions.isLive(context, reading.id))) return { ok: false, reason: 'refused' }
  const user = await requireStore(config).getUser(userId)
  if (user?.id !== userId) return { ok: false, reason: 'unknown' }
  if (!(await mayBegin(context, { allow, beginner, user }))) return { ok: false, reason: 'refused' }
  const session = principal.sid ?? storedTokenOf(token)
  const { userId: actorId, provider } = principal
  const binding = randomText(16)
  const actor = { userId: actorId, reason, since: nowInSeconds(), session, startedAt, binding, provider }
  const sid = await startSession(context, { actor, user, token, stamp, maxAge })
  await emitEvent(config, 'impersonationBegan', {
    userId,
    by: actor.userId,
    reason,
    sid,
    request: requestInfo(request),
  })
  return { ok: true }
}

/**
 * Returns the signed-in user; `null` if there is none in this browser.
 *
 * @throws {@link ReauthenticationRequired} in a session that is not fresh or strong enough.
 */
async function findBeginner(context: AuthContext): Promise<Beginner | null> {
  const reading = await context.sessions.read(context, { writable: true, isFresh: true })
  const principal = await reading?.principal()
  if (!reading || !principal || !isStored(principal)) return null
  const aal = context.config.factors ? 2 : undefined
  const isFresh = meetsRequirement(principal.proofs, { maxAge: freshness, aal })
  if (isFresh && rejectionReasonOf(principal, 'impersonate', undefined) === undefined) return { reading, principal }
  throw new ReauthenticationRequired(
    '`impersonation.begin` needs a sign-in of the last ten minutes in this browser, with two factors if `factors` is set. Guard the route with `aal: 2, maxAge: 600`.',
  )
}

/** Checks whether the session of this user may begin. */
async function mayBegin(
  { config }: AuthContext,
  { allow, beginner, user }: { beginner: Beginner; user: AdapterUser } & Pick<ResolvedImpersonation, 'allow'>,
): Promise<boolean> {
  if (user.id === beginner.principal.userId) return false
  if ((await config.session.revocation?.listDisabled([user.id]))?.has(user.id)) return false
  return isAllowed(allow, beginner.reading.session, user)
}

function storedTokenOf(token: string): string {
  const checked = toSessionToken(token)
  return checked === undefined ? '' : hashSessionToken(checked)
}

/** The session to start. */
interface NewSession {
  readonly actor: Actor
  readonly user: AdapterUser
  /** The own session of the actor. */
  readonly token: string
  readonly stamp: Awaited<ReturnType<typeof readStamp>>
  readonly maxAge: number
}

/** Starts the session as in a browser without a session, because the own one must not end. @returns Its public id. */
async function startSession(context: AuthContext, { actor, user, token, stamp, maxAge }: NewSession): Promise<string> {
  const { config, cookies, sessions } = context
  const alone = contextWith(context)
  // Not longer than the idle time. Otherwise the session would end sooner, and its use would extend it.
  const lifetime = Math.min(maxAge, idleMaxAge(config, {}))
  await keepOwnSession(alone, token, { actor, maxAge: lifetime })
  const account = { type: 'application', provider: '', providerAccountId: user.id } as const
  const remembered = config.session.rememberMaxAge === undefined ? undefined : false
  const organization = await onlyOrganizationOf(config, user.id)
  const metadata = { proofs: [], maxAge: lifetime, remembered, stamp, actor, member: user.id, organization }
  const { sid } = await sessions.issue(alone, { user, account, isNewUser: false }, metadata)
  clearSessionCookie(context)
  for (const line of alone.cookies.written.values()) {
    const { value, ...cookie } = readSetCookie(line)
    cookies.set(cookie, value)
  }
  rememberReplacedCsrf(context)
  renewCsrf(context)
  return sid
}

/** Calls `allow`. Only `true` allows. @throws {@link CallbackRouteError} if it throws. */
async function isAllowed(allow: ResolvedImpersonation['allow'], admin: Session, user: AdapterUser): Promise<boolean> {
  try {
    return (await allow(admin, user)) === true
  } catch (error) {
    throw new CallbackRouteError('`impersonation.allow` threw.', toError(error))
  }
}

/**
 * Ends the impersonated session of a request, and resumes the own one of its actor. If the store fails before, nothing
 * ends.
 */
export async function endImpersonation(
  context: AuthContext,
  option: ResolvedImpersonation,
): Promise<Outcome<'none', { readonly resumed: boolean }>> {
  const found = await findImpersonation(context)
  if (!found) return { ok: false, reason: 'none' }
  const { actor, token } = found
  const resumed = token !== undefined && (await mayResume(context, option, { ...found, token }))
  clearKeptSession(context)
  await endSession(context)
  if (resumed) await resume(context, token, actor)
  return { ok: true, resumed }
}

/** Checks whether the own session is still the actor's, and could begin this one again. */
async function mayResume(
  context: AuthContext,
  { allow }: ResolvedImpersonation,
  { token, actor, userId }: Impersonation & { readonly token: string },
): Promise<boolean> {
  const { config, sessions } = context
  const own = contextWith(context, token)
  const reading = await sessions.read(own, { writable: false, isFresh: true })
  if (!reading || reading.actor || reading.userId !== actor.userId) return false
  const user = await requireStore(config).getUser(userId)
  if (!user || !(await sessions.isLive(own, reading.id))) return false
  return isAllowed(allow, reading.session, user).catch((error: unknown) => {
    // The session of the other user ends in any case.
    config.logger.error(toError(error))
    return false
  })
}

/** Gives the own session back to the browser. Its end is that of its token or record. */
async function resume(context: AuthContext, token: string, actor: Actor): Promise<void> {
  const maxAge = idleMaxAge(context.config, {})
  writeSessionCookie(context, { token, maxAge, remembered: false, isRenewal: true })
  await writeSessionProof(context, actor.session)
}
