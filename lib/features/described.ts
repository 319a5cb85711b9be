/**
 * The list of capabilities by their descriptions: tables, rules of functions, routes and options. It has data and types only, and imports no
 * implementation: drivers and edge runtimes load it. Implementations are in `features/engine`, and checks of options in `features/options`.
 */
import type { Description } from '../types/description.js'
import { apiKeys } from './api-keys/description.js'
import type { ApiKeyFunctions } from './api-keys/functions.js'
import type { ApiKeyEvents, ApiKeysOption } from './api-keys/types.js'
import { apps } from './apps/description.js'
import type { AppsOption } from './apps/types.js'
import { connections } from './connections/description.js'
import type { ConnectionFunctions } from './connections/functions.js'
import type { ConnectionsOption } from './connections/types.js'
import { deletion } from './deletion/description.js'
import type { DeletionEvents, DeletionOption } from './deletion/types.js'
import { factors } from './factors/description.js'
import type { FactorFunctions } from './factors/functions.js'
import type { FactorsOption } from './factors/types.js'
import { impersonation } from './impersonation/description.js'
import type { ImpersonationFunctions } from './impersonation/functions.js'
import type { ImpersonationEvents, ImpersonationOption } from './impersonation/types.js'
import type { RateLimitOption } from './limits/types.js'
import { logout } from './logout/description.js'
import { members } from './members/description.js'
import type { MemberEvents } from './members/types.js'
import { organizations } from './organizations/description.js'
import type { OrganizationFunctions } from './organizations/functions.js'
import type { OrganizationsOption } from './organizations/types.js'
import { passwords } from './passwords/description.js'
import type { PasswordFunctions } from './passwords/functions.js'
import { tokens } from './tokens/description.js'
import type { TokenFunctions } from './tokens/functions.js'
import type { TokensOption } from './tokens/types.js'
import { watch } from './watch/description.js'

export type { SignOutActor } from './impersonation/types.js'

/** The descriptions. The name of a capability is that of its group of functions. */
export const described = {
  apiKeys,
  apps,
  connections,
  deletion,
  factors,
  impersonation,
  logout,
  members,
  organizations,
  passwords,
  tokens,
  watch,
} as const satisfies Readonly<Record<string, Description>>

/** The functions of all capabilities, by group. */
export interface FeatureFunctions {
  /** API keys of users. Needs `apiKeys`. */
  readonly apiKeys: ApiKeyFunctions
  /** The identity providers of organizations. Needs `connections`. */
  readonly connections: ConnectionFunctions
  /** Passwords. Needs the provider `Password`. */
  readonly passwords: PasswordFunctions
  /** Second factors. Needs `factors`. */
  readonly factors: FactorFunctions
  /** Sessions of other users, for support. Needs `impersonation`. */
  readonly impersonation: ImpersonationFunctions
  /** Organizations, their members, and the active one. Needs `organizations`. */
  readonly organizations: OrganizationFunctions
  /** Access tokens of providers. Needs `tokens`. */
  readonly tokens: TokenFunctions
}

/** The options of all capabilities. */
export interface FeatureOptions
  extends ApiKeysOption,
    AppsOption,
    ConnectionsOption,
    DeletionOption,
    FactorsOption,
    ImpersonationOption,
    OrganizationsOption,
    RateLimitOption,
    TokensOption {}

/** The events of all capabilities. */
export interface FeatureEvents extends ApiKeyEvents, DeletionEvents, ImpersonationEvents, MemberEvents {}
