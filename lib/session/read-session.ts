/** Reads the session outside our own routes: for `getSession`, and for the shim's `auth`. */
import { cookiePolicies } from '../config/cookies.js'
import { assertTrusted } from '../config/resolve-site.js'
import type { ReadOptions, ResolvedConfig, SessionStrategy } from '../contracts/index.js'
import { heldNames } from '../http/chunks.js'
import { CookieJar } from '../http/cookies.js'
import { bearerToken } from '../jwt.js'
import type { Session } from '../types/session.js'

/** What was read, and the cookies to write for it. */
export interface SessionRead {
  readonly session: Session | null
  /**
   * `Set-Cookie` values by cookie name; empty when nothing was extended or cleared. Take them when the headers are written: a
   * session that has ended by then is not among them.
   */
  cookies(): ReadonlyMap<string, string>
}

/** What of a request the session is read from. */
export interface SessionSource {
  readonly cookie: string | undefined
  readonly authorization: string | undefined
  /** The request's origin; `undefined` where it cannot be known. */
  readonly origin: string | undefined
  readonly writable: boolean
}

/**
 * Reads the session by the origin's cookie name; where the origin cannot be known, by the prefixed name and then the
 * plain one.
 *
 * @throws {@link UntrustedHost} and whatever a callback throws: a guard must not take a fault for "signed out".
 */
export async function readSession(
  config: ResolvedConfig,
  sessions: SessionStrategy,
  source: SessionSource,
): Promise<SessionRead> {
  assertTrusted(config, source.origin)
  const jar = new CookieJar(source.cookie)
  const policies = cookiePolicies(config, config.site?.origin ?? source.origin)
  const held = policies.find(({ sessionToken }) => heldNames(jar.received, sessionToken.name).length > 0) ?? policies[0]
  const cookies = () => jar.written
  if (!held) return { session: null, cookies }
  const bearer = config.session.bearer ? bearerToken(source.authorization) : undefined
  const options: ReadOptions = { writable: source.writable, ...(bearer !== undefined && { bearer }) }
  return { session: await sessions.read(jar, held, options), cookies }
}
