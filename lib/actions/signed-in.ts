/** Whose session a page is shown in. */
import type { AuthContext } from '../contracts/index.js'
import type { User } from '../types/identity.js'
import { linkableKey } from '../users/linking.js'

/**
 * The person as the `session` callback shows them; `null` when nobody is signed in; `undefined` where that cannot be found
 * out: a page that could do without it must not fail for it. The session is read as `GET session` reads it, so that what a
 * `jwt` callback renews is kept.
 */
export async function signedInUser({ config, request, sessions, cookies, cookiePolicy }: AuthContext) {
  if (request.method === 'HEAD') return undefined
  try {
    const session = await sessions.read(cookies, cookiePolicy, { writable: true })
    return session && readUser(session.user)
  } catch {
    config.logger.debug('the session could not be read for a page, which is shown without it', {
      action: request.action,
    })
    return undefined
  }
}

/** Whether another way to sign in would be added to the account. */
export async function canLink({ config, sessions, cookies, cookiePolicy }: AuthContext): Promise<boolean> {
  if (!config.store) return false
  return linkableKey(await sessions.owner(cookies, cookiePolicy).catch(() => null)) !== undefined
}

/** A callback may return anything. */
function readUser(user: unknown): User {
  return typeof user === 'object' && user !== null ? user : {}
}
