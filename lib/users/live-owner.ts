/** Whose session a browser holds, where something is about to be attached to its user. */
import type { AuthContext, SessionOwner } from '../contracts/index.js'
import { AuthError, SessionTokenError, toError } from '../errors.js'

/**
 * The owner, of a session that is one for everybody else too: an encrypted token does not know by itself that its user was
 * disabled, or signed out everywhere. The `jwt` callback does. And of a session that did not begin in this browser: who planted
 * it would get what is attached.
 */
export async function liveOwner(context: AuthContext): Promise<SessionOwner | null> {
  const { config, sessions } = context
  const owner = await sessions.owner(context)
  if (!owner || linkableKey(owner) === undefined) return null
  try {
    return (await sessions.read(context, { writable: true })) && owner
  } catch (error) {
    if (error instanceof AuthError) throw error
    // Signing in anew is how a person gets out of it.
    config.logger.error(
      new SessionTokenError('The session could not be read: nothing is linked to it.', toError(error)),
    )
    return null
  }
}

/** The key of a session to which something may be linked. */
export function linkableKey(owner: SessionOwner | null): string | undefined {
  return owner?.beganHere ? owner.key : undefined
}
