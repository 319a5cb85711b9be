/** What a support desk does with a user: end all their sessions, keep them out, let them in again. */

import { emit, tellEnded } from '../callbacks/events.js'
import type { ResolvedConfig, Revocations, Store } from '../contracts/index.js'
import { sharedAuthOf } from '../engine/index.js'
import { InvalidConfiguration, MissingAdapterMethods } from '../errors.js'
import type { SessionRequest } from '../get-session.js'
import { header } from '../http/message.js'
import { readOrigin } from '../http/origin.js'
import { forgetBrowsers } from '../store/factors.js'
import type { ServerAuthConfig, SessionEndedMessage, UserAccessMessage } from '../types/config.js'
import { endOrphans, endRows } from './ended-rows.js'
import { infoOf } from './person.js'

/**
 * Ends all sessions that a user has: after a changed password, a lost device, or with the user's deletion. Sessions that begin
 * later are not concerned, were it in the same second.
 *
 * It takes nobody's word: call it for the user of the request, or where the application knows that who asks may.
 *
 * @param userId The id of the stored user; without an adapter, and with credentials and JWT sessions, what `sub` of the token said at the sign-in.
 * @param req The request of who does it, for `events.sessionEnded`. Leave it out where there is none.
 * @throws {@link InvalidConfiguration} with JWT sessions and no `session.revocation`, {@link MissingAdapterMethods} with database
 * sessions and an adapter without `listSessionsByUserId`, {@link AdapterError} when the store fails.
 *
 * @example
 * ```ts
 * await changePassword(user.id, password)
 * await endSessionsOf(config, user.id)
 * ```
 */
export async function endSessionsOf(config: ServerAuthConfig, userId: string, req?: SessionRequest): Promise<void> {
  const { config: resolved } = sharedAuthOf(config)
  assertId(userId)
  const facts = { reason: 'endSessionsOf' as const, ...(await actorOf(config, req)) }
  await endAndForget(resolved, userId, async () => {
    if (resolved.session.strategy === 'jwt') {
      await revocationOf(resolved, 'endSessionsOf').endAllOf(userId)
      return tellEnded(resolved, [{ userId }], facts)
    }
    const { store } = resolved
    if (!store?.can.listSessions) {
      throw new MissingAdapterMethods(
        'The adapter has no method `listSessionsByUserId`: sessions of a user cannot be ended.',
      )
    }
    await endAll(resolved, store, { userId, facts })
  })
}

/**
 * Keeps a user out: they have no session from now on, in other processes within `maxStale` of `session.revocation`, and cannot
 * sign in by any way (`AccessDenied`). Nothing of theirs is deleted.
 *
 * @param userId As in {@link endSessionsOf}.
 * @param req The request of who does it, for `events.userDisabled` and `sessionEnded`. Leave it out where there is none.
 * @throws {@link InvalidConfiguration} without `session.revocation`, with database sessions too: it is noted there.
 * {@link AdapterError} when the store fails; in this process the user is kept out all the same.
 */
export async function disableUser(config: ServerAuthConfig, userId: string, req?: SessionRequest): Promise<void> {
  const { config: resolved } = sharedAuthOf(config)
  assertId(userId)
  const by = await actorOf(config, req)
  await revocationOf(resolved, 'disableUser').disable(userId)
  await forgetBrowsers(resolved, userId)
  await emit(resolved, 'userDisabled', toAccess(userId, by))
  const { store, session } = resolved
  // After that: a session that begins meanwhile sees that the user is disabled, or its row is found here.
  const facts = { reason: 'disableUser' as const, ...by }
  if (session.strategy === 'database' && store?.can.listSessions) await endAll(resolved, store, { userId, facts })
  else await tellEnded(resolved, [{ userId }], facts)
}

/**
 * Lets a disabled user sign in again. Their sessions from before do not come back.
 *
 * @param userId As in {@link endSessionsOf}.
 * @param req The request of who does it, for `events.userEnabled`. Leave it out where there is none.
 * @throws {@link InvalidConfiguration} without `session.revocation`, {@link AdapterError} when the store fails.
 */
export async function enableUser(config: ServerAuthConfig, userId: string, req?: SessionRequest): Promise<void> {
  const { config: resolved } = sharedAuthOf(config)
  assertId(userId)
  const by = await actorOf(config, req)
  await revocationOf(resolved, 'enableUser').enable(userId)
  await emit(resolved, 'userEnabled', toAccess(userId, by))
}

/** Ends sessions, and forgets browsers before and after it: one that a sign-in adds meanwhile would outlive its session. */
export async function endAndForget<T>(resolved: ResolvedConfig, userId: string, end: () => Promise<T>): Promise<T> {
  await forgetBrowsers(resolved, userId)
  const ended = await end()
  await forgetBrowsers(resolved, userId)
  return ended
}

function toAccess(userId: string, { endedBy: sid, ...actor }: Actor): UserAccessMessage {
  return { userId, ...actor, ...(sid !== undefined && { sid }) }
}

/** `undefined` would be a user whom nobody is: their sessions would seem to have ended. */
export function assertId(userId: unknown): void {
  if (typeof userId !== 'string' || userId === '') throw new TypeError('The id of a user is needed.')
}

function revocationOf({ session }: ResolvedConfig, what: string): Revocations {
  if (session.revocation) return session.revocation
  throw new InvalidConfiguration(
    `\`${what}\` needs \`session.revocation\`: a store in which it is noted for all processes, or \`true\` with an adapter of ours.`,
  )
}

type Actor = Pick<SessionEndedMessage, 'endedBy' | 'by' | 'request'>

/** Whether an event tells by whom it was done. */
export function tellsWho({ events }: Pick<ResolvedConfig, 'events'>): boolean {
  return (events.sessionEnded ?? events.userDisabled ?? events.userEnabled ?? events.factorRemoved) !== undefined
}

/** Who does it, for the event. That this cannot be said keeps nobody from ending sessions. */
export async function actorOf(config: ServerAuthConfig, req: SessionRequest | undefined): Promise<Actor> {
  const auth = sharedAuthOf(config)
  if (!req || !tellsWho(auth.config)) return {}
  const source = { cookie: header(req.headers, 'cookie'), origin: readOrigin(req) }
  const owner = await auth.owner(source).catch(() => null)
  return { ...(owner && { endedBy: owner.id, by: owner.userId }), request: infoOf(req) }
}

async function endAll(
  resolved: ResolvedConfig,
  store: Store,
  { userId, facts }: { readonly userId: string; readonly facts: Omit<SessionEndedMessage, 'sid' | 'userId'> },
): Promise<void> {
  const user = await store.getUser(userId)
  if (user) await endRows({ resolved, store, user }, { facts, changesStamp: true })
  else await endOrphans({ resolved, store }, userId, facts)
}
