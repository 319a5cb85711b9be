/** The functions of a support desk: end all sessions of a user, disable a user, enable them again. */

import { emitEvent, emitSessionsEnded } from '../callbacks/index.js'
import type { AdapterStore, ResolvedConfig, Revocations } from '../contracts/index.js'
import { visitorOf } from '../engine/auth.js'
import { InvalidConfiguration, MissingAdapterMethods } from '../errors.js'
import { forgetTrustedBrowsers } from '../features/factors/store.js'
import type { AnyCall, Runs } from '../functions/run.js'
import type { UserFunctions, userRules } from '../functions/users.js'
import { requestInfo } from '../http/message.js'
import type { SessionEndedMessage, UserAccessMessage } from '../types/config.js'
import { endDatabaseSessions, endSessionsOfMissingUser } from './end-database-sessions.js'

/** Ends all sessions of a user. */
export async function endAllSessions(call: AnyCall, userId: string): Promise<void> {
  const { config: resolved } = call.auth
  assertUserId(userId)
  const facts = { reason: 'endSessionsOf' as const, ...(await actorOf(call)) }
  await endAndForgetBrowsers(resolved, userId, async () => {
    if (resolved.session.strategy === 'jwt') {
      await requireRevocation(resolved, 'sessions.endAll').endAllOf(userId)
      return emitSessionsEnded(resolved, [{ userId }], facts)
    }
    const { store } = resolved
    if (!store?.abilities.listSessions) {
      throw new MissingAdapterMethods(
        'The adapter has no method `listSessionsByUserId`: sessions of a user cannot be ended.',
      )
    }
    await endDatabaseSessionsOf(resolved, store, { userId, facts })
  })
}

/** The functions of `auth.users`. */
export const userFunctions: Runs<UserFunctions, typeof userRules> = {
  async disable(call, userId) {
    const { config: resolved } = call.auth
    assertUserId(userId)
    const by = await actorOf(call)
    await requireRevocation(resolved, 'users.disable').disable(userId)
    await forgetTrustedBrowsers(resolved, userId)
    await emitEvent(resolved, 'userDisabled', toUserAccessMessage(userId, by))
    const { store, session } = resolved
    // Last: a session that begins in the meantime finds that the user is disabled, or its record is found here.
    const facts = { reason: 'disableUser' as const, ...by }
    if (session.strategy === 'database' && store?.abilities.listSessions)
      await endDatabaseSessionsOf(resolved, store, { userId, facts })
    else await emitSessionsEnded(resolved, [{ userId }], facts)
  },

  async enable(call, userId) {
    const { config: resolved } = call.auth
    assertUserId(userId)
    const by = await actorOf(call)
    await requireRevocation(resolved, 'users.enable').enable(userId)
    await emitEvent(resolved, 'userEnabled', toUserAccessMessage(userId, by))
  },
}

/**
 * Ends sessions, and forgets remembered browsers before and after. Otherwise a browser that a concurrent sign-in adds
 * would outlive its session.
 */
export async function endAndForgetBrowsers<T>(
  resolved: ResolvedConfig,
  userId: string,
  end: () => Promise<T>,
): Promise<T> {
  await forgetTrustedBrowsers(resolved, userId)
  const ended = await end()
  await forgetTrustedBrowsers(resolved, userId)
  return ended
}

function toUserAccessMessage(userId: string, { endedBy: sid, ...actor }: Actor): UserAccessMessage {
  return { userId, ...actor, ...(sid !== undefined && { sid }) }
}

/** Throws for an invalid id. With `undefined`, no session would end, without an error. */
export function assertUserId(userId: unknown): void {
  if (typeof userId !== 'string' || userId === '')
    throw new TypeError('The first argument must be the id of a user. The request is the second.')
}

function requireRevocation({ session }: ResolvedConfig, what: string): Revocations {
  if (session.revocation) return session.revocation
  throw new InvalidConfiguration(
    `\`${what}\` needs \`session.revocation\`. Set it to \`true\` with an adapter of ours, or to a store such as \`sqlStore(db)\`.`,
  )
}

type Actor = Pick<SessionEndedMessage, 'endedBy' | 'by' | 'request'>

/** Returns the signed-in user of the request, for the event. Errors are ignored, so that sessions end in any case. */
export async function actorOf({ auth, request }: AnyCall): Promise<Actor> {
  const { sessionEnded, userDisabled, userEnabled, factorRemoved } = auth.config.events
  const isTold = (sessionEnded ?? userDisabled ?? userEnabled ?? factorRemoved) !== undefined
  const req = isTold ? await request() : undefined
  if (!req) return {}
  const owner = await auth.principal(visitorOf(req)).catch(() => null)
  return { ...(owner && { endedBy: owner.id, by: owner.userId }), request: requestInfo(req) }
}

async function endDatabaseSessionsOf(
  resolved: ResolvedConfig,
  store: AdapterStore,
  { userId, facts }: { readonly userId: string; readonly facts: Omit<SessionEndedMessage, 'sid' | 'userId'> },
): Promise<void> {
  const user = await store.getUser(userId)
  if (user) await endDatabaseSessions({ resolved, store, user }, { facts, changesStamp: true })
  else await endSessionsOfMissingUser({ resolved, store }, userId, facts)
}
