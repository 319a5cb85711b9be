/** The list of capabilities by their implementations: an action for each route, and a function for each rule of their descriptions. */
import type { AuthContext } from '../contracts/index.js'
import type { AuthFunctions } from '../functions/index.js'
import type { Runs } from '../functions/run.js'
import type { AuthResponse } from '../http/message.js'
import { apiKeyFunctions } from './api-keys/calls.js'
import { appActions } from './apps/action.js'
import { initiate } from './connections/action.js'
import { connectionFunctions } from './connections/calls.js'
import { deleteAccount } from './deletion/action.js'
import { accountDeletionFunctions, userDeletionFunctions } from './deletion/calls.js'
import type { described, FeatureFunctions } from './described.js'
import { twoFactor } from './factors/action.js'
import { factorFunctions } from './factors/calls.js'
import { impersonationFunctions } from './impersonation/calls.js'
import { backchannelLogout, frontchannelLogout } from './logout/action-receive.js'
import { invitation } from './members/action.js'
import { memberFunctions } from './members/calls.js'
import { organization } from './organizations/action.js'
import { organizationFunctions } from './organizations/calls.js'
import { password, signUp } from './passwords/action.js'
import { passwordFunctions } from './passwords/calls.js'
import { tokenFunctions } from './tokens/calls.js'
import { sessionWatchFunctions } from './watch/calls.js'

/** The implementations, by the names of the descriptions. */
export const implementations = {
  apiKeys: { functions: apiKeyFunctions },
  apps: { actions: appActions },
  connections: { actions: { initiate }, functions: connectionFunctions },
  deletion: {
    actions: { 'delete-account': deleteAccount },
    joins: { users: userDeletionFunctions, account: accountDeletionFunctions },
  },
  factors: { actions: { 'two-factor': twoFactor }, functions: factorFunctions },
  impersonation: { functions: impersonationFunctions },
  logout: { actions: { 'backchannel-logout': backchannelLogout, 'frontchannel-logout': frontchannelLogout } },
  members: { actions: { invitation }, joins: { organizations: memberFunctions } },
  organizations: { actions: { organization }, functions: organizationFunctions },
  passwords: { actions: { signup: signUp, password }, functions: passwordFunctions },
  tokens: { functions: tokenFunctions },
  watch: { joins: { sessions: sessionWatchFunctions } },
} satisfies {
  readonly [Name in keyof Described]: ActionsOf<Described[Name]> & FunctionsOf<Name> & JoinsOf<Described[Name]>
}

/** An implementation, whichever capability it is of. */
export interface Implementation {
  readonly actions?: Readonly<Record<string, (context: AuthContext) => Promise<AuthResponse>>>
  readonly functions?: object
  readonly joins?: Readonly<Record<string, object>>
}

type Described = typeof described

/** An action for each route. */
type ActionsOf<Description> = Description extends { readonly routes: infer Routes }
  ? { readonly actions: { readonly [Action in keyof Routes]: (context: AuthContext) => Promise<AuthResponse> } }
  : unknown

/** A function for each rule. */
type FunctionsOf<Name extends keyof Described> = Name extends keyof FeatureFunctions
  ? { readonly functions: Runs<FeatureFunctions[Name], Described[Name]['functions']> }
  : unknown

/** A function for each rule that it adds to another group. */
type JoinsOf<Description> = Description extends { readonly joins: infer Joins }
  ? {
      readonly joins: {
        readonly [Group in keyof Joins & keyof AuthFunctions]: Runs<AuthFunctions[Group], Joins[Group]>
      }
    }
  : unknown
