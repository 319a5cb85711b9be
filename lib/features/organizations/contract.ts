/** The interfaces of organizations that other parts of the engine use. */
import type { ResolvedMembers } from '../members/contract.js'
import type { OrganizationQueries } from './types.js'

/** The option `organizations`, checked and complete. */
export interface ResolvedOrganizations {
  /** The functions of the application, or those of stored organizations. */
  readonly options: Pick<OrganizationQueries, 'membership' | 'list'>
  /** Stored organizations. Absent: the application stores them. */
  readonly stored?: ResolvedMembers
  /** The permissions of each role. */
  readonly roles: ReadonlyMap<string, ReadonlySet<string>>
  /** Milliseconds for which an answer is used again. */
  readonly cacheFor: number
  /** Milliseconds that a function of the application may take. */
  readonly timeout: number
}

/** The user of a session, as the engine knows it, and the active organization. */
export interface SessionMember {
  /** The id of the user. Absent if the session began without a stored user and without `organizations`. */
  readonly userId?: string | undefined
  /** The id of the active organization. */
  readonly organization?: string | undefined
}
