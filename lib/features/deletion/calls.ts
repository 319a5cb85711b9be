/** The functions that deletions add to `auth.users`. Their code is loaded at the first call. */
import { createLazyLoader } from '../../base/lazy-loader.js'
import type { Runs } from '../../functions/run.js'
import type { UserDeletionFunctions, userDeletionRules } from './functions.js'

const loadDeletion = createLazyLoader('The deletion of users', () => import('./calls-all.js'))

/** The functions of `auth.users` that delete and export users. */
export const userDeletionFunctions: Runs<UserDeletionFunctions, typeof userDeletionRules> = {
  delete: async (call, userId, request) => (await loadDeletion()).deleteUser(call, userId, request),
  unfinishedDeletions: async (call) => (await loadDeletion()).listUnfinishedDeletions(call),
  export: async (call, userId) => (await loadDeletion()).exportUser(call, userId),
}
