/**
 * Changes of second factors while the user's sessions may end. Factors that were added after such an end are removed.
 */
import type { SecurityStamp } from '../../contracts/index.js'
import { ReauthenticationRequired } from '../../errors.js'
import { assertStampUnchanged, readStamp } from '../../session/security-stamp.js'
import { type FactorContext, isFactorRecord, reloadFactorRecords } from './factor-context.js'
import type { FactorTarget } from './target.js'

/**
 * Runs a change of second factors. If the user's sessions end in the meantime, the added factors are removed. If the
 * session that follows is rejected, the caller calls {@link removeAddedFactors}.
 *
 * @throws {@link ReauthenticationRequired} if the sessions ended, before or during the change.
 */
export async function runUnlessSessionsEnd<T>(target: FactorTarget, work: () => Promise<T>): Promise<T> {
  const { context } = target.factorContext
  const stamp = await readTargetStamp(target)
  try {
    return await work()
  } finally {
    await assertStampUnchanged(context.config, stamp).catch(async (error: unknown) => {
      if (error instanceof ReauthenticationRequired) await removeAddedFactors(target.factorContext)
      throw error
    })
  }
}

/**
 * Returns the security stamp to compare. A pending sign-in has its own. For a session the stamp is read before the
 * session is checked, so that a later end changes the stamp.
 */
async function readTargetStamp(target: FactorTarget): Promise<SecurityStamp | undefined> {
  if (target.kind === 'held') return target.pending.data.identity.stamp
  const { context, subject } = target.factorContext
  const stamp = await readStamp(context.config, { userId: subject.reportedUserId })
  if (await context.sessions.isLive(context, target.holder.id)) return stamp
  throw new ReauthenticationRequired('The session has ended in the meantime.')
}

/** Removes the factors that were added since the records were read. */
export async function removeAddedFactors(factorContext: FactorContext): Promise<void> {
  const before = new Set(factorContext.records.map(({ id }) => id))
  const { records, store } = await reloadFactorRecords(factorContext)
  for (const row of records) if (isFactorRecord(row) && !before.has(row.id)) await store.remove(row)
}
