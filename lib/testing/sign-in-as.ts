/** A signed-in agent of supertest. */
import type { FullStackAuthConfig } from '../types/config.js'
import { assertTests } from './assert-tests.js'
import { createSession, type TestSession, type TestSessionOptions } from './create-session.js'

/** The cookie interface of an agent of supertest or superagent. */
export interface CookieAgent {
  /** The cookie jar. */
  readonly jar: {
    /** Adds cookies, in the form of `Set-Cookie` headers. */
    setCookies(lines: string[], domain: string, path: string): unknown
  }
}

/**
 * Signs in an agent of supertest: it sends the session with each later request, and stores the cookies of responses.
 *
 * @param agent `request.agent(app)` of supertest, for an application on this machine.
 * @throws as {@link createSession} does.
 *
 * @example
 * ```ts
 * const ann = request.agent(app)
 * await signInAs(ann, config, { user: { email: 'ann@example.com' } })
 * await ann.get('/account').expect(200)
 * ```
 */
export async function signInAs(
  agent: CookieAgent,
  config: FullStackAuthConfig,
  options: TestSessionOptions = {},
): Promise<TestSession> {
  assertTests('signInAs')
  const session = await createSession(config, options)
  const hosts = new Set(['127.0.0.1', 'localhost', ...session.storageState.cookies.map(({ domain }) => domain)])
  // Agents use http, even if AUTH_URL is an https URL.
  const lines = session.setCookies.map((line) => line.replace(/;\s*Secure/gi, '').replace(/;\s*Domain=[^;]*/gi, ''))
  for (const host of hosts) agent.jar.setCookies([...lines], host, '/')
  return session
}
