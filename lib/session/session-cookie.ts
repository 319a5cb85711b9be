/** The session cookie: one, or as many chunks as the token needs; what no longer belongs is cleared with the same write. */
import type { CookieContext, Lifespan, ResolvedConfig } from '../contracts/index.js'
import { SessionTooLarge } from '../errors.js'
import { heldNames, isShapeOf, maxValueSize, splitChunks } from '../http/chunks.js'
import { assertRoom } from '../http/cookie-budget.js'
import type { CookieJar } from '../http/cookies.js'
import type { CookieOption } from '../types/cookies.js'

/** Asked when the answer's headers are written: whether the cookie may still be set or cleared. */
type Holds = (() => boolean) | undefined

/**
 * Checks whether a session token fits into cookies, beside those that the browser has.
 *
 * @param isRenewal Whether it takes the place of a token of the same session.
 * @throws {@link SessionTooLarge} for a token that is too long, {@link TooManyCookies} where there is no room for it.
 */
export function assertFits({ cookies, cookiePolicy }: CookieContext, token: string, isRenewal = false): void {
  // As it is sent: an `encode` of the developer's may use characters that cookies do not take.
  const { length } = encodeURIComponent(token)
  if (length > maxValueSize) {
    throw new SessionTooLarge(
      `The session token has ${length} characters; ${maxValueSize} fit into the cookies that servers accept. Put less into the token in your \`jwt\` callback, or into \`session.data\`.`,
    )
  }
  assertRoom(cookies, cookiePolicy, { name: cookiePolicy.sessionToken.name, value: token, isRenewal })
}

/** A session token that is written. */
export interface WrittenToken {
  readonly token: string
  /** Seconds until the browser drops it. */
  readonly maxAge: number
  /** Whether the user wants to be kept signed in. Otherwise the browser drops the token when it is closed. */
  readonly remembered?: boolean | undefined
  readonly holds?: Holds
  /** Whether it takes the place of a token of the same session. */
  readonly isRenewal?: boolean
}

/** Writes the session token. @throws {@link SessionTooLarge} {@link TooManyCookies} before anything is written. */
export function writeSessionCookie(context: CookieContext, written: WrittenToken): void {
  const { config, cookies, cookiePolicy } = context
  const { token, maxAge, holds, isRenewal } = written
  const { name, options } = cookiePolicy.sessionToken
  assertFits(context, token, isRenewal)
  const lasting = !endsWithBrowser(config, written) && { expires: new Date(Date.now() + maxAge * 1000) }
  const chunks = splitChunks(name, token)
  clear(cookies, cookiePolicy.sessionToken, holds, new Set(chunks.map(([chunk]) => chunk)))
  for (const [chunk, value] of chunks) cookies.set({ name: chunk, options: { ...options, ...lasting } }, value, holds)
  clearLegacy(context, holds)
}

/** Clears the session cookie in every shape that the browser holds, or would get by this answer. */
export function clearSessionCookie(context: CookieContext, holds?: Holds): void {
  clear(context.cookies, context.cookiePolicy.sessionToken, holds)
  clearLegacy(context, holds)
}

/** Sessions of the library that was here before, where they are accepted. */
export function legacyOf({ session, jwt }: ResolvedConfig): ResolvedConfig['session']['legacy'] {
  return session.strategy === 'jwt' ? jwt.legacy : session.legacy
}

function clear(jar: CookieJar, cookie: CookieOption, holds: Holds, keep?: ReadonlySet<string>): void {
  jar.withdraw((name) => isShapeOf(name, cookie.name))
  for (const name of heldNames(jar.received, cookie.name)) {
    if (!keep?.has(name)) jar.clear({ name, options: cookie.options }, holds)
  }
}

/** With the cookie of the library that was here before still in the browser, a sign-out would end only one of both. */
function clearLegacy({ config, cookies, cookiePolicy }: CookieContext, holds: Holds): void {
  const { name, options } = cookiePolicy.sessionToken
  const legacy = legacyOf(config)?.cookieName
  // Under the same name our own has taken its place, and must not be cleared with it.
  if (legacy === undefined || legacy === name) return
  const secure = legacy.startsWith('__Secure-') || options.secure === true
  clear(cookies, { name: legacy, options: { ...options, secure } }, holds)
}

/* ---- lifetime ---------------------------------------------------------------------------------------------------- */

// When a session ends and when it is extended, with both strategies. Every time is in milliseconds since the epoch, but those of a
// {@link Lifespan}, which are in seconds, as tokens say them.

/** Seconds since the epoch. */
export function nowInSeconds(): number {
  return Math.floor(Date.now() / 1000)
}

/** When a session that was written at `writtenAt` ends: after so long without a visit, or at its absolute end. */
export function endOf(config: ResolvedConfig, writtenAt: number, lifespan: Lifespan): number {
  return Math.min(writtenAt + idleAge(config, lifespan) * 1000, absoluteEnd(config, lifespan))
}

/** When a session ends however often it is used: never, unless it is configured, or was said when it began. */
export function absoluteEnd({ session }: ResolvedConfig, { startedAt, end }: Lifespan): number {
  const { absoluteMaxAge = Number.POSITIVE_INFINITY } = session
  return Math.min(startedAt + absoluteMaxAge, end ?? Number.POSITIVE_INFINITY) * 1000
}

/**
 * Whether a token says that it was written in the future: the clock was set back since, and it would end too late by as much. Clocks of
 * several machines may differ by a minute. @param iat Seconds since the epoch.
 */
export function isOfTheFuture(iat: number): boolean {
  return iat > Date.now() / 1000 + 60
}

/** The last second of the year 9999. */
const latest = 253_402_300_799

/**
 * Seconds since the epoch at which a session ends that is to last so long: whole ones, and no more than the tokens of both strategies
 * can say. What such a token does not say would never end.
 */
export function ownEnd(startedAt: number, maxAge: number): number {
  return Math.min(Math.floor(startedAt + maxAge), latest)
}

/** Whether `updateAge` has passed since the session was written. */
export function isDue({ session }: ResolvedConfig, writtenAt: number): boolean {
  return writtenAt + session.updateAge * 1000 <= Date.now()
}

/** Whether the browser forgets the session when it is closed. A session that says nothing of it is kept. */
function endsWithBrowser({ session }: ResolvedConfig, { remembered }: Pick<Lifespan, 'remembered'>): boolean {
  return session.rememberMaxAge !== undefined && remembered === false
}

/** Seconds without a visit. A token and its cookie must not outlive each other; the token's own end is in whole seconds. */
export function idleAge({ session, jwt }: ResolvedConfig, { remembered }: Pick<Lifespan, 'remembered'>): number {
  const isJwt = session.strategy === 'jwt'
  const usual = isJwt ? Math.min(jwt.maxAge, session.maxAge) : session.maxAge
  const age = remembered ? (session.rememberMaxAge ?? usual) : usual
  return isJwt ? Math.floor(age) : age
}
