/** What a support desk does with a user: end all their sessions, keep them out, let them in again. */

import type { ResolvedConfig, Revocations, Store } from '../contracts/index.js'
import { sharedAuthOf } from '../engine/index.js'
import { InvalidConfiguration, MissingAdapterMethods } from '../errors.js'
import type { ServerAuthConfig } from '../types/config.js'
import { inTurn } from './person.js'

/**
 * Ends all sessions that a user has: after a changed password, a lost device, or with the user's deletion. Sessions that begin
 * later are not concerned, were it in the same second.
 *
 * It takes nobody's word: call it for the user of the request, or where the application knows that who asks may.
 *
 * @param userId The id of the stored user; without an adapter, and with credentials and JWT sessions, what `sub` of the token said at the sign-in.
 * @throws {@link InvalidConfiguration} with JWT sessions and no `session.revocation`, {@link MissingAdapterMethods} with database
 * sessions and an adapter without `listSessionsByUserId`, {@link AdapterError} when the store fails.
 *
 * @example
 * ```ts
 * await changePassword(user.id, password)
 * await endSessionsOf(config, user.id)
 * ```
 */
export async function endSessionsOf(config: ServerAuthConfig, userId: string): Promise<void> {
  const { config: resolved } = sharedAuthOf(config)
  assertId(userId)
  if (resolved.session.strategy === 'jwt') return revocationOf(resolved, 'endSessionsOf').endAllOf(userId)
  const { store } = resolved
  if (!store?.can.listSessions) {
    throw new MissingAdapterMethods(
      'The adapter has no method `listSessionsByUserId`: sessions of a user cannot be ended.',
    )
  }
  await endRows(resolved, store, userId)
}

/**
 * Keeps a user out: they have no session from now on, in other processes within `maxStale` of `session.revocation`, and cannot
 * sign in by any way (`AccessDenied`). Nothing of theirs is deleted.
 *
 * @param userId As in {@link endSessionsOf}.
 * @throws {@link InvalidConfiguration} without `session.revocation`, with database sessions too: it is noted there.
 * {@link AdapterError} when the store fails; in this process the user is kept out all the same.
 */
export async function disableUser(config: ServerAuthConfig, userId: string): Promise<void> {
  const { config: resolved } = sharedAuthOf(config)
  assertId(userId)
  await revocationOf(resolved, 'disableUser').disable(userId)
  const { store, session } = resolved
  // After that: a session that begins meanwhile sees that the user is disabled, or its row is found here.
  if (session.strategy === 'database' && store?.can.listSessions) await endRows(resolved, store, userId)
}

/**
 * Lets a disabled user sign in again. Their sessions from before do not come back.
 *
 * @param userId As in {@link endSessionsOf}.
 * @throws {@link InvalidConfiguration} without `session.revocation`, {@link AdapterError} when the store fails.
 */
export async function enableUser(config: ServerAuthConfig, userId: string): Promise<void> {
  const { config: resolved } = sharedAuthOf(config)
  assertId(userId)
  await revocationOf(resolved, 'enableUser').enable(userId)
}

/** `undefined` would be a user whom nobody is: their sessions would seem to have ended. */
function assertId(userId: unknown): void {
  if (typeof userId !== 'string' || userId === '') throw new TypeError('The id of a user is needed.')
}

function revocationOf({ session }: ResolvedConfig, what: string): Revocations {
  if (session.revocation) return session.revocation
  throw new InvalidConfiguration(
    `\`${what}\` needs \`session.revocation\`: a store in which it is noted for all processes, or \`true\` with an adapter of ours.`,
  )
}

/** Behind whoever is about to attach something in one of them: it is there before, or not at all. */
async function endRows(resolved: ResolvedConfig, store: Store, userId: string): Promise<void> {
  const user = await store.getUser(userId)
  // Without a user there is nothing to attach to.
  if (!user) return deleteAll(store, userId)
  await inTurn({ resolved, store, user }, (locked) => deleteAll(locked.store, userId))
}

async function deleteAll(store: Store, userId: string): Promise<void> {
  for (const { sessionToken } of await store.listSessions(userId)) await store.deleteSession(sessionToken)
}
