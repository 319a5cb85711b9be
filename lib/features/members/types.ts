/** The values of stored organizations. */
import type { Awaitable } from '../../types/identity.js'
import type { RequestInfo } from '../../types/request-info.js'

/** An organization to create. */
export interface NewOrganization {
  /** The name: 1 to 60 characters on one line, without a web address. Emails and pages show it. */
  readonly name: string
  /** A unique name for URLs: 2 to 40 characters of `a-z`, `0-9` and `-`. Default: none. */
  readonly slug?: string | undefined
}

/** The new values of an organization. */
export interface OrganizationUpdate {
  /** The id of the organization. */
  readonly organization: string
  /** The name, as in {@link NewOrganization}. */
  readonly name?: string | undefined
  /** The slug, as in {@link NewOrganization}. `null` removes it. */
  readonly slug?: string | null | undefined
}

/** A stored organization. */
export interface Organization {
  /** The id. It is random. */
  readonly id: string
  /** The name. */
  readonly name: string
  /** The name for URLs. `null` if it has none. */
  readonly slug: string | null
  /** The time at which it was created. */
  readonly createdAt: Date
}

/** An organization of the signed-in user, and their role in it. */
export interface OwnOrganization extends Organization {
  /** The role of the user. */
  readonly role: string
}

/** A member of an organization. */
export interface Member {
  /** The id of the user. */
  readonly userId: string
  /** The role. */
  readonly role: string
  /** The way in which the user became a member: `created`, `invitation`, or the `source` of `admit`. */
  readonly source: string
  /** The time at which the user became a member. */
  readonly since: Date
}

/** A part of a list of members. */
export interface MemberPageQuery {
  /** The `next` of the previous page. Default: the first page. */
  readonly after?: string | undefined
  /** The maximum number of members, 1 to 500. Default 100. */
  readonly limit?: number | undefined
}

/** A pending invitation. Its link is in the email only. */
export interface Invitation {
  /** The id, for `revokeInvitation`. */
  readonly id: string
  /** The invited email address. */
  readonly email: string
  /** The role that the user gets. */
  readonly role: string
  /** The id of the user who sent it. */
  readonly invitedBy: string
  /** The time at which it was sent. */
  readonly createdAt: Date
  /** The time at which it expires. */
  readonly expires: Date
}

/** An invitation to send. */
export interface NewInvitation {
  /** The id of the organization. */
  readonly organization: string
  /** The email address. */
  readonly email: string
  /** The role that the user gets. */
  readonly role: string
}

/** A pending invitation of an organization. */
export interface InvitationKey {
  /** The id of the organization. */
  readonly organization: string
  /** The id of the invitation. */
  readonly id: string
}

/** A member of an organization. */
export interface MemberKey {
  /** The id of the organization. */
  readonly organization: string
  /** The id of the user. */
  readonly userId: string
}

/** A member, and a role. */
export interface MemberRole extends MemberKey {
  /** The role. */
  readonly role: string
}

/** A user who becomes a member. */
export interface Admission extends MemberRole {
  /** The reason, such as `connection` or `application`: 1 to 40 characters. Default `application`. */
  readonly source?: string | undefined
}

/** A change of an organization. */
export type OrganizationChange =
  | 'created'
  | 'updated'
  | 'deleted'
  | 'memberAdded'
  | 'memberRemoved'
  | 'roleChanged'
  | 'ownershipTransferred'
  | 'invited'
  | 'invitationRevoked'
  | 'unattended'

/** The argument of the `organizationChanged` event. */
export interface OrganizationChangedMessage {
  /** The id of the organization. */
  organizationId: string
  /** The change. `unattended`: all its owners are disabled. */
  change: OrganizationChange
  /** The id of the user whose membership changed; with `ownershipTransferred` that of the new owner. */
  userId?: string
  /** The new role. */
  role?: string
  /** The id of the user who made the change. Absent without a request or without a signed-in user. */
  by?: string
  /** The `sid` of their session. */
  sid?: string
  /** The IP address and browser of the request. */
  request?: RequestInfo
}

/** The events of stored organizations. */
export interface MemberEvents {
  /** Called after a stored organization, its members or its invitations changed. */
  organizationChanged(message: OrganizationChangedMessage): Awaitable<void>
}
