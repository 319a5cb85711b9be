/** `server-auth/tenants`: a configuration for each request, chosen by the application, and loaded when it is needed. */
import { readEnv } from '../base/env.js'
import { createLogger } from '../base/logger.js'
import { mapMaybePromise } from '../base/maybe-promise.js'
import { reserveSites } from '../base/memory.js'
import { resolveConfig } from '../config/resolve.js'
import { resolveSecrets } from '../config/resolve-secrets.js'
import {
  anyValue,
  functionOf,
  isWord,
  listOf,
  ownObject,
  required,
  seconds,
  shape,
  wholeNumber,
} from '../config/shape.js'
import { trustsProxyHeaders } from '../config/site.js'
import { isFetchRequest } from '../http/message.js'
import type { FullStackAuthConfig } from '../types/config.js'
import { configurationFor, type ReceivedRequest } from '../types/configuration-source.js'
import type { LoggerInstance } from '../types/logger.js'
import { createExpressDoor } from './express.js'
import { fetchTenantRequest } from './host.js'
import { TenantRegistry } from './registry.js'
import type { Tenants, TenantsOptions } from './types.js'

export { TenantUnavailable, UnknownTenant } from '../errors.js'
export type * from './types.js'

const anyFunction = (value: unknown) => typeof value === 'function'

const checkOptions = shape({
  key: required<() => never>(anyFunction, 'must be a function that returns the id of a tenant, not {kind}.'),
  load: required<() => never>(anyFunction, 'must be a function that returns a configuration, not {kind}.'),
  secret: anyValue,
  max: wholeNumber('of tenants', 1, 100_000),
  ttl: seconds(1),
  sharedProviders: listOf(isProviderId, 'must be a list of ids of providers, which contain no "~".'),
  logger: ownObject<Partial<LoggerInstance>>({ error: functionOf(), warn: functionOf(), debug: functionOf() }),
})

function isProviderId(value: unknown): boolean {
  return isWord(value) && !String(value).includes('~')
}

/**
 * Defines the authentication of an application with a configuration for each tenant. Pass the result to `initAuth`, or use
 * it on Express like that of `defineAuth`.
 * @throws `InvalidConfiguration` if the options are invalid. A configuration of a tenant that cannot work is logged when it
 *   is loaded, and the requests of that tenant are answered with 503.
 * @example
 * ```ts
 * export const auth = tenants({
 *  key: ({ host }) => customers.idOf(host),
 *  load: async (id) => customers.configOf(id), // { origins: ['https://acme.example.com'], providers: [ … ] } or null
 * })
 * app.use('/auth', auth.router)
 * ```
 */
export function tenants<const C extends FullStackAuthConfig>(options: TenantsOptions<C>): Tenants<C> {
  const { max = 1000, ttl = 300, sharedProviders = [], secret, logger } = checkOptions('', options)
  const ownLogger = createLogger(logger, false)
  const readSecrets = () => {
    const read = resolveSecrets(secret, readEnv(), ownLogger)
    reserveSites(max, read.length)
    return read
  }
  // That of the environment is read at the first use, because builds load modules without one.
  let secrets = secret === undefined ? undefined : readSecrets()
  const registry = new TenantRegistry<C>({
    key: (request) => options.key(request),
    load: (id) => options.load(id),
    max,
    ttl: ttl * 1000,
    sharedProviders: new Set(sharedProviders),
    logger: ownLogger,
    secrets() {
      secrets ??= readSecrets()
      return secrets
    },
  })
  let trustsProxy: boolean | undefined
  const find = (request: ReceivedRequest, check: (config: C) => unknown) => {
    const read = () => {
      trustsProxy ??= trustsProxyHeaders(undefined, readEnv())
      return fetchTenantRequest(request, trustsProxy)
    }
    return registry.find(request.owner, read, check)
  }
  const express = createExpressDoor(registry, ownLogger)
  return Object.freeze<Tenants<C>>({
    ...express,
    async tenant(request) {
      if (!isFetchRequest(request)) return express.tenant(request)
      const check = (config: C) => resolveConfig(config, undefined, true)
      return (await find({ owner: request, headers: request.headers, url: request.url }, check)).id
    },
    invalidate: (id) => registry.invalidate(id),
    [configurationFor]: (request, open) => mapMaybePromise(find(request, open), ({ config }) => open(config)),
  })
}
