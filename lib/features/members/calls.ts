/** The functions that stored organizations add to `auth.organizations`. Their code is loaded at the first call. */
import { createLazyLoader } from '../../base/lazy-loader.js'
import type { Runs } from '../../functions/run.js'
import type { MemberFunctions, memberRules } from './functions.js'
import { requireMembers } from './store.js'

const loadFunctions = createLazyLoader('The functions of organizations', () => import('./calls-all.js'))

type Functions = Runs<MemberFunctions, typeof memberRules>

/** Returns a function that checks the option, and loads its implementation at the first call. */
function lazyFunction<Name extends keyof Functions>(name: Name): Functions[Name] {
  const run = async (...args: Parameters<Functions[Name]>): Promise<unknown> => {
    requireMembers(args[0].auth.config)
    const { memberCalls } = await loadFunctions()
    return Reflect.apply(memberCalls[name], undefined, args)
  }
  return run as Functions[Name]
}

/** The functions. */
export const memberFunctions: Functions = {
  create: lazyFunction('create'),
  get: lazyFunction('get'),
  list: lazyFunction('list'),
  members: lazyFunction('members'),
  invitations: lazyFunction('invitations'),
  invite: lazyFunction('invite'),
  revokeInvitation: lazyFunction('revokeInvitation'),
  setRole: lazyFunction('setRole'),
  removeMember: lazyFunction('removeMember'),
  leave: lazyFunction('leave'),
  transferOwnership: lazyFunction('transferOwnership'),
  update: lazyFunction('update'),
  delete: lazyFunction('delete'),
  admit: lazyFunction('admit'),
  dismiss: lazyFunction('dismiss'),
  listOf: lazyFunction('listOf'),
}
