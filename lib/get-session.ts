/** The function `getSession`, for handlers and guards. Runs without Express. */
import { isRecord } from './base/guards.js'
import { getEngine } from './engine/index.js'
import { InvalidConfiguration } from './errors.js'
import type { SessionRequest } from './session/reader.js'
import type { Adapter, AdapterUser } from './types/adapter.js'
import type { ServerAuthConfig } from './types/config.js'
import type { ReturnedSession, Session, SignedInSession } from './types/session.js'

export type { SessionRequest } from './session/reader.js'

/**
 * The values of the application's own fields of users, which the adapter of a configuration declares. `unknown` without a
 * declaration.
 */
export type UserFieldsOf<C> = C extends {
  /** The adapter, whose type has the fields. */
  adapter: Adapter<infer Fields>
}
  ? Fields
  : unknown

/** The type of stored users: with the application's own fields, if the adapter declares them. */
export type StoredUserOf<C> = AdapterUser & UserFieldsOf<C>

/** The names of `session.userFields`. */
type ShownFieldsOf<C> = C extends {
  /** The option `session` of the configuration. */
  session: {
    /** The names of fields of users. */
    userFields: readonly (infer Name extends string)[]
  }
}
  ? Name
  : never

/** The session type of a configuration: the return type of its `session` callback, or {@link Session} with its user. */
export type SessionOf<C> = C extends {
  /** The callbacks of the configuration. */
  callbacks: {
    /** The callback whose return type is used. */
    session: (...params: never[]) => infer Returned
  }
}
  ? Awaited<Returned> extends ReturnedSession
    ? Awaited<Returned>
    : Session
  : ServerAuthConfig extends C
    ? Session
    : SignedInSession<UserFieldsOf<C>, ShownFieldsOf<C>> & DataOf<C>

/** The data of a session, if the option is on. */
type DataOf<C> = C extends {
  /** The option `session` of the configuration. */
  session: {
    /** `true` if sessions have data of the application. */
    data: true
  }
}
  ? Required<Pick<Session, 'data'>>
  : unknown

/**
 * Reads the session, with one decryption per request; further calls get the same result.
 * A session in use is extended (`session.updateAge`) by a cookie on `req.res`, unless the response is public, its
 * headers have been sent, or it sets that cookie itself. A plain Node request has no response, so its session is not
 * extended.
 * @returns The session from the `session` callback; `null` without a signed-in user.
 * @throws Errors of your `jwt` or `session` callback, and {@link UntrustedHost}. A guard must treat them as "no".
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
  if (!req?.headers || !config) throw argumentError('getSession', req, config)
  const auth = getEngine(config)
  // The value comes from the `session` callback of this configuration.
  return auth.readRequest(req) as Promise<SessionOf<C> | null>
}

/** Returns the error for a call without a request or a configuration, or with both in the wrong order. */
export function argumentError(caller: string, req: unknown, config: unknown): Error {
  const usage = `Call ${caller}(req, config), or auth.${caller}(req) of defineAuth.`
  if (isRequest(req)) return new InvalidConfiguration(`${caller} got no configuration. ${usage}`)
  if (isRequest(config)) return new TypeError(`${caller} got its arguments in the wrong order. ${usage}`)
  return new TypeError(`${caller} needs the request as its first argument. ${usage}`)
}

/** Checks whether an argument is a request of Express or Node. */
export function isRequest(value: unknown): value is SessionRequest {
  return isRecord(value) && isRecord(value.headers)
}
