/** The functions that deletions add to `auth.users` and `auth.account`. Their code is loaded at the first call. */
import { actorOf, administrationContextOf, assertUserId } from '../../account/actor.js'
import { loadAdministration } from '../../account/users.js'
import type { Runs } from '../../functions/run.js'
import { loadDeletion, requestOwnDeletion } from './action.js'
import type {
  AccountDeletionFunctions,
  accountDeletionRules,
  UserDeletionFunctions,
  userDeletionRules,
} from './functions.js'
import { requireDeletion } from './store.js'

/** The functions of `auth.users` that delete and export users. */
export const userDeletionFunctions: Runs<UserDeletionFunctions, typeof userDeletionRules> = {
  async delete(call, userId, request) {
    const { config, sessions } = call.auth
    requireDeletion(config)
    assertUserId(userId)
    const by = administrationContextOf(await actorOf(call))
    return (await loadDeletion()).deleteUser({ config, sessions, userId, by }, request)
  },
  unfinishedDeletions: async ({ auth }) => (await loadDeletion()).listUnfinishedDeletions(auth.config),
  export: async (call, userId) => (await loadAdministration()).exportUser(call, userId),
}

/** The functions of `auth.account` that delete the signed-in user. */
export const accountDeletionFunctions: Runs<AccountDeletionFunctions, typeof accountDeletionRules> = {
  async requestDeletion(call) {
    requireDeletion(call.config)
    return call.run({ action: 'delete-account', name: 'request-deletion' }, async (context) => {
      const state = await requestOwnDeletion(context)
      return state.kind === 'done' ? { ok: true, due: state.due ?? null } : { ok: false, reason: state.kind }
    })
  },
}
