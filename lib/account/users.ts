/** The functions of `auth.users`, and the end of all sessions of a user. Functions that read or change users are loaded at first use. */

import { createLazyLoader } from '../base/lazy-loader.js'
import { emitEvent, emitSessionsEnded } from '../callbacks/index.js'
import type { AdapterStore, ResolvedConfig, Revocations } from '../contracts/index.js'
import { InvalidConfiguration, MissingAdapterMethods } from '../errors.js'
import { cancelDeletion } from '../features/deletion/store.js'
import { resetFactors } from '../features/factors/calls-any-user.js'
import { endAndForgetBrowsers, forgetTrustedBrowsers } from '../features/factors/store.js'
import { loadMembers } from '../features/members/loader.js'
import { sendPasswordLink } from '../features/passwords/calls-any-user.js'
import type { AnyCall, Runs } from '../functions/run.js'
import type { UserFunctions, userRules } from '../functions/users.js'
import type { SessionEndedMessage } from '../types/config.js'
import { actorOf, administrationContextOf, assertUserId } from './actor.js'
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

/** Loads the functions that read, change or export users. */
export const loadAdministration = createLazyLoader('The administration of users', () => import('./administration.js'))

/** The functions of `auth.users`. */
export const userFunctions: Runs<UserFunctions, typeof userRules> = {
  list: async (call, query) => (await loadAdministration()).listUsers(call, query),
  get: async (call, userId) => (await loadAdministration()).getUserDetails(call, userId),
  create: async (call, user) => (await loadAdministration()).createUser(call, user),
  update: async (call, change) => (await loadAdministration()).updateUser(call, change),
  endSessions: endAllSessions,
  resetFactors,
  sendPasswordLink,

  async disable(call, userId) {
    const { config: resolved } = call.auth
    assertUserId(userId)
    const by = await actorOf(call)
    await requireRevocation(resolved, 'users.disable').disable(userId)
    await forgetTrustedBrowsers(resolved, userId)
    await emitEvent(resolved, 'userDisabled', { userId, ...administrationContextOf(by) })
    const { store, session } = resolved
    // Last: a session that begins in the meantime finds that the user is disabled, or its record is found here.
    const facts = { reason: 'disableUser' as const, ...by }
    if (session.strategy === 'database' && store?.abilities.listSessions)
      await endDatabaseSessionsOf(resolved, store, { userId, facts })
    else await emitSessionsEnded(resolved, [{ userId }], facts)
    if (resolved.organizations?.stored)
      await (await loadMembers()).reportUnattended(resolved, userId, administrationContextOf(by))
  },

  async enable(call, userId) {
    const { config: resolved } = call.auth
    assertUserId(userId)
    await cancelDeletion(resolved, userId)
    const by = await actorOf(call)
    await requireRevocation(resolved, 'users.enable').enable(userId)
    await emitEvent(resolved, 'userEnabled', { userId, ...administrationContextOf(by) })
  },
}

function requireRevocation({ session }: ResolvedConfig, what: string): Revocations {
  if (session.revocation) return session.revocation
  throw new InvalidConfiguration(
    `\`${what}\` needs \`session.revocation\`, the store of ended sessions and disabled users. Set \`session: { revocation: true }\` with \`sqlAdapter\` or \`memoryAdapter\`, or \`session: { revocation: sqlStore(db) }\` with another adapter.`,
  )
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
