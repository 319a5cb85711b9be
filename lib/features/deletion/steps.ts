/** The part of deletions in a sign-in, if the option `deletion` is set. */
import type { StepOf } from '../../actions/sign-in-stages.js'
import { createLazyLoader } from '../../base/lazy-loader.js'
import type { ResolvedConfig } from '../../contracts/index.js'

const loadRecords = createLazyLoader('Deletions', () => import('./store.js'))

/**
 * Removes what was just written of a user whose deletion began before. Otherwise does nothing: a deletion that begins
 * later removes it itself.
 */
export async function dropLateRecords(config: ResolvedConfig, userId: string): Promise<void> {
  if (config.deletion) await (await loadRecords()).removeLateRecords(config, userId)
}

/**
 * Returns the step that removes what a failed sign-in has written of a user who was deleted meanwhile, after the deletion removed the
 * user's records. A resumed sign-in begins with the stage `tokens`.
 */
export const lateRecordsStep = <S extends 'level' | 'tokens'>(stage: S): StepOf<'level' | 'tokens'> & { stage: S } => ({
  name: 'records of a deleted user',
  stage,
  run({ context: { config }, undo, signedIn: { user } }) {
    const { id } = user
    undo(async () => id !== undefined && dropLateRecords(config, id))
    return undefined
  },
})
