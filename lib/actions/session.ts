/** `GET|POST session`: reads the session; POST lets the client ask for a change. */
import type { AuthContext } from '../contracts/index.js'
import type { AuthResponse } from '../http/message.js'
import { assertCsrf } from '../session/csrf.js'

/** The session as the `session` callback shows it, or `null`. */
export async function session(context: AuthContext): Promise<AuthResponse> {
  const { request, sessions, cookies, cookiePolicy } = context
  const isUpdate = request.method === 'POST'
  if (isUpdate) assertCsrf(context)
  const update = isUpdate ? { update: { data: request.body.data } } : {}
  const data = await sessions.read(cookies, cookiePolicy, { writable: true, ...update })
  return { kind: 'json', status: 200, data }
}
