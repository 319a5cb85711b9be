/** `GET|POST session`: reads the session; POST lets the client ask for a change. And a change that the application's code asks for. */
import { assertTrusted } from '../config/site.js'
import type { AuthContext, ChangeData } from '../contracts/index.js'
import type { AuthResponse } from '../http/message.js'
import { assertCsrf } from '../session/csrf.js'
import type { Session } from '../types/session.js'

/** The session as the `session` callback shows it, or `null`. */
export async function session(context: AuthContext): Promise<AuthResponse> {
  const { request, sessions } = context
  const isUpdate = request.method === 'POST'
  if (isUpdate) assertCsrf(context)
  const update = isUpdate ? { data: request.body.data } : undefined
  const reading = await sessions.read(context, { writable: true, update })
  return { kind: 'json', status: 200, data: reading?.session ?? null }
}

/** The session after a change of its data (`auth.sessions.setData`); `null` where nobody is signed in. */
export async function setSessionData(context: AuthContext, change: ChangeData): Promise<Session | null> {
  assertTrusted(context.config, context.request.origin)
  const reading = await context.sessions.read(context, { writable: true, change })
  return reading?.session ?? null
}
