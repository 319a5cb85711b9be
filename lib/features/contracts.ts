/** The list of capabilities by their contracts: their parts of the resolved configuration, and what rooms of the engine know of them. */
import type { ResolvedApiKeys } from './api-keys/contract.js'
import type { ResolvedApps } from './apps/contract.js'
import type { ResolvedConnections } from './connections/contract.js'
import type { ResolvedDeletion } from './deletion/contract.js'
import type { ResolvedFactors } from './factors/contract.js'
import type { ResolvedImpersonation } from './impersonation/contract.js'
import type { RateLimits } from './limits/contract.js'
import type { ResolvedOrganizations } from './organizations/contract.js'
import type { ResolvedTokens } from './tokens/contract.js'

export type * from './api-keys/contract.js'
export type * from './apps/contract.js'
export type * from './connections/contract.js'
export type * from './deletion/contract.js'
export type * from './factors/contract.js'
export type * from './impersonation/contract.js'
export type * from './limits/contract.js'
export type * from './logout/contract.js'
export type * from './members/contract.js'
export type * from './organizations/contract.js'
export type * from './passwords/contract.js'
export type * from './revocation/contract.js'
export type * from './revocation/stamp-contract.js'
export type * from './tokens/contract.js'
export type * from './watch/contract.js'

/** The resolved options of all capabilities. The part of a capability is absent where it is off. */
export interface ResolvedFeatures {
  /** API keys. Absent: there are none. */
  readonly apiKeys?: ResolvedApiKeys
  /** The apps that may ask users for a session. Absent: there are none. */
  readonly apps?: ResolvedApps
  /** The identity providers of organizations. Absent: all providers are in the configuration. */
  readonly connections?: ResolvedConnections
  /** Deletions of users. Absent: users cannot be deleted. */
  readonly deletion?: ResolvedDeletion
  /** Second factors. Absent: no user has any. */
  readonly factors?: ResolvedFactors
  /** Absent: no session is used by another user. */
  readonly impersonation?: ResolvedImpersonation
  /** Absent: no attempts are counted, but mails. */
  readonly rateLimit?: RateLimits
  /** The organizations of users. Absent: no session has one. */
  readonly organizations?: ResolvedOrganizations
  /** The vault of provider tokens. Absent: they are stored with the accounts. */
  readonly tokens?: ResolvedTokens
}
