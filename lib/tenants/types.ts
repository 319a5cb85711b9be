/** The public types of `server-auth/tenants`. */
import type { DefinedAuth } from '../define-auth.js'
import type { SessionRequest } from '../get-session.js'
import type { GuardHandler } from '../guard.js'
import type { FullStackAuthConfig } from '../types/config.js'
import type { ConfigurationSource } from '../types/configuration-source.js'
import type { Awaitable } from '../types/identity.js'
import type { LoggerInstance } from '../types/logger.js'

/** The parts of a request by which `key` chooses the tenant. */
export interface TenantRequest {
  /**
   * The host, as Express' `trust proxy` says: in lower case, internationalised names as Punycode, without a default port
   * and without a dot at the end.
   */
  readonly host: string
  /** The requested path, without query. `/` where the framework does not report it. */
  readonly path: string
  /** The headers. Clients can send any. */
  readonly headers: Headers
}

/** The configuration of a tenant: that of `defineAuth` or `initAuth`, and its origins. */
export type TenantConfig<C> = C & {
  /**
   * The origins at which the tenant is served, such as `['https://acme.example.com']`. Emails, redirect URIs and passkeys
   * use the first one. At the others, pages of the routes redirect to the first one.
   */
  readonly origins: readonly string[]
}

/** The options of {@link tenants}. */
export interface TenantsOptions<C extends FullStackAuthConfig> {
  /**
   * Returns the id of the tenant of a request: 1 to 64 characters of `a-z 0-9 _ -`. `null` if there is none: the request
   * is answered with 404. Called once for each request.
   */
  key(request: TenantRequest): Awaitable<string | null>
  /**
   * Returns the configuration of a tenant; `null` if there is no such tenant. Do not set `secret`. If it returns the same
   * object again, the engine in memory is kept.
   */
  load(id: string): Awaitable<TenantConfig<C> | null>
  /**
   * The secret from which those of all tenants are derived, or a list, as for `defineAuth`. Default: `AUTH_SECRET`.
   */
  readonly secret?: string | readonly string[]
  /** The maximum number of tenants in memory. The one that was not used for longest is replaced. Default: 1000. */
  readonly max?: number
  /** Seconds after which a configuration is loaded again, in the background. Default: 300. */
  readonly ttl?: number
  /**
   * The ids of providers whose accounts all tenants share, such as an OAuth client of your own. The accounts of others
   * are stored as `<tenant>~<provider>`.
   */
  readonly sharedProviders?: readonly string[]
  /** The logger for tenants that cannot be loaded. */
  readonly logger?: Partial<LoggerInstance>
}

/** The handler of all routes of all tenants on Express. */
export interface TenantRouter extends GuardHandler {
  /** Waits for emails that are being sent. Call it when the server has closed, before the process ends. */
  close(): Promise<void>
}

/**
 * The functions of `defineAuth` for the tenant of each request, and functions for tenants. They throw `UnknownTenant` and
 * `TenantUnavailable`. Functions without a request are on the result of `of(id)`.
 */
export interface Tenants<C extends FullStackAuthConfig>
  extends Omit<DefinedAuth<C>, 'config' | 'router'>,
    ConfigurationSource<C> {
  /** The handler to mount: `app.use('/auth', auth.router)`. */
  readonly router: TenantRouter
  /**
   * Creates a middleware that answers requests without a tenant with 404. Put it before routes that call `getCsrfToken`, `hasCsrfToken` or `csrf.field`, which do not wait for a tenant.
   */
  requireTenant(): GuardHandler
  /** Returns the id of the tenant of a request, of Express or Fetch. @throws As all functions here. */
  tenant(request: SessionRequest | Request): Promise<string>
  /** Returns the functions of one tenant, for jobs and administration. @throws As all functions here. */
  of(id: string): Promise<DefinedAuth<C>>
  /** Forgets what is known of a tenant: the next request loads it. Call it after a change. */
  invalidate(id: string): void
}
