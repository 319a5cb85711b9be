/** The functions of `auth.organizations`: the active organization of a session, and changed memberships. */
import type { Rules } from '../../types/call-rules.js'
import type { Outcome } from '../../types/outcome.js'
import type { MemberFunctions } from '../members/functions.js'

/** The functions of `auth.organizations`. They throw `InvalidConfiguration` without `organizations`. */
export interface OrganizationFunctions extends MemberFunctions {
  /**
   * Makes an organization the active one of the session, after a call of `membership`; `null` makes none active.
   *
   * The session continues under another cookie and another `sid`, as after a step-up.
   *
   * @param id The id of the organization. It may come from a client.
   * @returns `unknown` if there is no such organization or the user is no member of it; `session` if no user is signed in,
   *   or the session is that of a bearer token.
   * @throws `AdapterError` if `membership` throws or takes too long; `ReauthenticationRequired` if the session has just
   *   ended. The active organization is then unchanged.
   *
   * @example
   * ```ts
   * const outcome = await auth.organizations.setActive(req, res, req.body.organization)
   * if (!outcome.ok) return res.sendStatus(404)
   * ```
   */
  setActive(id: string | null): Promise<Outcome<'session' | 'unknown'>>
  /**
   * Forgets the answers of `membership` for a user (`cacheFor`), in this process. Call it after you have removed a member or changed
   * a role. The function checks no permission.
   */
  forget(userId: string): Promise<void>
}

/** The rules of `auth.organizations`, except those of functions that stored organizations add. */
export const organizationRules = {
  setActive: { needs: 'response', effect: 'changes' },
  forget: { needs: 'nothing', effect: 'administers' },
} as const satisfies Rules<Omit<OrganizationFunctions, keyof MemberFunctions>>
