/** The new token of a session: the `jwt` callback, whether a token that was read is replaced, and what is noted of the session. */
import { after } from '../../base/after.js'
import { isRecord } from '../../base/guards.js'
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
import { assertFits, endOf, isDue, isOfTheFuture, nowInSeconds, writeSessionCookie } from '../session-cookie.js'
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

/** The `jwt` callback's decision. A forgotten `return` is an error, not a sign-out; `true` is no token. */
export function askJwt(config: ResolvedConfig, params: JwtCallbackParams): Awaitable<JWT | null> {
  return after(config.callbacks.jwt(params), (token) => {
    if (token === null || isRecord(token)) return token
    throw new CallbackRouteError('The `jwt` callback must return the token, or null to end the session.')
  })
}

/** When a token that is made now will end, in milliseconds since the epoch. */
export function renewedExpiry(config: ResolvedConfig, claims: EngineClaims): number {
  return endOf(config, nowInSeconds() * 1000, lifespanOf(claims))
}

/** Seals a token for as long as it may live, for `writeSessionCookie`. */
export async function seal({ config, cookiePolicy }: CookieContext, token: JWT & EngineClaims) {
  const maxAge = renewedExpiry(config, token) / 1000 - nowInSeconds()
  const salt = cookiePolicy.sessionToken.name
  const text = await config.jwt.encode({ token, secret: [...config.secrets], salt, maxAge })
  return { token: text, maxAge, remembered: token.auth_remember }
}

/** Notes a session for the list of the user's sessions, where one is kept. @param began Absent where the session goes on. */
export function noteListed(config: ResolvedConfig, found: Pick<FoundToken, 'token' | 'claims'>, began?: Beginning) {
  const { sid, auth_began: signedInAt } = found.claims
  const startedAt = countedStart(found.claims)
  const session = { sid, userId: toKnown(found).userId, startedAt, expires: renewedExpiry(config, found.claims) }
  return config.session.revocation?.lists?.note({ ...session, began: began && factsOf(began, signedInAt) })
}

function factsOf({ proofs, provider, device, network, remembered }: Beginning, signedInAt: number) {
  return { provider, device, network, remembered, amr: authenticationOf(proofs).amr, signedInAt }
}

/** Notes by which session at a provider one began, where frames may end it. Rejects where that cannot be noted. */
export function noteLinked(config: ResolvedConfig, claims: EngineClaims): Awaitable<unknown> {
  const { sid, auth_op: provider } = claims
  const session = { sid, startedAt: countedStart(claims), provider }
  return config.session.revocation?.noteLinked(session, renewedExpiry(config, claims))
}

/**
 * Whether the cookie is written anew without being asked to: a bearer token never is, a session of Auth.js always.
 *
 * @param before The token before the `jwt` callback had it. `claims`: as {@link ownClaims} writes them, where they may be others by now.
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

/** Whether the token was made under an older secret. It gets a new one at once, so that the old one can be dropped soon. */
function hasOldKey({ secrets, jwt }: ResolvedConfig, salt: string, text: string): Awaitable<boolean> {
  if (secrets.length === 1 || jwt.encode !== encode) return false
  const kid = readHeader(text)?.kid
  if (kid === undefined) return false
  return after(sessionKey(secrets[0], salt), ({ thumbprint }) => after(thumbprint, (newest) => kid !== newest))
}

/**
 * Writes the cookie of a token that takes the place of the one that was read.
 *
 * @param isAsked Whether the application asked for a change.
 * @throws {@link SessionTooLarge}; {@link TooManyCookies} where the application asked for a change.
 */
export async function renewToken(
  context: CookieContext,
  { found, token, holds, isAsked }: { found: FoundToken; token: JWT; holds: () => boolean; isAsked: boolean },
): Promise<void> {
  const { config } = context
  // Pinned again: the `session` callback had the token, too.
  const sealed = await seal(context, pinClaims(token, found.claims))
  try {
    writeSessionCookie(context, { ...sealed, holds: whileRecent(config, holds), isRenewal: !isAsked })
  } catch (error) {
    // The session was read and is valid: cookies of the application that take the room do not sign the user out.
    if (isAsked || !(error instanceof TooManyCookies)) throw error
    config.logger.error(error)
    return
  }
  try {
    await noteLinked(config, found.claims)
  } catch (error) {
    // That it cannot be noted for longer is no reason to turn the user away.
    config.logger.error(toError(error))
  }
  await noteListed(config, found)
}

/**
 * A cookie is written by what is known a moment ago: an answer that comes late would else put the cookie of a session that was
 * ended elsewhere into the place of one that began meanwhile.
 */
export function whileRecent({ session: { revocation } }: ResolvedConfig, holds: () => boolean): () => boolean {
  return revocation ? () => revocation.isRecent() && holds() : holds
}

/* ---- beginning --------------------------------------------------------------------------------------------------- */

// How a session in a token begins in a browser: by a sign-in, or in the place of one in which more was proved.

/** A session that begins. */
interface NewSession {
  /** As the `jwt` callback returned it. */
  readonly token: JWT
  readonly claims: EngineClaims
  readonly userId: string | undefined
  readonly began: Beginning
  /** Of the user, as the session begins. */
  readonly known: Admission | undefined
  /** Seconds by the store's clock: the session began after the ends before. */
  readonly from?: number
  /** The tokens that the browser has. Their sessions end. */
  readonly held: HeldTokens
}

export async function issue(context: CookieContext, signedIn: SignedIn, began: Beginning): Promise<IssuedSession> {
  const { config } = context
  const { user, profile, isNewUser, providerLink } = signedIn
  const { revocation } = config.session
  // Before the callback, which gets the user's own object.
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
  // Without an owner of the engine's `sub` says whose session it is, and the callback may have written another one.
  const admitted = userId === undefined || userId === id ? known : await revocation?.admit(userId)
  const linked = providerLink && (await revocation?.admitLinked(providerLink))
  const from = Math.max(admitted?.from ?? 0, linked?.from ?? 0)
  return begin(context, { token, claims, userId, began, known, from, held: await heldTokens(context, false) })
}

/** Another token under another name: who has a copy of the old one gets nothing by what is proved now. */
export async function stepUp(context: CookieContext, step: StepUp): Promise<IssuedSession | null> {
  const { config } = context
  const { revocation } = config.session
  const held = await heldTokens(context)
  const { found, isUnsure } = await choose(context, held)
  assertSure(isUnsure)
  // The one in which it was proved may have ended a moment ago, and the request carry somebody else's as well.
  if (!found || sessionIdOf(found.claims.sid) !== step.of) return null
  const { userId } = toKnown(found)
  const { auth_began: startedAt, auth_op: op, sid } = found.claims
  const link = op && { ...op, at: Number.POSITIVE_INFINITY }
  // Before the session is looked up again: an end that comes later changes the stamp.
  const stamp = userId === undefined ? undefined : await readStamp(config, { userId, link, sid })
  if (await revocation?.ask(toKnown(found))) return null
  const token = await askJwt(config, { token: found.token })
  if (!token) return null
  const known = userId === undefined ? undefined : await revocation?.admit(userId)
  const claims = steppedUp(found.claims, step)
  // A sign-out in this process, where no store knows of it.
  if (hasEnded(config, [sid])) return null
  return begin(context, { token, claims, userId, began: { proofs: proofsOf(claims), startedAt, stamp }, known, held })
}

/** Begins a session. Nothing has ended, and the browser keeps what it has, where this rejects before the cookie is written. */
async function begin(
  context: CookieContext,
  { token, claims: begun, userId, began, known, from = 0, held }: NewSession,
): Promise<IssuedSession> {
  const { config } = context
  const { revocation } = config.session
  // One that goes on under another name counts from now on: what ended before did not end it.
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
