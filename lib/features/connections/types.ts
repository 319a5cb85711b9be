/** The public types of connections: the identity providers of organizations. */
import type { Awaitable, Profile } from '../../types/identity.js'
import type { Store } from '../../types/store.js'

/** The state of a connection. `test`: only members who may change it can sign in by it. `off`: no user can. */
export type ConnectionState = 'test' | 'on' | 'off'

/** The policy of a connection. `required`: members must sign in by it. */
export type ConnectionPolicy = 'optional' | 'required'

/** A connection of an organization to its identity provider. */
export interface OrganizationConnection {
  /** The id, which is the id of the provider in URLs, accounts and events. */
  readonly id: string
  /** The id of the organization. */
  readonly organization: string
  /** The name on buttons. */
  readonly name: string
  /** The issuer of the identity provider. */
  readonly issuer: string
  /** The id of the client at the identity provider. */
  readonly clientId: string
  /** The state. */
  readonly state: ConnectionState
  /** The policy. */
  readonly policy: ConnectionPolicy
  /** The ids of the users who may sign in by other methods, although the connection is required. */
  readonly exempt: readonly string[]
  /** The time of the last sign-in of a user who may change the connection. `null`: none yet with the present client secret. */
  readonly testedAt: Date | null
}

/** A connection in a list, with its URLs. */
export interface ListedConnection extends OrganizationConnection {
  /** The redirect URI, which the company registers at its identity provider. */
  readonly redirectUri: string
  /** The URL at which a sign-in begins at the identity provider (OpenID Connect Core §4). */
  readonly initiateUrl: string
}

/** A domain of email addresses that an organization has verified. */
export interface VerifiedDomain {
  /** The domain, in lower case, as ASCII. */
  readonly domain: string
  /** The time at which it was verified. */
  readonly verifiedAt: Date
  /** The time since which its record in DNS is missing. After three days, the domain verifies no more addresses. */
  readonly failedSince: Date | null
}

/** A record that an organization publishes in DNS. */
export interface DomainRecord {
  /** The name of the record. */
  readonly name: string
  /** The type of the record. */
  readonly type: 'TXT'
  /** The text of the record. It depends on the site, the organization and the domain only. */
  readonly value: string
}

/** The parameters of `auth.connections.create`. */
export interface NewConnection {
  /** The id of the organization. */
  readonly organization: string
  /** The name on buttons, 1 to 60 characters. */
  readonly name: string
  /** The issuer of the identity provider, from whose metadata everything else is read (OpenID Connect Discovery §4). */
  readonly issuer: string
  /** The id of the client at the identity provider. */
  readonly clientId: string
  /** The secret of the client. Omit it for a public client. */
  readonly clientSecret?: string
  /** The scopes to request. Default: `openid profile email`. */
  readonly scopes?: readonly string[]
}

/** The parameters of `auth.connections.set`. Omitted values do not change. */
export interface ConnectionChange {
  /** The state. */
  readonly state?: ConnectionState
  /** The policy. */
  readonly policy?: ConnectionPolicy
  /** Another secret of the client. */
  readonly clientSecret?: string
  /** The ids of the users who may sign in by other methods, although the connection is required. */
  readonly exempt?: readonly string[]
}

/** A user who signed in by a connection, for `admit`. */
export interface Admission {
  /** The role of `connections.role`. Absent without it. */
  readonly role?: string
  /** The reason of the admission: a sign-in by a connection. */
  readonly source: 'connection'
  /** The user's email address. The organization has verified its domain. */
  readonly verifiedEmail?: string
}

/** The option `connections`. */
export interface ConnectionsOptions {
  /**
   * The store of connections and domains: `sqlStore(db)`, `redisStore(client)`, `memoryStore()`, or a custom one. `true`:
   * the adapter's.
   */
  store: true | Pick<Store, 'records'>
  /**
   * The unknown users that a connection may create. `verified-domain`: those with an email address of a domain that the
   * organization has verified. `invited`: of these only users for whom `invited` returns `true`. `everybody`: all users
   * of the identity provider. Default `verified-domain`.
   */
  provision?: 'invited' | 'verified-domain' | 'everybody'
  /**
   * The role of users who become members by a connection, or a function that returns it from the claims of the identity
   * provider. With stored organizations, the result of a function also replaces the role of a member who joined by a
   * connection, but owners are never lowered. Default: none. Only users with a pending invitation become members of a
   * stored organization then.
   */
  role?: string | ((claims: Profile, connection: OrganizationConnection) => string | undefined)
  /**
   * Makes a user a member of an organization, or changes the role. Called at each sign-in by a connection, before the
   * session begins. It must be idempotent, and must not lower an owner. `false` rejects the sign-in. Default: with
   * `organizations.store` the user becomes a member with `role`, or with the role of a pending invitation. Otherwise
   * memberships do not change.
   */
  admit?(userId: string, organizationId: string, admission: Admission): Awaitable<boolean | void>
  /**
   * Checks whether an email address has an invitation to an organization. Required with `provision: 'invited'`, unless
   * `organizations.store` is set. Default then: the pending invitations.
   */
  invited?(organizationId: string, email: string): Awaitable<boolean>
  /** Checks whether an issuer may be used when a connection is created. Only `true` allows it. Default: all public ones. */
  allowIssuer?(issuer: URL): boolean
  /**
   * The origins of identity providers in private networks, such as `https://idp.intern.example:8443`. All other URLs of
   * customers are https, at public addresses and the port 443. Only connections whose issuer is at one of these origins
   * reach them. An origin of plain http is allowed on loopback only, and not in production. Default: none.
   */
  privateOrigins?: readonly string[]
  /** The IP addresses of the DNS servers that verify domains, such as `['9.9.9.9']`. Default: those of the system. */
  nameServers?: readonly string[]
}

/** The option `connections` of the configuration. */
export interface ConnectionsOption {
  /** Lets organizations connect their own identity providers at run time. Needs `organizations` and an adapter. Default: off. */
  connections?: ConnectionsOptions
}
