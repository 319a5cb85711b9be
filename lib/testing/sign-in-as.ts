/** A signed-in agent of supertest. */
import type { FullStackAuthConfig } from '../types/config.js'
import { createSession, type TestSession, type TestSessionOptions } from './create-session.js'
import { assertTests } from './only-tests.js'

/** An agent of supertest or superagent, as far as its cookies are concerned. */
export interface CookieAgent {
  /** Its cookies. */
  readonly jar: {
    /** Adds cookies, in the form of `Set-Cookie` headers. */
    setCookies(lines: string[], domain: string, path: string): unknown
  }
}

/**
 * Signs an agent of supertest in: it sends the session with each request from now on, and takes over what answers set.
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
  // Agents ask over http, also where the application is told by AUTH_URL that people come over https.
  const lines = session.setCookies.map((line) => line.replace(/;\s*Secure/gi, '').replace(/;\s*Domain=[^;]*/gi, ''))
  for (const host of hosts) agent.jar.setCookies([...lines], host, '/')
  return session
}
