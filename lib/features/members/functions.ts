/** The functions that stored organizations add to `auth.organizations`. */
import type { Rules } from '../../types/call-rules.js'
import type { Outcome } from '../../types/outcome.js'
import type {
  Admission,
  Invitation,
  InvitationKey,
  Member,
  MemberKey,
  MemberPageQuery,
  MemberRole,
  NewInvitation,
  NewOrganization,
  Organization,
  OrganizationUpdate,
  OwnOrganization,
} from './types.js'

/**
 * The functions of stored organizations. They act for the signed-in user of the request, and check that user's permission at each call.
 *
 * They throw `InvalidConfiguration` without `organizations.store`, `InvalidRequest` (400) for invalid parameters, and `AdapterError` if the
 * store fails. The reasons of an outcome: `session` if no user is signed in; `unknown` if there is no such organization, the
 * user is no member of it, or the session has not proved the connection that the organization requires; `forbidden` if the user's role does not allow the call; `member` if the named user is no member;
 * `lastOwner` if the organization would have no owner.
 */
export interface MemberFunctions {
  /**
   * Creates an organization. The signed-in user becomes its owner.
   *
   * @returns `name` if the name is not allowed: it has 1 to 60 characters on one line, and no web address. `slug` if the slug is not
   *   allowed or another organization has it.
   *
   * @example
   * ```ts
   * const created = await auth.organizations.create(req, { name: 'Acme', slug: 'acme' })
   * ```
   */
  create(organization: NewOrganization): Promise<
    Outcome<
      'session' | 'name' | 'slug',
      {
        /** The organization. */
        readonly organization: Organization
      }
    >
  >
  /** Returns an organization of the signed-in user, by its id or slug; `null` if there is no such organization or the user is no member. */
  get(idOrSlug: string): Promise<OwnOrganization | null>
  /** Returns the organizations of the signed-in user. */
  list(): Promise<readonly OwnOrganization[]>
  /**
   * Returns a page of members, in the order of the users' ids. Needs the permission `members:read`.
   *
   * @returns `next`: the `after` of the next page; `null` on the last one.
   */
  members(
    organization: string,
    query?: MemberPageQuery,
  ): Promise<
    Outcome<
      'session' | 'unknown' | 'forbidden',
      {
        /** The members. */
        readonly members: readonly Member[]
        /** The `after` of the next page. */
        readonly next: string | null
      }
    >
  >
  /** Returns the pending invitations, 500 at most. Needs the permission `members:read`. */
  invitations(organization: string): Promise<
    Outcome<
      'session' | 'unknown' | 'forbidden',
      {
        /** The invitations. */
        readonly invitations: readonly Invitation[]
      }
    >
  >
  /**
   * Emails an invitation. An earlier one to the same address ends. Needs the permission `members:write`, and all
   * permissions of the given role. The result and its time are the same for known and unknown addresses.
   *
   * @returns `email` for text that is no single email address; `limited` after too many invitations.
   * @throws `InvalidConfiguration` without an email provider or the provider `Password`.
   */
  invite(invitation: NewInvitation): Promise<
    Outcome<
      'session' | 'unknown' | 'forbidden' | 'email' | 'limited',
      {
        /** The invitation. */
        readonly invitation: Invitation
      }
    >
  >
  /** Ends a pending invitation. Needs the permission `members:write`. @returns `invitation` if there is none with the id. */
  revokeInvitation(invitation: InvitationKey): Promise<Outcome<'session' | 'unknown' | 'forbidden' | 'invitation'>>
  /**
   * Changes the role of a member. Needs the permission `members:write`, and all permissions of the old and the new role. Only
   * owners change the role of an owner, or make a member an owner.
   */
  setRole(member: MemberRole): Promise<Outcome<'session' | 'unknown' | 'forbidden' | 'member' | 'lastOwner'>>
  /**
   * Removes a member, and the pending invitation to their verified email address. Needs the permission `members:write`, and all
   * permissions of the member's role. Only owners remove owners.
   */
  removeMember(member: MemberKey): Promise<Outcome<'session' | 'unknown' | 'forbidden' | 'member' | 'lastOwner'>>
  /** Removes the signed-in user from an organization. */
  leave(organization: string): Promise<Outcome<'session' | 'unknown' | 'lastOwner'>>
  /**
   * Makes a member the owner, and gives the signed-in owner another role, in one step. Only owners can call it.
   *
   * @param member The new owner, and the next role of the signed-in user.
   */
  transferOwnership(member: MemberRole): Promise<Outcome<'session' | 'unknown' | 'forbidden' | 'member'>>
  /**
   * Changes the name or the slug of an organization. Omitted values do not change. Needs the permission `organization:write`.
   *
   * @returns `name` for a name that is not allowed; `slug` for a slug that is not allowed, or that another organization has.
   */
  update(organization: OrganizationUpdate): Promise<
    Outcome<
      'session' | 'unknown' | 'forbidden' | 'name' | 'slug',
      {
        /** The organization. */
        readonly organization: Organization
      }
    >
  >
  /**
   * Deletes an organization, its members and invitations. Needs the permission `organization:delete`.
   *
   * @returns `stale` if the sign-in is older than five minutes, or did not prove all factors.
   */
  delete(organization: string): Promise<Outcome<'session' | 'unknown' | 'forbidden' | 'stale'>>
  /**
   * Makes a user a member. It checks no permission: guard the route. Call it from your own code, such as a
   * job, or after a sign-in through a company's identity provider.
   *
   * A pending invitation to the user's verified email address ends, and the user gets its role. A user who is a member keeps
   * their role, except that `role` can make them an owner.
   *
   * @returns `role`: the role of the member. `isNew`: whether the user was no member before. `unknown` if there is no such organization; `user` if
   *   no stored user has the id, or the user is disabled.
   */
  admit(admission: Admission): Promise<
    Outcome<
      'unknown' | 'user',
      {
        /** The role of the member. */
        readonly role: string
        /** `true` if the user was no member before. */
        readonly isNew: boolean
      }
    >
  >
  /**
   * Removes a member. It checks no permission: guard the route. Call it from your own code, such as a job, or when a
   * company's user directory deactivates the user.
   *
   * The sessions of the user continue, and guards of the organization reject them from the next request on. The user's other
   * memberships do not change.
   *
   * @returns `unknown` if there is no such organization; `member` if the user is no member; `lastOwner` if the organization
   *   would have no owner.
   */
  dismiss(member: MemberKey): Promise<Outcome<'unknown' | 'member' | 'lastOwner'>>
  /** Returns the organizations of any user, with the user's role; none for an unknown user. It checks no permission: guard the route. */
  listOf(userId: string): Promise<readonly OwnOrganization[]>
}

/** The rules of these functions. */
export const memberRules = {
  create: { needs: 'request', effect: 'changes' },
  get: { needs: 'request', effect: 'reads' },
  list: { needs: 'request', effect: 'reads' },
  members: { needs: 'request', effect: 'reads' },
  invitations: { needs: 'request', effect: 'reads' },
  invite: { needs: 'request', effect: 'changes' },
  revokeInvitation: { needs: 'request', effect: 'changes' },
  setRole: { needs: 'request', effect: 'changes' },
  removeMember: { needs: 'request', effect: 'changes' },
  leave: { needs: 'request', effect: 'changes' },
  transferOwnership: { needs: 'request', effect: 'changes' },
  update: { needs: 'request', effect: 'changes' },
  delete: { needs: 'request', effect: 'changes' },
  admit: { needs: 'nothing', effect: 'administers' },
  dismiss: { needs: 'nothing', effect: 'administers' },
  listOf: { needs: 'nothing', effect: 'administers' },
} as const satisfies Rules<MemberFunctions>
