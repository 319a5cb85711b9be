/** The door for handlers and guards: reads the session of a request. Runs without Express. */
import { authOf } from './engine/index.js'
import type { SessionRequest } from './session/reader.js'
import type { ServerAuthConfig } from './types/config.js'
import type { DefaultSession, Session } from './types/session.js'

export type { SessionRequest } from './session/reader.js'

/** The session of a configuration: what its `session` callback returns, else {@link Session}. */
export type SessionOf<C> = C extends {
  /** The callbacks of the configuration. */
  callbacks: {
    /** The callback whose type decides. */
    session: (...params: never[]) => infer Returned
  }
}
  ? Awaited<Returned> extends DefaultSession
    ? Awaited<Returned>
    : Session
  : C extends {
        /** The option `session` of the configuration. */
        session: {
          /** Whether sessions have data of the application. */
          data: true
        }
      }
    ? Session & Required<Pick<Session, 'data'>>
    : Session

/**
 * Reads the session. One decryption, once per request; further calls get the same result.
 *
 * A session in use is extended (`session.updateAge`) by a cookie on `req.res`, unless the response is public, its headers
 * are out, or it sets that cookie itself. A bare Node request has no response: nothing is extended then.
 *
 * @returns The session as the `session` callback shows it; `null` when nobody is signed in.
 * @throws What your `jwt` or `session` callback throws, and {@link UntrustedHost}: a guard must treat that as "no".
 *
 * @example
 * ```ts
 * const session = await getSession(req, config)
 * if (!session?.user) return res.redirect('/auth/signin')
 * ```
 */
export async function getSession<const C extends ServerAuthConfig>(
  req: SessionRequest,
  config: C,
): Promise<SessionOf<C> | null> {
  const auth = authOf(config)
  if (!req?.headers) throw new TypeError('getSession needs the request as its first argument: getSession(req, config).')
  // The type is what the `session` callback of this very configuration returns.
  return auth.readRequest(req) as Promise<SessionOf<C> | null>
}
