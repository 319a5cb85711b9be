/** How a session in a token begins in a browser: by a sign-in, or in the place of one in which more was proved. */
import { toldAccount } from '../../callbacks/events.js'
import type { Admission, Beginning, CookieContext, IssuedSession, SignedIn, StepUp } from '../../contracts/index.js'
import { AccessDenied } from '../../errors.js'
import type { JWT } from '../../types/jwt.js'
import { writeProof } from '../browser.js'
import { nowInSeconds } from '../lifetime.js'
import { hasEnded, noteEnded, sessionIdOf } from '../names.js'
import { assertUnchanged, readStamp } from '../security-stamp.js'
import { assertSure } from '../session-callback.js'
import { assertFits, writeSessionCookie } from '../session-cookie.js'
import { type EngineClaims, newClaims, pinClaims, proofsOf, steppedUp, withEpoch } from './claims.js'
import { choose, type HeldTokens, heldTokens, sessionsIn, toKnown, toLost, userOf } from './held-token.js'
import { askJwt, noteLinked, noteListed, seal } from './new-token.js'

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
