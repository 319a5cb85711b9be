/**
 * Changes of second factors while the user's sessions may end. Factors that were added after such an end are removed.
 */
import type { SecurityStamp } from '../../contracts/index.js'
import { ReauthenticationRequired } from '../../errors.js'
import { assertUnchanged, readStamp } from '../../session/security-stamp.js'
import type { Asked } from './asked.js'
import { isFactor, lookAgain, type Scene } from './subject.js'

/**
 * Runs a change of second factors. If the user's sessions end in the meantime, the added factors are removed. If the
 * session that follows is rejected, the caller calls {@link takeBack}.
 *
 * @throws {@link ReauthenticationRequired} if the sessions ended, before or during the change.
 */
export async function undisturbed<T>(asked: Asked, work: () => Promise<T>): Promise<T> {
  const { context } = asked.scene
  const stamp = await stampOf(asked)
  try {
    return await work()
  } finally {
    await assertUnchanged(context.config, stamp).catch(async (error: unknown) => {
      if (error instanceof ReauthenticationRequired) await takeBack(asked.scene)
      throw error
    })
  }
}

/**
 * Returns the security stamp to compare. A pending sign-in has its own. For a session the stamp is read before the
 * session is checked, so that a later end changes the stamp.
 */
async function stampOf(asked: Asked): Promise<SecurityStamp | undefined> {
  if (asked.kind === 'held') return asked.pending.held.identity.stamp
  const { context, subject } = asked.scene
  const stamp = await readStamp(context.config, { userId: subject.told })
  if (await context.sessions.isLive(context)) return stamp
  throw new ReauthenticationRequired('The session has ended in the meantime.')
}

/** Removes the factors that were added since the records were read. */
export async function takeBack(scene: Scene): Promise<void> {
  const before = new Set(scene.rows.map(({ id }) => id))
  const { rows, store } = await lookAgain(scene)
  for (const row of rows) if (isFactor(row) && !before.has(row.id)) await store.remove(row)
}
