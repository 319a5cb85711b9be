/** `auth.users.get`: everything that the library knows about a user, without secrets. */
import { passwordProviderOf } from '../features/passwords/store.js'
import type { AnyCall } from '../functions/run.js'
import type { OpenSession } from '../types/account.js'
import type { UserDetails } from '../types/users.js'
import { describeSignInMethods, findStoredUser, listOpenSessions } from './stored-user.js'

/** Returns the user with accounts, passkeys, factors and sessions; `null` if no stored user has the id. */
export async function getUserDetails(call: AnyCall, userId: string): Promise<UserDetails | null> {
  const owner = await findStoredUser(call, userId, 'users.get')
  if (!owner) return null
  const { resolved, user } = owner
  const [disabled, sessions, methods, password] = await Promise.all([
    resolved.session.revocation?.listDisabled([user.id]),
    listOpenSessions(owner),
    describeSignInMethods(owner),
    passwordProviderOf(resolved)?.password.store.find(user.id),
  ])
  return {
    user,
    disabled: disabled?.has(user.id) ?? false,
    ...methods,
    sessions: sessions.map(({ current: _current, ...session }) => session),
    password: password ? { changedAt: password.changedAt } : null,
    lastSignIn: latestStart(sessions),
  }
}

function latestStart(sessions: readonly OpenSession[]): Date | null {
  // The user did not begin those of support.
  const times = sessions.flatMap(({ beganAt, support }) => (beganAt && !support ? [beganAt.getTime()] : []))
  return times.length > 0 ? new Date(Math.max(...times)) : null
}
