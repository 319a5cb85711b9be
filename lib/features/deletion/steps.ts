/** The part of deletions in a sign-in, if the option `deletion` is set. */
import type { StepOf } from '../../actions/sign-in-stages.js'
import { removeLateRecords } from './store.js'

/**
 * Returns the step that removes what a failed sign-in has written of a user who was deleted meanwhile, after the deletion removed the
 * user's records. A resumed sign-in begins with the stage `tokens`.
 */
export const lateRecordsStep = <S extends 'level' | 'tokens'>(stage: S): StepOf<'level' | 'tokens'> & { stage: S } => ({
  name: 'records of a deleted user',
  stage,
  run({ context: { config }, undo, signedIn: { user } }) {
    const { id } = user
    undo(async () => id !== undefined && removeLateRecords(config, id))
    return undefined
  },
})
