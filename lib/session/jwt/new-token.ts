/** Creates new session tokens: calls the `jwt` callback, decides about renewal, and records the session. */

import { after } from '../../base/after.js'
import { isRecord } from '../../base/guards.js'
import { nowInSeconds } from '../../base/recent.js'
import { toldAccount } from '../../callbacks/index.js'
import type {
  Admission,
  Beginning,
  CookieContext,
  IssuedSession,
  ResolvedConfig,
  SignedIn,
  StepUp,
} from '../../contracts/index.js'
import { readHeader } from '../../crypto/jwe.js'
import { sessionKey } from '../../crypto/keys.js'
import { AccessDenied, CallbackRouteError, TooManyCookies, toError } from '../../errors.js'
import { encode } from '../../jwt.js'
import { authenticationOf } from '../../principal/index.js'
import type { JwtCallbackParams } from '../../types/config.js'
import type { Awaitable } from '../../types/identity.js'
import type { JWT } from '../../types/jwt.js'
import { hasEnded, noteEnded, sessionIdOf, writeProof } from '../browser.js'
import { assertUnchanged, readStamp } from '../security-stamp.js'
import { assertSure } from '../session-callback.js'
import { assertFits, endOf, isDue, isOfTheFuture, writeSessionCookie } from '../session-cookie.js'
import {
  countedStart,
  type EngineClaims,
  hasChanged,
  lifespanOf,
  newClaims,
  ownClaims,
  pinClaims,
  proofsOf,
  steppedUp,
  withEpoch,
} from './claims.js'
import {
  choose,
  type FoundToken,
  type HeldTokens,
  heldTokens,
  sessionsIn,
  toKnown,
  toLost,
  userOf,
} from './held-token.js'

/** Calls the `jwt` callback and checks its result. A forgotten `return` throws, so that it does not sign users out. */
export function askJwt(config: ResolvedConfig, params: JwtCallbackParams): Awaitable<JWT | null> {
  return after(config.callbacks.jwt(params), (token) => {
    if (token === null || isRecord(token)) return token
    throw new CallbackRouteError('The `jwt` callback must return the token, or null to end the session.')
  })
}

/** Returns the end of a token that is made now, in milliseconds since the epoch. */
export function renewedExpiry(config: ResolvedConfig, claims: EngineClaims): number {
  return endOf(config, nowInSeconds() * 1000, lifespanOf(claims))
}

/** Encrypts a token for its lifetime, for `writeSessionCookie`. */
export async function seal({ config, cookiePolicy }: CookieContext, token: JWT & EngineClaims) {
  const maxAge = renewedExpiry(config, token) / 1000 - nowInSeconds()
  const salt = cookiePolicy.sessionToken.name
  const text = await config.jwt.encode({ token, secret: [...config.secrets], salt, maxAge })
  return { token: text, maxAge, remembered: token.auth_remember }
}

/**
 * Records a session in the list of the user's sessions, if there is one.
 *
 * @param began Absent when the session continues.
 */
export function noteListed(config: ResolvedConfig, found: Pick<FoundToken, 'token' | 'claims'>, began?: Beginning) {
  const { sid, auth_began: signedInAt } = found.claims
  const startedAt = countedStart(found.claims)
  const session = { sid, userId: toKnown(found).userId, startedAt, expires: renewedExpiry(config, found.claims) }
  return config.session.revocation?.lists?.note({ ...session, began: began && factsOf(began, signedInAt) })
}

function factsOf({ proofs, provider, device, network, remembered }: Beginning, signedInAt: number) {
  return { provider, device, network, remembered, amr: authenticationOf(proofs).amr, signedInAt }
}

/** Records the provider session of a session, if frames may end it. Rejects when it cannot be recorded. */
export function noteLinked(config: ResolvedConfig, claims: EngineClaims): Awaitable<unknown> {
  const { sid, auth_op: provider } = claims
  const session = { sid, startedAt: countedStart(claims), provider }
  return config.session.revocation?.noteLinked(session, renewedExpiry(config, claims))
}

/**
 * Checks whether the cookie is renewed without a request for it. A bearer token never is, a session of Auth.js always.
 *
 * @param before The token before the `jwt` callback. `claims`: its {@link ownClaims}, if they may have changed.
 * @param token The token after the callback.
 */
export function isToRenew(
  { config, cookiePolicy }: CookieContext,
  { source, text }: FoundToken,
  { before: { iat, claims }, token }: { before: { iat: unknown; claims: string | undefined }; token: JWT },
): Awaitable<boolean> {
  if (source === 'bearer') return false
  if (source === 'legacy' || typeof iat !== 'number' || isDue(config, iat * 1000) || isOfTheFuture(iat)) return true
  if (claims !== undefined && hasChanged(claims, ownClaims(token))) return true
  return hasOldKey(config, cookiePolicy.sessionToken.name, text)
}

/**
 * Checks whether the token was made with an older secret. Such a token is renewed at once, so that the secret can be
 * removed soon.
 */
function hasOldKey({ secrets, jwt }: ResolvedConfig, salt: string, text: string): Awaitable<boolean> {
  if (secrets.length === 1 || jwt.encode !== encode) return false
  const kid = readHeader(text)?.kid
  if (kid === undefined) return false
  return after(sessionKey(secrets[0], salt), ({ thumbprint }) => after(thumbprint, (newest) => kid !== newest))
}

/**
 * Writes the cookie of a renewed token.
 *
 * @param isAsked Whether the application requested a change.
 * @throws {@link SessionTooLarge}; {@link TooManyCookies} if the application requested a change.
 */
export async function renewToken(
  context: CookieContext,
  { found, token, holds, isAsked }: { found: FoundToken; token: JWT; holds: () => boolean; isAsked: boolean },
): Promise<void> {
  const { config } = context
  // Pinned again, because the `session` callback also received the token.
  const sealed = await seal(context, pinClaims(token, found.claims))
  try {
    writeSessionCookie(context, { ...sealed, holds: whileRecent(config, holds), isRenewal: !isAsked })
  } catch (error) {
    // The session is valid, so large cookies of the application must not sign the user out.
    if (isAsked || !(error instanceof TooManyCookies)) throw error
    config.logger.error(error)
    return
  }
  try {
    await noteLinked(config, found.claims)
  } catch (error) {
    // A failure to extend the record must not reject the user.
    config.logger.error(toError(error))
  }
  await noteListed(config, found)
}

/**
 * Restricts a cookie write to a recent state of the store: a late response would otherwise replace the cookie of a new
 * session by one of a session that was ended elsewhere.
 */
export function whileRecent({ session: { revocation } }: ResolvedConfig, holds: () => boolean): () => boolean {
  return revocation ? () => revocation.isRecent() && holds() : holds
}

/* ---- beginning --------------------------------------------------------------------------------------------------- */

// The start of a JWT session in a browser: by a sign-in, or by a step-up that replaces a session.

/** A session that starts. */
interface NewSession {
  /** The token of the `jwt` callback. */
  readonly token: JWT
  readonly claims: EngineClaims
  readonly userId: string | undefined
  readonly began: Beginning
  /** The admission of the user, when the session starts. */
  readonly known: Admission | undefined
  /** Seconds by the store's clock, after earlier ends of sessions. */
  readonly from?: number
  /** The tokens of the browser. Their sessions end. */
  readonly held: HeldTokens
}

export async function issue(context: CookieContext, signedIn: SignedIn, began: Beginning): Promise<IssuedSession> {
  const { config } = context
  const { user, profile, isNewUser, providerLink } = signedIn
  const { revocation } = config.session
  // Read before the callback, which gets the user object itself.
  const { id } = user
  const known = id === undefined ? undefined : await revocation?.admit(id)
  const claims = newClaims(signedIn, began, known?.now)
  const token = await askJwt(config, {
    token: {
      name: user.name ?? null,
      email: user.email || null,
      picture: user.image ?? null,
      ...(id !== undefined && { sub: id }),
    },
    user,
    account: toldAccount(signedIn),
    trigger: isNewUser ? 'signUp' : 'signIn',
    ...(profile && { profile }),
    ...(isNewUser !== undefined && { isNewUser }),
  })
  if (token === null) throw new AccessDenied('The `jwt` callback returned null at sign-in.')
  const userId = userOf(token, claims)
  // Without the engine's owner claim, `sub` is the owner, and the callback may have changed it.
  const admitted = userId === undefined || userId === id ? known : await revocation?.admit(userId)
  const linked = providerLink && (await revocation?.admitLinked(providerLink))
  const from = Math.max(admitted?.from ?? 0, linked?.from ?? 0)
  return begin(context, { token, claims, userId, began, known, from, held: await heldTokens(context, false) })
}

/** Replaces the token and its name, so that a copy of the old token gains nothing by the new proof. */
export async function stepUp(context: CookieContext, step: StepUp): Promise<IssuedSession | null> {
  const { config } = context
  const { revocation } = config.session
  const held = await heldTokens(context)
  const { found, isUnsure } = await choose(context, held)
  assertSure(isUnsure)
  // The session of the proof may have ended, and the request may contain another one.
  if (!found || sessionIdOf(found.claims.sid) !== step.of) return null
  const { userId } = toKnown(found)
  const { auth_began: startedAt, auth_op: op, sid } = found.claims
  const link = op && { ...op, at: Number.POSITIVE_INFINITY }
  // Read before the session is looked up again: a later end changes the stamp.
  const stamp = userId === undefined ? undefined : await readStamp(config, { userId, link, sid })
  if (await revocation?.ask(toKnown(found))) return null
  const token = await askJwt(config, { token: found.token })
  if (!token) return null
  const known = userId === undefined ? undefined : await revocation?.admit(userId)
  const claims = steppedUp(found.claims, step)
  // A sign-out in this process, which no store knows of.
  if (hasEnded(config, [sid])) return null
  return begin(context, { token, claims, userId, began: { proofs: proofsOf(claims), startedAt, stamp }, known, held })
}

/**
 * Starts a session. If it rejects before the cookie is written, nothing has ended, and the browser keeps its session.
 */
async function begin(
  context: CookieContext,
  { token, claims: begun, userId, began, known, from = 0, held }: NewSession,
): Promise<IssuedSession> {
  const { config } = context
  const { revocation } = config.session
  // A session under a new name starts now for earlier ends: they did not end it.
  const begins = began.startedAt === undefined ? 0 : (known?.now ?? nowInSeconds())
  const claims = revocation ? withEpoch(begun, userId, Math.max(begins, known?.from ?? 0, from)) : begun
  const sealed = await seal(context, pinClaims(token, claims))
  assertFits(context, sealed.token)
  await noteLinked(config, claims)
  await assertUnchanged(config, began.stamp)
  const replaced = held.names()
  await revocation?.retire(sessionsIn(replaced))
  writeSessionCookie(context, sealed)
  await writeProof(context, claims.sid)
  await noteListed(config, { token, claims }, began)
  noteEnded(config, replaced)
  return { sid: sessionIdOf(claims.sid), replaced: held.valid.map(toLost) }
}
