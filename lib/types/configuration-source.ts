/** The interface by which `initAuth` finds the configuration of a request in the result of `tenants`. */
import type { Awaitable } from './identity.js'

/**
 * The member of a configuration source. In the global registry, because bundlers may copy this file.
 */
export const configurationFor: unique symbol = Symbol.for('server-auth.configuration-for')

/** A request of Fetch, as far as it is known. */
export interface ReceivedRequest {
  /** The object by which the request is recognised in later calls. */
  readonly owner: object
  /** The headers as received. */
  readonly headers: Headers
  /** The requested URL, if it is known. */
  readonly url?: string | undefined
}

/** An object that has a configuration for each request. */
export interface ConfigurationSource<C> {
  /**
   * Returns the opened configuration of a request. `open` is called once for each configuration.
   * @throws `UnknownTenant` and `TenantUnavailable`.
   */
  [configurationFor]<Opened extends object>(request: ReceivedRequest, open: (config: C) => Opened): Awaitable<Opened>
}

/** Checks whether a value is a source of configurations. */
export function isConfigurationSource<C>(value: unknown): value is ConfigurationSource<C> {
  return typeof value === 'object' && value !== null && configurationFor in value
}
