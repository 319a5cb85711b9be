/** `GET|POST session`: reads the session, and changes it at the request of the client or of the application's code. */
import { assertTrusted } from '../config/site.js'
import type { AuthContext, SessionDataUpdater } from '../contracts/index.js'
import type { AuthResponse } from '../http/message.js'
import { assertCsrf } from '../session/csrf.js'
import type { Session } from '../types/session.js'

/** Returns the session of the `session` callback, or `null`. */
export async function session(context: AuthContext): Promise<AuthResponse> {
  const { request, sessions } = context
  const isUpdate = request.method === 'POST'
  if (isUpdate) assertCsrf(context)
  const update = isUpdate ? { data: request.body.data } : undefined
  const reading = await sessions.read(context, { writable: true, update })
  return { kind: 'json', status: 200, data: reading?.session ?? null }
}

/** Returns the session after a change of its data (`auth.sessions.setData`); `null` without a session. */
export async function setSessionData(context: AuthContext, change: SessionDataUpdater): Promise<Session | null> {
  assertTrusted(context.config, context.request.origin)
  const reading = await context.sessions.read(context, { writable: true, change })
  return reading?.session ?? null
}
