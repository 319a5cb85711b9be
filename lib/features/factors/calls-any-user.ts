/** Second factors for account pages and support desks. */

import { actorOf, assertId } from '../../account/users.js'
import { loadFactors } from '../../actions/index.js'
import { emit, tellEnded } from '../../callbacks/index.js'
import type { ResolvedConfig } from '../../contracts/index.js'
import { InvalidConfiguration } from '../../errors.js'
import type { AnyCall } from '../../functions/run.js'
import { endBefore } from '../../session/security-stamp.js'
import type { AccountKey } from '../../types/adapter.js'
import { guardedStore, namesOf, ownKey } from './store.js'
import type { EnrolledFactor, FactorType } from './types.js'

/** Returns the second factors of a user. Empty without `factors`. */
export async function factorsOf(config: ResolvedConfig, userId: string): Promise<EnrolledFactor[]> {
  if (!config.factors) return []
  const { enrolledFactors } = await loadFactors()
  return enrolledFactors({ context: { config }, rows: await guardedStore(config.factors).list(userId) })
}

/** Checks whether the user's passkeys are a second factor. The last passkey must then be kept. */
export async function needsPasskey(config: ResolvedConfig, userId: string): Promise<boolean> {
  if (!config.factors) return false
  return (await guardedStore(config.factors).list(userId)).some(({ type }) => type === 'passkey')
}

/** Removes all second factors of a user, and ends their sessions. */
export async function resetFactors(call: AnyCall, user: string | AccountKey): Promise<void> {
  const { config: resolved, sessions } = call.auth
  const userId = typeof user === 'string' ? user : user.providerAccountId
  assertId(userId)
  if (!resolved.factors) {
    throw new InvalidConfiguration('`factors.reset` needs second factors: set `factors: [Totp(), RecoveryCodes()]`.')
  }
  const by = await actorOf(call)
  const names = await namesToReset(resolved, user)
  const before = (await Promise.all(names.map((name) => factorsOf(resolved, name)))).flat()
  const { ended, endAfter } = await endBefore(resolved, () => sessions.endAllOf(resolved, userId))
  const { removeFactors } = await loadFactors()
  for (const name of names) await removeFactors(resolved, name)
  await tellEnded(resolved, [...ended, ...(await endAfter())], { reason: 'resetFactors', ...by })
  const { endedBy: sid, request } = by
  for (const factor of new Set<FactorType>(before.map(({ type }) => type))) {
    const facts = { ...(sid !== undefined && { sid }), ...(request && { request }) }
    await emit(resolved, 'factorRemoved', { userId, factor, reason: 'reset', ...facts })
  }
}

/** Returns the names under which the user's factors are stored (`features/factors/store`). */
async function namesToReset(config: ResolvedConfig, user: string | AccountKey): Promise<string[]> {
  if (typeof user !== 'string') return [ownKey(user)]
  const isStored = config.store !== undefined && (await config.store.getUser(user)) !== null
  return isStored ? [user] : namesOf(config, user)
}
