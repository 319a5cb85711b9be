/** Writes the session cookie: one, or as many chunks as the token needs. The same write clears obsolete ones. */
import type { CookieContext, ResolvedConfig, SessionLifetime } from '../contracts/index.js'
import { SessionTooLarge } from '../errors.js'
import { isCookieOrChunkOf, maxValueSize, presentedCookieNames, splitChunks } from '../http/chunks.js'
import { assertCookieBudget } from '../http/cookie-budget.js'
import type { CookieJar } from '../http/cookies.js'
import type { CookieOption } from '../types/cookies.js'

/** Called when the headers are written. Returns whether the cookie may still be set or cleared. */
type StillValid = (() => boolean) | undefined

/**
 * Checks whether a session token fits into cookies, besides those of the browser.
 *
 * @param isRenewal Whether it replaces a token of the same session.
 * @throws {@link SessionTooLarge} for a token that is too long, {@link TooManyCookies} when the other cookies leave no
 *   room.
 */
export function assertSessionFits({ cookies, cookiePolicy }: CookieContext, token: string, isRenewal = false): void {
  // As it is sent: an application's `encode` may use characters that cookies escape.
  const { length } = encodeURIComponent(token)
  if (length > maxValueSize) {
    throw new SessionTooLarge(
      `The session token has ${length} characters; ${maxValueSize} fit into the cookies that servers accept. Put less into the token in your \`jwt\` callback, or into \`session.data\`.`,
    )
  }
  assertCookieBudget(cookies, cookiePolicy, { name: cookiePolicy.sessionToken.name, value: token, isRenewal })
}

/** A session token to write. */
export interface WrittenToken {
  readonly token: string
  /** Seconds until the browser drops it. */
  readonly maxAge: number
  /** True if the user chose to stay signed in. Otherwise the browser drops the token when it is closed. */
  readonly remembered?: boolean | undefined
  readonly isStillValid?: StillValid
  /** True if it replaces a token of the same session. */
  readonly isRenewal?: boolean
}

/** Writes the session token. @throws {@link SessionTooLarge} {@link TooManyCookies} before anything is written. */
export function writeSessionCookie(context: CookieContext, written: WrittenToken): void {
  const { config, cookies, cookiePolicy } = context
  const { token, maxAge, isStillValid, isRenewal } = written
  const { name, options } = cookiePolicy.sessionToken
  assertSessionFits(context, token, isRenewal)
  const lasting = !endsWithBrowser(config, written) && { expires: new Date(Date.now() + maxAge * 1000) }
  const chunks = splitChunks(name, token)
  clearCookie(cookies, cookiePolicy.sessionToken, isStillValid, new Set(chunks.map(([chunk]) => chunk)))
  for (const [chunk, value] of chunks)
    cookies.set({ name: chunk, options: { ...options, ...lasting } }, value, isStillValid)
  clearLegacy(context, isStillValid)
}

/** Clears the session cookie and its chunks, both received ones and those that the response would set. */
export function clearSessionCookie(context: CookieContext, isStillValid?: StillValid): void {
  clearCookie(context.cookies, context.cookiePolicy.sessionToken, isStillValid)
  clearLegacy(context, isStillValid)
}

/** Returns the options for sessions of the previous library, if they are accepted. */
export function legacyOptionsOf({ session, jwt }: ResolvedConfig): ResolvedConfig['session']['legacy'] {
  return session.strategy === 'jwt' ? jwt.legacy : session.legacy
}

function clearCookie(jar: CookieJar, cookie: CookieOption, isStillValid: StillValid, keep?: ReadonlySet<string>): void {
  jar.withdraw((name) => isCookieOrChunkOf(name, cookie.name))
  for (const name of presentedCookieNames(jar.received, cookie.name)) {
    if (!keep?.has(name)) jar.clear({ name, options: cookie.options }, isStillValid)
  }
}

/** Clears the cookie of the previous library. Otherwise a sign-out would end only one of two sessions. */
function clearLegacy({ config, cookies, cookiePolicy }: CookieContext, isStillValid: StillValid): void {
  const { name, options } = cookiePolicy.sessionToken
  const legacy = legacyOptionsOf(config)?.cookieName
  // Under the same name, this library's cookie has replaced it and must not be cleared.
  if (legacy === undefined || legacy === name) return
  const secure = legacy.startsWith('__Secure-') || options.secure === true
  clearCookie(cookies, { name: legacy, options: { ...options, secure } }, isStillValid)
}

/* ---- lifetime ---------------------------------------------------------------------------------------------------- */

// The end and the extension of a session, with both strategies. Times are in milliseconds since the epoch, except those
// of a {@link SessionLifetime}, which are in seconds, as in tokens.

/** Returns the end of a session that was written at `writtenAt`: after its idle time, or at its absolute end. */
export function sessionExpiry(config: ResolvedConfig, writtenAt: number, lifespan: SessionLifetime): number {
  return Math.min(writtenAt + idleMaxAge(config, lifespan) * 1000, absoluteExpiry(config, lifespan))
}

/**
 * Returns the end of a session regardless of use: infinity, unless it is configured or was set when the session
 * started.
 */
export function absoluteExpiry({ session }: ResolvedConfig, { startedAt, end }: SessionLifetime): number {
  const { absoluteMaxAge = Number.POSITIVE_INFINITY } = session
  return Math.min(startedAt + absoluteMaxAge, end ?? Number.POSITIVE_INFINITY) * 1000
}

/**
 * Checks whether a token was written in the future: the clock was set back since, and the token would end too late.
 * Clocks of several machines may differ by a minute.
 *
 * @param iat Seconds since the epoch.
 */
export function isFromFuture(iat: number): boolean {
  return iat > Date.now() / 1000 + 60
}

/** The last second of the year 9999. */
const latestExpiry = 253_402_300_799

/**
 * Returns the end of a session with its own lifetime, in whole seconds since the epoch. It is limited to what the
 * tokens of both strategies can store: a session with an unreadable end would never end.
 */
export function ownExpiry(startedAt: number, maxAge: number): number {
  return Math.min(Math.floor(startedAt + maxAge), latestExpiry)
}

/** Checks whether `updateAge` has passed since the session was written. */
export function isExtensionDue({ session }: ResolvedConfig, writtenAt: number): boolean {
  return writtenAt + session.updateAge * 1000 <= Date.now()
}

/** Checks whether the browser drops the session when it is closed. A session without that choice is kept. */
function endsWithBrowser({ session }: ResolvedConfig, { remembered }: Pick<SessionLifetime, 'remembered'>): boolean {
  return session.rememberMaxAge !== undefined && remembered === false
}

/** Returns the idle time in seconds. A JWT's own end is in whole seconds, and its cookie must end at the same time. */
export function idleMaxAge(
  { session, jwt }: ResolvedConfig,
  { remembered }: Pick<SessionLifetime, 'remembered'>,
): number {
  const isJwt = session.strategy === 'jwt'
  const usual = isJwt ? Math.min(jwt.maxAge, session.maxAge) : session.maxAge
  const age = remembered ? (session.rememberMaxAge ?? usual) : usual
  return isJwt ? Math.floor(age) : age
}
