/** The `session` callback: its session before and after the call. */
import { after } from '../base/after.js'
import { isRecord } from '../base/guards.js'
import type { ResolvedConfig, SessionValues } from '../contracts/index.js'
import { CallbackRouteError, InvalidRequest } from '../errors.js'
import type { AdapterUser } from '../types/adapter.js'
import type { Authentication } from '../types/config.js'
import type { Awaitable } from '../types/identity.js'
import type { JWT } from '../types/jwt.js'
import type { Assurance, Session } from '../types/session.js'

/** The parts of a session that are shown. It is sent to scripts, so nothing else of the token or the row is in it. */
export interface Shown {
  readonly user: NonNullable<Session['user']>
  /** Milliseconds since the epoch. */
  readonly expires: number
  readonly data: SessionValues | undefined
  readonly authentication: Authentication
  /** On a client update. */
  readonly update: { readonly data: unknown } | undefined
  /** Whether the session has not ended meanwhile. */
  readonly holds: () => boolean
}

/**
 * Returns the session as the callback shows it; `null` where the session has ended meanwhile. A forgotten `return` is an error, and signs
 * nobody out.
 *
 * @param of The token or the user, for the callback.
 */
export function showSession(
  { callbacks, factors }: ResolvedConfig,
  of: { readonly token: JWT } | { readonly user: AdapterUser },
  { user, expires, data, authentication, update, holds }: Shown,
): Awaitable<Session | null> {
  const session: Session = {
    user,
    expires: new Date(expires).toISOString(),
    ...(data && { data }),
    ...(factors && { assurance: toAssurance(authentication) }),
  }
  const newSession = update && { newSession: update.data, trigger: 'update' as const }
  const params =
    'token' in of
      ? { token: of.token, session, authentication, ...newSession }
      : { user: of.user, session, authentication, ...newSession }
  return after(callbacks.session(params), (returned) => {
    if (!isRecord(returned)) {
      throw new CallbackRouteError('The `session` callback returned no session: return the session.')
    }
    return holds() ? returned : null
  })
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
