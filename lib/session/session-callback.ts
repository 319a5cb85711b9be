/** What the `session` callback starts from, and what it may return. */
import { isRecord } from '../base/guards.js'
import type { SessionValues } from '../contracts/index.js'
import { CallbackRouteError, InvalidRequest } from '../errors.js'
import type { Authentication } from '../types/config.js'
import type { Assurance, DefaultSession, Session } from '../types/session.js'

/** The session before the callback. It is sent to scripts, so nothing else of the token or the row is in it. */
export function toSession(
  user: NonNullable<Session['user']>,
  expires: number,
  { data, assurance }: { data?: SessionValues | undefined; assurance?: Authentication | undefined },
): Session {
  return {
    user,
    expires: new Date(expires).toISOString(),
    ...(data && { data }),
    ...(assurance && { assurance: toAssurance(assurance) }),
  }
}

function toAssurance({ auth_time: authTime, amr = [], aal = 1, reported_amr: reported }: Authentication): Assurance {
  return {
    aal,
    amr: [...amr],
    ...(authTime !== undefined && { authTime }),
    ...(reported && { reportedAmr: [...reported] }),
  }
}

/** Data is put into no session that somebody else may have planted. @throws {@link InvalidRequest} */
export function assertSure(isUnsure: boolean): void {
  if (!isUnsure) return
  throw new InvalidRequest('The request has several session cookies, and it is not known which one is this browser’s.')
}

/** What the callback returned, if that is a session. A forgotten `return` is an error, and signs nobody out. */
export function assertSession(returned: Session | DefaultSession): Session {
  if (isRecord(returned)) return returned
  throw new CallbackRouteError('The `session` callback returned no session: return the session.')
}
