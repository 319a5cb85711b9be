/** Whose session a page is shown in. */
import type { AuthContext, SessionReading } from '../contracts/index.js'
import type { SignedInHere } from '../pages/index.js'
import type { User } from '../types/identity.js'
import { linkableKey } from '../users/linking.js'

/** The person as the `session` callback shows them; `null` when nobody is signed in, `undefined` where that is not known. */
export async function signedInUser(context: AuthContext): Promise<User | null | undefined> {
  const reading = await readForPage(context)
  return reading && userOf(reading)
}

/** What the sign-in page says to somebody who is signed in already. */
export async function signedInHere(context: AuthContext): Promise<SignedInHere | undefined> {
  const reading = await readForPage(context)
  if (!reading) return undefined
  // Whether another way to sign in would be added to the account.
  const principal = context.config.store ? await reading.principal().catch(() => null) : null
  const links = linkableKey(principal) !== undefined
  return { user: userOf(reading), signOutUrl: context.urls.page('signOut'), links }
}

/**
 * The session, read as `GET session` reads it, so that what a `jwt` callback renews is kept. `undefined` where that fails: the
 * page can be shown without it.
 */
async function readForPage(context: AuthContext): Promise<SessionReading | null | undefined> {
  const { config, request, sessions } = context
  if (request.method === 'HEAD') return undefined
  try {
    return await sessions.read(context, { writable: true })
  } catch {
    config.logger.debug('the session could not be read for a page, which is shown without it', {
      action: request.action,
    })
    return undefined
  }
}

/** A callback may return anything. */
function userOf({ session: { user } }: SessionReading): User {
  return typeof user === 'object' && user !== null ? user : {}
}
