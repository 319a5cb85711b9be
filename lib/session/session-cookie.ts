/** The session cookie: one, or as many chunks as the token needs; what no longer belongs is cleared with the same write. */
import type { CookiePolicy } from '../context.js'
import { SessionTooLarge } from '../errors.js'
import { heldNames, maxValueSize, splitChunks } from '../http/chunks.js'
import type { CookieJar } from '../http/cookies.js'
import type { CookieOption } from '../types.js'

/**
 * Writes the session token.
 *
 * @param maxAge Seconds until the browser drops it.
 * @throws {@link SessionTooLarge} before anything is written.
 */
export function writeSessionCookie(
  jar: CookieJar,
  policy: CookiePolicy,
  session: { token: string; maxAge: number },
): void {
  const { token, maxAge } = session
  if (token.length > maxValueSize) {
    throw new SessionTooLarge(
      `The session token has ${token.length} characters; ${maxValueSize} fit into the cookies that servers accept. Put less into the token in your \`jwt\` callback.`,
    )
  }
  const expires = new Date(Date.now() + maxAge * 1000)
  const chunks = splitChunks(policy.sessionToken.name, token)
  const written = new Set(chunks.map(([name]) => name))
  clearSessionCookie(jar, policy.sessionToken, (name) => !written.has(name))
  for (const [name, value] of chunks) {
    jar.set({ name, options: { ...policy.sessionToken.options, expires } }, value)
  }
}

/** Clears the session cookie in every shape that the browser holds. */
export function clearSessionCookie(
  jar: CookieJar,
  cookie: CookieOption,
  which: (name: string) => boolean = () => true,
): void {
  for (const name of heldNames(jar.received, cookie.name)) {
    if (which(name)) jar.clear({ name, options: cookie.options })
  }
}

/** Tells the browser to drop the session cookie of the library that was here before: two side by side would confuse a sign-out. */
export function clearLegacyCookie(jar: CookieJar, policy: CookiePolicy, legacyName: string | undefined): void {
  const { name, options } = policy.sessionToken
  // Under the same name our own has taken its place, and must not be cleared with it.
  if (legacyName === undefined || legacyName === name) return
  const secure = legacyName.startsWith('__Secure-') || options.secure === true
  clearSessionCookie(jar, { name: legacyName, options: { ...options, secure } })
}
