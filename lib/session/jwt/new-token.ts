/** The new token of a session: the `jwt` callback, whether a token that was read is replaced, and what is noted of the session. */
import { after } from '../../base/after.js'
import { isRecord } from '../../base/guards.js'
import type { Beginning, CookieContext, ResolvedConfig } from '../../contracts/index.js'
import { readHeader } from '../../crypto/jwe.js'
import { sessionKey } from '../../crypto/keys.js'
import { CallbackRouteError, TooManyCookies, toError } from '../../errors.js'
import { encode } from '../../jwt.js'
import { authenticationOf } from '../../principal/index.js'
import type { JwtCallbackParams } from '../../types/config.js'
import type { Awaitable } from '../../types/identity.js'
import type { JWT } from '../../types/jwt.js'
import { endOf, isDue, isOfTheFuture, nowInSeconds } from '../lifetime.js'
import { writeSessionCookie } from '../session-cookie.js'
import { countedStart, type EngineClaims, hasChanged, lifespanOf, ownClaims, pinClaims } from './claims.js'
import { type FoundToken, toKnown } from './held-token.js'

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
