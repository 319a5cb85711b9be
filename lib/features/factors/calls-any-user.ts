/** Second factors for account pages and support desks. */

import { actorOf, administrationContextOf, assertUserId } from '../../account/actor.js'
import { loadFactors } from '../../actions/index.js'
import { emitEvent, emitSessionsEnded } from '../../callbacks/index.js'
import type { ResolvedConfig } from '../../contracts/index.js'
import { InvalidConfiguration } from '../../errors.js'
import type { AnyCall } from '../../functions/run.js'
import { endSessionsBefore } from '../../session/security-stamp.js'
import type { AccountKey } from '../../types/adapter.js'
import { factorOwnersOf, guardFactors, unstoredUserKey } from './store.js'
import type { EnrolledFactor, FactorType } from './types.js'

/** Returns the second factors of a user. Empty without `factors`. */
export async function listEnrolledFactors(config: ResolvedConfig, userId: string): Promise<EnrolledFactor[]> {
  if (!config.factors) return []
  const { enrolledFactors } = await loadFactors()
  return enrolledFactors({ context: { config }, records: await guardFactors(config.factors).list(userId) })
}

/** Checks whether the user's passkeys are a second factor. The last passkey must then be kept. */
export async function hasPasskeyFactor(config: ResolvedConfig, userId: string): Promise<boolean> {
  if (!config.factors) return false
  return (await guardFactors(config.factors).list(userId)).some(({ type }) => type === 'passkey')
}

/** Removes all second factors of a user, and ends their sessions. */
export async function resetFactors(call: AnyCall, user: string | AccountKey): Promise<void> {
  const { config: resolved, sessions } = call.auth
  const userId = typeof user === 'string' ? user : user.providerAccountId
  assertUserId(userId)
  if (!resolved.factors) {
    throw new InvalidConfiguration('There are no second factors to reset. Set `factors: [Totp(), RecoveryCodes()]`.')
  }
  const by = await actorOf(call)
  const names = await factorOwnersToReset(resolved, user)
  const before = (await Promise.all(names.map((name) => listEnrolledFactors(resolved, name)))).flat()
  const { ended, endAfter } = await endSessionsBefore(resolved, () => sessions.endAllSessions(resolved, userId))
  const { removeFactors } = await loadFactors()
  for (const name of names) await removeFactors(resolved, name)
  await emitSessionsEnded(resolved, [...ended, ...(await endAfter())], { reason: 'resetFactors', ...by })
  for (const factor of new Set<FactorType>(before.map(({ type }) => type)))
    await emitEvent(resolved, 'factorRemoved', { userId, factor, reason: 'reset', ...administrationContextOf(by) })
}

/** Returns the names under which the user's factors are stored (`features/factors/store`). */
async function factorOwnersToReset(config: ResolvedConfig, user: string | AccountKey): Promise<string[]> {
  if (typeof user !== 'string') return [unstoredUserKey(user)]
  const isStored = config.store !== undefined && (await config.store.getUser(user)) !== null
  return isStored ? [user] : factorOwnersOf(config, user)
}
