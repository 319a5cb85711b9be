/** What the `session` callback starts from, and what it may return. */
import { isRecord } from '../base/guards.js'
import { CallbackRouteError } from '../errors.js'
import type { DefaultSession, Session } from '../types/session.js'

/** The session before the callback. It is sent to scripts, so nothing else of the token or the row is in it. */
export function toSession(user: NonNullable<Session['user']>, expires: number): Session {
  return { user, expires: new Date(expires).toISOString() }
}

/** What the callback returned, if that is a session. A forgotten `return` is an error, and signs nobody out. */
export function assertSession(returned: Session | DefaultSession): Session {
  if (isRecord(returned)) return returned
  throw new CallbackRouteError('The `session` callback returned no session: return the session.')
}
