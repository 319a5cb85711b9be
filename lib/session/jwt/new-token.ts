/** Creates new session tokens: calls the `jwt` callback, decides about renewal, and records the session. */

import { isRecord } from '../../base/guards.js'
import { mapMaybePromise } from '../../base/maybe-promise.js'
import { nowInSeconds } from '../../base/time.js'
import { publicAccount } from '../../callbacks/index.js'
import type {
  Admission,
  CookieContext,
  IssuedSession,
  ResolvedConfig,
  SessionMetadata,
  SignInResult,
  StepUp,
} from '../../contracts/index.js'
import { readHeader } from '../../crypto/jwe.js'
import { sessionKey } from '../../crypto/keys.js'
import { listedAct } from '../../crypto/session-token.js'
import { AccessDenied, CallbackRouteError, TooManyCookies, toError } from '../../errors.js'
import { encode } from '../../jwt.js'
import { authenticationOf, writeActor } from '../../principal/index.js'
import type { JwtCallbackParams } from '../../types/config.js'
import type { Awaitable } from '../../types/identity.js'
import type { JWT } from '../../types/jwt.js'
import { endedInThisProcess, recordEndedSessions, sessionIdOf, writeSessionProof } from '../browser.js'
import { noteRenewal } from '../renewals.js'
import { assertStampUnchanged, readStamp } from '../security-stamp.js'
import { assertUnambiguous } from '../session-callback.js'
import {
  assertSessionFits,
  isExtensionDue,
  isFromFuture,
  sessionExpiry,
  writeSessionCookie,
} from '../session-cookie.js'
import { applicationClaims, applicationClaimsDiffer } from './application-claims.js'
import {
  claimProofs,
  claimsLifespan,
  type EngineClaims,
  effectiveStart,
  newClaims,
  restoreClaims,
  stepUpClaims,
  tokenUserOf,
  withEpoch,
} from './claims.js'
import {
  chooseToken,
  type FoundToken,
  type PresentedTokens,
  presentedJwtTokens,
  sessionNamesIn,
  tokenToEndedSession,
  withRemovedSubject,
} from './presented-tokens.js'
import { withUserFields } from './user-fields.js'

/** Calls the `jwt` callback and checks its result. A forgotten `return` throws, so that it does not sign users out. */
export function callJwtCallback(config: ResolvedConfig, params: JwtCallbackParams): Awaitable<JWT | null> {
  return mapMaybePromise(config.callbacks.jwt(params), (token) => {
    if (token === null || isRecord(token)) return token
    throw new CallbackRouteError('The `jwt` callback must return the token, or null to end the session.')
  })
}

/** Returns the end of a token that is made now, in milliseconds since the epoch. */
export function renewedExpiry(config: ResolvedConfig, claims: EngineClaims): number {
  return sessionExpiry(config, nowInSeconds() * 1000, claimsLifespan(claims))
}

/** Encrypts a token for its lifetime, for `writeSessionCookie`. */
export async function encryptToken({ config, cookiePolicy }: CookieContext, token: JWT & EngineClaims) {
  const maxAge = renewedExpiry(config, token) / 1000 - nowInSeconds()
  const salt = cookiePolicy.sessionToken.name
  const text = await config.jwt.encode({ token, secret: [...config.secrets], salt, maxAge })
  return { token: text, maxAge, remembered: token.auth_remember }
}

/**
 * Records a session in the list of the user's sessions, if there is one.
 *
 * @param metadata Absent when the session continues.
 */
export function recordInList(
  config: ResolvedConfig,
  found: Pick<FoundToken, 'token' | 'claims'>,
  began?: SessionMetadata,
) {
  const { sid, auth_began: signedInAt } = found.claims
  const startedAt = effectiveStart(found.claims)
  const userId = tokenUserOf(found.token, found.claims)
  const session = { sid, userId, startedAt, expires: renewedExpiry(config, found.claims) }
  return config.session.revocation?.lists?.storeSession({
    ...session,
    metadata: began && listedMetadataOf(began, signedInAt),
  })
}

function listedMetadataOf({ proofs, actor, ...began }: SessionMetadata, signedInAt: number) {
  const { provider, app, device, network, remembered } = began
  const act = actor && listedAct(writeActor(actor))
  return { provider, app, device, network, remembered, amr: authenticationOf(proofs).amr, signedInAt, act }
}

/** Records the provider session of a session, if frames may end it. Rejects when it cannot be recorded. */
export function recordProviderLink(config: ResolvedConfig, claims: EngineClaims): Awaitable<unknown> {
  const { sid, auth_op: provider } = claims
  const session = { sid, startedAt: effectiveStart(claims), provider }
  return config.session.revocation?.storeLinked(session, renewedExpiry(config, claims))
}

/**
 * Checks whether the token is renewed without a request for it. A bearer token is for apps only, a session of Auth.js always.
 *
 * @param changed Present if a `jwt` callback ran. `before`: the {@link applicationClaims} before it. `token`: its result.
 */
export function needsRenewal(
  { config, cookiePolicy }: CookieContext,
  { source, text, claims, verified: { iat } }: FoundToken,
  changed: { readonly before: string; readonly token: JWT } | undefined,
): Awaitable<boolean> {
  if (source === 'bearer' && claims.auth_app === undefined) return false
  if (source === 'legacy' || iat === undefined || isExtensionDue(config, iat * 1000) || isFromFuture(iat)) return true
  if (changed && applicationClaimsDiffer(changed.before, applicationClaims(changed.token))) return true
  return hasOldKey(config, cookiePolicy.sessionToken.name, text)
}

/**
 * Checks whether the token was made with an older secret. Such a token is renewed at once, so that the secret can be removed soon.
 */
function hasOldKey({ secrets, jwt }: ResolvedConfig, salt: string, text: string): Awaitable<boolean> {
  if (secrets.length === 1 || jwt.encode !== encode) return false
  const kid = readHeader(text)?.kid
  if (kid === undefined) return false
  return mapMaybePromise(sessionKey(secrets[0], salt), ({ thumbprint }) =>
    mapMaybePromise(thumbprint, (newest) => kid !== newest),
  )
}

/**
 * Writes the cookie of a renewed token, or the header for an app.
 *
 * @param isAsked Whether the application requested a change.
 * @throws {@link SessionTooLarge}; {@link TooManyCookies} if the application requested a change.
 */
export async function renewToken(
  context: CookieContext,
  {
    found,
    token,
    isStillValid,
    isAsked,
  }: { found: FoundToken; token: JWT; isStillValid: () => boolean; isAsked: boolean },
): Promise<void> {
  const { config } = context
  // Pinned again, because the `session` callback also received the token.
  const sealed = await encryptToken(context, restoreClaims(token, found.claims))
  const isCurrent = whileStoreIsRecent(config, isStillValid)
  try {
    if (found.source === 'bearer') context.cookies.sendToken(sealed.token, isCurrent)
    else writeSessionCookie(context, { ...sealed, isStillValid: isCurrent, isRenewal: !isAsked })
  } catch (error) {
    // The session is valid, so large cookies of the application must not sign the user out.
    if (isAsked || !(error instanceof TooManyCookies)) throw error
    config.logger.error(error)
    return
  }
  noteRenewal(config, found.claims.sid, renewedExpiry(config, found.claims))
  try {
    await recordProviderLink(config, found.claims)
  } catch (error) {
    // A failure to extend the record must not reject the user.
    config.logger.error(toError(error))
  }
  await recordInList(config, found)
}

/**
 * Restricts a cookie write to a recent state of the store: a late response would otherwise replace the cookie of a new session by
 * one of a session that was ended elsewhere.
 */
export function whileStoreIsRecent(
  { session: { revocation } }: ResolvedConfig,
  isStillValid: () => boolean,
): () => boolean {
  return revocation ? () => revocation.isRecent() && isStillValid() : isStillValid
}

/* ---- beginning --------------------------------------------------------------------------------------------------- */

// The start of a JWT session in a browser: by a sign-in, or by a step-up that replaces a session.

/** A session that starts. */
interface NewJwtSession {
  /** The token of the `jwt` callback. */
  readonly token: JWT
  readonly claims: EngineClaims
  readonly userId: string | undefined
  readonly began: SessionMetadata
  /** The admission of the user, when the session starts. */
  readonly known: Admission | undefined
  /** Seconds by the store's clock, after earlier ends of sessions. */
  readonly from?: number
  /** The tokens of the browser. Their sessions end. */
  readonly presented: PresentedTokens
}

export async function issueJwtSession(
  context: CookieContext,
  signedIn: SignInResult,
  began: SessionMetadata,
): Promise<IssuedSession> {
  const { config } = context
  const { user, profile, isNewUser, providerLink } = signedIn
  const { revocation, userFields } = config.session
  // Read before the callback, which gets the user object itself.
  const { id } = user
  const known = id === undefined ? undefined : await revocation?.admit(id)
  const own = newClaims(signedIn, began, known?.now)
  const begun = userFields ? await withUserFields(config, userFields, { claims: own, user }) : own
  const token = await callJwtCallback(config, {
    token: {
      name: user.name ?? null,
      email: user.email || null,
      picture: user.image ?? null,
      ...(id !== undefined && { sub: id }),
    },
    user,
    account: publicAccount(signedIn),
    trigger: isNewUser ? 'signUp' : 'signIn',
    ...(profile && { profile }),
    ...(isNewUser !== undefined && { isNewUser }),
  })
  if (token === null) throw new AccessDenied('The `jwt` callback returned null at sign-in.')
  const claims = withRemovedSubject(begun, token, id)
  const userId = tokenUserOf(token, claims)
  // Without the engine's owner claim, `sub` is the owner, and the callback may have changed it.
  const admitted = userId === undefined || userId === id ? known : await revocation?.admit(userId)
  const linked = providerLink && (await revocation?.admitLinked(providerLink))
  const from = Math.max(admitted?.from ?? 0, linked?.from ?? 0)
  const presented = await presentedJwtTokens(context, false)
  return startJwtSession(context, { token, claims, userId, began, known, from, presented })
}

/** Replaces the token and its name, so that a copy of the old token gains nothing by the new proof. */
export async function stepUpJwtSession(context: CookieContext, step: StepUp): Promise<IssuedSession | null> {
  const { config } = context
  const { revocation } = config.session
  const presented = await presentedJwtTokens(context)
  const { found, isAmbiguous } = await chooseToken(context, presented)
  assertUnambiguous(isAmbiguous)
  // The session of the proof may have ended, and the request may contain another one.
  if (!found || sessionIdOf(found.claims.sid) !== step.sid) return null
  const { userId } = found.known
  const { auth_began: startedAt, auth_op: op, sid } = found.claims
  const link = op && { ...op, at: Number.POSITIVE_INFINITY }
  // Read before the session is looked up again: a later end changes the stamp.
  const stamp = userId === undefined ? undefined : await readStamp(config, { userId, link, sid })
  if (await revocation?.querySession(found.known)) return null
  const token = await callJwtCallback(config, { token: found.token })
  if (!token) return null
  const known = userId === undefined ? undefined : await revocation?.admit(userId)
  const claims = stepUpClaims(found.claims, step)
  const place = userId === undefined ? undefined : await revocation?.lists?.beginningOf(userId, sid)
  // A sign-out in this process, which no store knows of.
  if (endedInThisProcess(config, [sid])) return null
  return startJwtSession(context, {
    token,
    claims,
    userId,
    began: { ...place, proofs: claimProofs(claims), startedAt, stamp },
    known,
    presented,
  })
}

/** Starts a session. If it rejects before the cookie is written, nothing has ended, and the browser keeps its session. */
async function startJwtSession(
  context: CookieContext,
  { token, claims: begun, userId, began, known, from = 0, presented }: NewJwtSession,
): Promise<IssuedSession> {
  const { config } = context
  const { revocation } = config.session
  // A session under a new name starts now for earlier ends: they did not end it.
  const begins = began.startedAt === undefined ? 0 : (known?.now ?? nowInSeconds())
  const claims = revocation ? withEpoch(begun, userId, Math.max(begins, known?.from ?? 0, from)) : begun
  const sealed = await encryptToken(context, restoreClaims(token, claims))
  assertSessionFits(context, sealed.token)
  await recordProviderLink(config, claims)
  await assertStampUnchanged(config, began.stamp)
  const replaced = presented.names()
  await revocation?.endReplaced(sessionNamesIn(replaced))
  writeSessionCookie(context, sealed)
  await writeSessionProof(context, claims.sid)
  await recordInList(config, { token, claims }, began)
  recordEndedSessions(config, replaced)
  const issued = { name: claims.sid, token: sealed.token, expires: new Date(renewedExpiry(config, claims)) }
  return { sid: sessionIdOf(claims.sid), ...issued, replaced: presented.valid.map(tokenToEndedSession) }
}
