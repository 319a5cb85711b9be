/** `GET|POST session`: reads the session; POST lets the client ask for a change. */
import type { AuthContext } from '../contracts/index.js'
import type { AuthResponse } from '../http/message.js'
import { assertCsrf } from '../session/csrf.js'

/** The session as the `session` callback shows it, or `null`. */
export async function session(context: AuthContext): Promise<AuthResponse> {
  const { request, sessions } = context
  const isUpdate = request.method === 'POST'
  if (isUpdate) assertCsrf(context)
  const update = isUpdate ? { data: request.body.data } : undefined
  const reading = await sessions.read(context, { writable: true, update })
  return { kind: 'json', status: 200, data: reading?.session ?? null }
}
