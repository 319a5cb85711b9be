/** The public types of organizations. */
import type { Awaitable } from '../../types/identity.js'
import type { Store } from '../../types/store.js'

/** The permissions of each role, by the name of the role. */
export type OrganizationRoles = Readonly<Record<string, readonly string[]>>

/** An organization of a user, for the page on which users choose one. */
export interface OrganizationEntry {
  /** The id: 1 to 100 characters without spaces and control characters. */
  id: string
  /** The name that the page shows. */
  name: string
}

/** The option `organizations`: your own tables say which user is a member of which organization, or the library stores it. */
export type OrganizationsOptions = OrganizationQueries | StoredOrganizations

/** The parts of the option `organizations` that both forms have. */
export interface OrganizationSettings {
  /** The permissions of each role. Guards accept these names only. */
  roles: OrganizationRoles
  /**
   * Seconds for which this process uses an earlier answer of `membership`, a whole number from 0 to 300. A member who was removed is allowed for this
   * time, unless you call `auth.organizations.forget`, or the guard is `live`. Functions of stored organizations forget the answer
   * in their own process. Default 0: each request calls `membership`.
   */
  cacheFor?: number
}

/** The option `organizations` with your own tables. */
export interface OrganizationQueries extends OrganizationSettings {
  /**
   * Returns the membership of a user; `null` if the user is no member, or there is no such organization. `organizationId`
   * may be a text from a client. It is called at the guard, at most once for each request and organization.
   */
  membership(
    userId: string,
    organizationId: string,
  ): Awaitable<{
    /** A name of `roles`. */
    role: string
  } | null>
  /**
   * Returns the organizations of a user. They are shown on the page `<basePath>/organization`, where users choose the
   * active one. The only organization of a user becomes active at the sign-in. Default: no page.
   */
  list?(userId: string): Awaitable<readonly OrganizationEntry[]>
  /** Not with `membership`. */
  store?: never
  /** Not with `membership`. */
  owner?: never
  /** Not with `membership`. */
  invitationMaxAge?: never
}

/** The option `organizations` with organizations, members and invitations in a store of the library. */
export interface StoredOrganizations extends OrganizationSettings {
  /**
   * The store: `true` for the adapter's, `sqlStore(db)`, `redisStore(client)`, `memoryStore()`, or a custom one with `writeAll`
   * and `page`. Enables `auth.organizations.create` and the other functions of members and invitations.
   */
  store: true | Pick<Store, 'records'>
  /**
   * The role of owners. An organization always has one. Its permissions in `roles` must include `members:read`,
   * `members:write`, `organization:write` and `organization:delete`.
   */
  owner: string
  /** Seconds for which an invitation is valid, at most 30 days. Default: 7 days. */
  invitationMaxAge?: number
  /** Not with `store`. */
  membership?: never
  /** Not with `store`. */
  list?: never
}

/** The option of the configuration. */
export interface OrganizationsOption {
  /** The organizations of users, by your own tables (`membership`) or in a store of the library (`store`). Default: none. */
  organizations?: OrganizationsOptions
}

/** The active organization of a session. It grants nothing: guards call `membership` at each request. */
export interface ActiveOrganization {
  /** The id. */
  readonly id: string
}

/** The fields of a session if `organizations` is set. */
export interface WithOrganization {
  /** The active organization. Absent if none is chosen. */
  organization?: ActiveOrganization
}

/** The organization of a guarded request, and the role of the user in it. */
export interface OrganizationMember<Role extends string = string> {
  /** The id of the organization. */
  readonly id: string
  /** The role of the user. */
  readonly role: Role
}

/** The roles of a configuration. */
export type OrganizationRolesOf<C> = C extends {
  /** The option `organizations` of the configuration. */
  organizations: {
    /** The roles and their permissions. */
    roles: infer Roles extends OrganizationRoles
  }
}
  ? Roles
  : OrganizationRoles

/** The organization of a guarded route, and the rights that the user needs in it. */
export interface OrganizationRequirement<Request = unknown, Roles extends OrganizationRoles = OrganizationRoles> {
  /**
   * The organization: a function that returns its id from the request, such as `(req) => req.params.org`, or `true` for the active
   * one. Prefer the function, because two tabs can then show two organizations. Other users get the same 404 as for an organization
   * that does not exist. Without an active organization, browsers are redirected to the page on which users choose one, and API
   * clients get `409 { error: 'OrganizationRequired' }`.
   */
  organization: true | ((request: Request) => unknown)
  /** The accepted roles. Members with another role get 403. Default: all roles. */
  role?: (keyof Roles & string) | ReadonlyArray<keyof Roles & string>
  /** The permission that the role must have. Other members get 403. Default: none. */
  permission?: Roles[keyof Roles][number]
}

/** The organization of a guarded request, typed by the roles of a configuration. */
export interface WithMember<Roles extends OrganizationRoles> {
  /** The organization of the request, and the role of the user in it. */
  organization: OrganizationMember<keyof Roles & string>
}
