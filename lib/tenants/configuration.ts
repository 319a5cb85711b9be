/** The configuration of a tenant: what the application loaded, with secrets, stored names and redirects of its own. */
import { isRecord } from '../base/guards.js'
import { mapMaybePromise } from '../base/maybe-promise.js'
import { parseUrl } from '../base/url.js'
import { describeValue, rejectOption } from '../config/reject-option.js'
import { ownOrigin } from '../config/site.js'
import { deriveKey } from '../crypto/keys.js'
import { toBase64url } from '../crypto/platform.js'
import type { Adapter } from '../types/adapter.js'
import type { FullStackAuthConfig, FullStackCallbacksOptions } from '../types/config.js'
import { normalizeHost } from './host.js'
import { createScope, type TenantScope } from './scope.js'
import { scopeAdapter } from './scoped-adapter.js'
import { isStore, scopeStore } from './scoped-store.js'
import type { TenantConfig } from './types.js'

/** The values of all tenants. */
export interface TenantSettings {
  /** The secrets of all tenants, the one that encrypts first. */
  secrets(): readonly string[]
  readonly sharedProviders: ReadonlySet<string>
}

/** A configuration of a tenant. */
export interface CheckedTenant<C> {
  readonly config: C
  /** The hosts at which the tenant is served, in the spelling of `normalizeHost`. */
  readonly hosts: ReadonlySet<string>
}

/**
 * Returns the configuration of a tenant, for `defineAuth` and `initAuth`.
 * @throws {@link InvalidConfiguration} if tenants could not be kept apart.
 */
export function tenantConfiguration<C extends FullStackAuthConfig>(
  id: string,
  loaded: TenantConfig<C>,
  settings: TenantSettings,
): CheckedTenant<C> {
  if (!isRecord(loaded)) rejectOption('load', `must return a configuration or null, not ${describeValue(loaded)}.`)
  const { origins: given, ...own } = loaded
  const origins = checkOrigins(given)
  assertSeparable(own)
  const scope = createScope(id, settings.sharedProviders)
  const { adapter, ...rest } = own
  const scoped = {
    ...scopeStores(rest, scope),
    ...(adapter !== undefined && { adapter: isRecord(adapter) ? scopeAdapter(adapter as Adapter, scope) : adapter }),
    secret: settings.secrets().map((secret) => deriveSecret(secret, id)),
    callbacks: { ...own.callbacks, redirect: ownRedirect(own.callbacks, new Set(origins)) },
    [ownOrigin]: origins[0],
  }
  const hosts = new Set(origins.map((origin) => normalizeHost(new URL(origin).host) ?? ''))
  // The members that the application's types declare are still there.
  return { config: scoped as unknown as C, hosts }
}

/** Derives the secret of a tenant: 256 bits, as text. All keys, hashes and sealed values of the tenant depend on it. */
export function deriveSecret(secret: string, id: string): string {
  return toBase64url(deriveKey(secret, `server-auth tenant secret (${id})`, { length: 32 }).bytes)
}

function checkOrigins(value: unknown): readonly [string, ...string[]] {
  const [first, ...others] = Array.isArray(value) ? value.map(checkOrigin) : []
  return first === undefined
    ? rejectOption('origins', 'must be a list with an origin, such as ["https://acme.example.com"].')
    : [first, ...others]
}

function checkOrigin(value: unknown): string {
  const url = typeof value === 'string' ? parseUrl(value) : undefined
  const isOrigin = url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`
  if (!isOrigin || url.hostname.endsWith('.')) {
    rejectOption('origins', 'must be origins of http or https, without a path: "https://acme.example.com".')
  }
  return url.origin
}

/** Rejects options by which values of a tenant would reach another one. */
function assertSeparable({ secret, cookies, redirectProxyUrl, redirectProxyOrigins }: FullStackAuthConfig): void {
  if (secret !== undefined) {
    rejectOption('secret', 'of a tenant is derived from that of `tenants`. Remove it from the result of `load`.')
  }
  for (const [name, cookie] of Object.entries(cookies ?? {})) {
    if (cookie?.options?.domain === undefined) continue
    rejectOption(`cookies.${name}.options.domain`, 'would send cookies of a tenant to other hosts. Remove it.')
  }
  if (redirectProxyUrl !== undefined || redirectProxyOrigins !== undefined) {
    rejectOption('redirectProxyUrl', 'needs a secret that several sites share, which tenants do not have. Remove it.')
  }
}

/** Returns the callback `redirect`: that of the application, whose result must be on an origin of the tenant. */
function ownRedirect(
  callbacks: FullStackCallbacksOptions | undefined,
  origins: ReadonlySet<string>,
): NonNullable<FullStackCallbacksOptions['redirect']> {
  return (params) =>
    mapMaybePromise(callbacks?.redirect ? callbacks.redirect(params) : params.url, (to) => {
      const url = parseUrl(to, params.baseUrl)
      return url && origins.has(url.origin) ? url.href : params.baseUrl
    })
}

/** The levels of options in which stores may be. */
const storeDepth = 6

/** Returns options in which each store is that of a tenant, wherever it is. Other values stay as they are. */
function scopeStores<T>(options: T, scope: TenantScope, depth = 0): T {
  if (isStore(options)) return scopeStore(options, scope) as T
  if (depth === storeDepth || !isPlain(options)) return options
  const entries = Reflect.ownKeys(options).map((key): [PropertyKey, unknown] => {
    return [key, scopeStores(Reflect.get(options, key), scope, depth + 1)]
  })
  if (entries.every(([key, value]) => Reflect.get(options, key) === value)) return options
  return Object.assign(Array.isArray(options) ? [] : {}, Object.fromEntries(entries)) as T
}

/** Checks for a list or a plain object. Other objects may have getters, and no options. */
function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  return Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype
}
