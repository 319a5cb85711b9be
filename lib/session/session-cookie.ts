/** The session cookie: one, or as many chunks as the token needs; what no longer belongs is cleared with the same write. */
import type { CookiePolicy } from '../contracts/index.js'
import { SessionTooLarge } from '../errors.js'
import { heldNames, isShapeOf, maxValueSize, splitChunks } from '../http/chunks.js'
import type { CookieJar } from '../http/cookies.js'
import type { CookieOption } from '../types/cookies.js'

/**
 * Writes the session token.
 *
 * @param session `maxAge`: seconds until the browser drops it. `holds`: asked when the headers are written.
 * @throws {@link SessionTooLarge} before anything is written.
 */
export function writeSessionCookie(
  jar: CookieJar,
  policy: CookiePolicy,
  session: { token: string; maxAge: number; holds?: Holds },
): void {
  const { token, maxAge, holds } = session
  // As it is sent: an `encode` of the developer's may use characters that cookies do not take.
  const { length } = encodeURIComponent(token)
  if (length > maxValueSize) {
    throw new SessionTooLarge(
      `The session token has ${length} characters; ${maxValueSize} fit into the cookies that servers accept. Put less into the token in your \`jwt\` callback.`,
    )
  }
  const expires = new Date(Date.now() + maxAge * 1000)
  const chunks = splitChunks(policy.sessionToken.name, token)
  const written = new Set(chunks.map(([name]) => name))
  clearSessionCookie(jar, policy.sessionToken, { keep: written, holds })
  for (const [name, value] of chunks) {
    jar.set({ name, options: { ...policy.sessionToken.options, expires } }, value, holds)
  }
}

/** Whether a cookie may still be set. */
type Holds = (() => boolean) | undefined

/** Clears the session cookie in every shape that the browser holds, or would get by this answer. */
export function clearSessionCookie(
  jar: CookieJar,
  cookie: CookieOption,
  { keep, holds }: { keep?: ReadonlySet<string>; holds?: Holds } = {},
): void {
  jar.withdraw((name) => isShapeOf(name, cookie.name))
  for (const name of heldNames(jar.received, cookie.name)) {
    if (!keep?.has(name)) jar.clear({ name, options: cookie.options }, holds)
  }
}

/** Tells the browser to drop the session cookie of the library that was here before: two side by side would confuse a sign-out. */
export function clearLegacyCookie(
  jar: CookieJar,
  policy: CookiePolicy,
  legacy: { name: string | undefined; holds?: Holds },
): void {
  const { name, options } = policy.sessionToken
  // Under the same name our own has taken its place, and must not be cleared with it.
  if (legacy.name === undefined || legacy.name === name) return
  const secure = legacy.name.startsWith('__Secure-') || options.secure === true
  clearSessionCookie(jar, { name: legacy.name, options: { ...options, secure } }, { holds: legacy.holds })
}
