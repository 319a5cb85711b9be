/** Changes of second factors, while something may end the sessions of the user: what is added after that is taken back. */
import type { SecurityStamp } from '../../contracts/index.js'
import { ReauthenticationRequired } from '../../errors.js'
import { assertUnchanged, readStamp } from '../../session/security-stamp.js'
import type { Asked } from './asked.js'
import { isFactor, lookAgain, type Scene } from './subject.js'

/**
 * Runs a change of second factors. Where the sessions of the user end meanwhile, factors that it added are removed. The session that follows
 * comes later. Where it is refused, the caller calls {@link takeBack}.
 *
 * @throws {@link ReauthenticationRequired} where they ended, before or meanwhile.
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

/** A pending sign-in brings its stamp. A session is looked up after the stamp was read: an end that comes later changes the stamp. */
async function stampOf(asked: Asked): Promise<SecurityStamp | undefined> {
  if (asked.kind === 'held') return asked.pending.held.identity.stamp
  const { context, subject } = asked.scene
  const stamp = await readStamp(context.config, { userId: subject.told })
  if (await context.sessions.isLive(context)) return stamp
  throw new ReauthenticationRequired('The session has ended meanwhile.')
}

/** Removes the factors that were added since the scene was read. */
export async function takeBack(scene: Scene): Promise<void> {
  const before = new Set(scene.rows.map(({ id }) => id))
  const { rows, store } = await lookAgain(scene)
  for (const row of rows) if (isFactor(row) && !before.has(row.id)) await store.remove(row)
}
