/** A change of the session's data (`session.data`): no route, but what the application's code asks for by `setSessionData`. */
import { assertTrusted } from '../config/resolve-site.js'
import type { AuthContext, ChangeData } from '../contracts/index.js'
import type { Session } from '../types/session.js'

/** The session after the change; `null` where nobody is signed in. */
export async function setSessionData(context: AuthContext, change: ChangeData): Promise<Session | null> {
  assertTrusted(context.config, context.request.origin)
  const reading = await context.sessions.read(context, { writable: true, change })
  return reading?.session ?? null
}
