/** The configuration of a tenant: what the application loaded, with secrets, stored names and redirects of its own. */
import { isRecord } from '../base/guards.js'
import { mapMaybePromise } from '../base/maybe-promise.js'
import { parseUrl } from '../base/url.js'
import { describeValue, rejectOption } from '../config/reject-option.js'
import { ownStores } from '../config/resolve-store.js'
import { ownOrigin } from '../config/site.js'
import { deriveKey } from '../crypto/keys.js'
import { toBase64url } from '../crypto/platform.js'
import type { Adapter } from '../types/adapter.js'
import type { FullStackAuthConfig, FullStackCallbacksOptions } from '../types/config.js'
import type { Store } from '../types/store.js'
import { normalizeHost } from './host.js'
import { createScope } from './scope.js'
import { scopeAdapter } from './scoped-adapter.js'
import { scopeStore } from './scoped-store.js'
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
  if (!isPlain(loaded)) rejectOption('load', `must return a plain object or null, not ${describeValue(loaded)}.`)
  const { origins: given, ...own } = loaded
  const origins = checkOrigins(given)
  assertSeparable(own)
  const scope = createScope(id, settings.sharedProviders)
  const { adapter, ...rest } = own
  const scoped = {
    ...rest,
    ...(adapter !== undefined && { adapter: isRecord(adapter) ? scopeAdapter(adapter as Adapter, scope) : adapter }),
    secret: settings.secrets().map((secret) => deriveSecret(secret, id)),
    callbacks: replaceMembers(own.callbacks ?? {}, {
      redirect: ownRedirect(own.callbacks, new Set([...origins, ...trustedOriginsOf(own)])),
    }),
    [ownOrigin]: origins[0],
    [ownStores]: (store: Partial<Store>) => scopeStore(store, scope),
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

/** Returns the entries of `trustedOrigins`, which are checked when the configuration is resolved. */
function trustedOriginsOf({ trustedOrigins }: FullStackAuthConfig): readonly string[] {
  return Array.isArray(trustedOrigins) ? trustedOrigins : []
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

/**
 * Returns the members of an object whose methods are replaced in part. Methods of a class are found too, and called on
 * the object: without them, the callback that rejects a sign-in would be lost.
 */
function replaceMembers(source: object, replaced: object): object {
  const copy = {}
  for (let level = source; level === source || isClassLevel(level); level = Object.getPrototypeOf(level)) {
    for (const [key, { enumerable = false }] of Object.entries(Object.getOwnPropertyDescriptors(level))) {
      if (Object.hasOwn(copy, key)) continue
      const value: unknown = Reflect.get(source, key)
      const own: unknown = typeof value === 'function' ? value.bind(source) : value
      Object.defineProperty(copy, key, { value: own, enumerable, configurable: true, writable: true })
    }
  }
  return Object.assign(copy, replaced)
}

/** Checks for a prototype that is not `Object.prototype`, also that of another realm. */
function isClassLevel(prototype: object | null): boolean {
  return prototype !== null && Object.getPrototypeOf(prototype) !== null
}

/** Checks for an object without a class: members of a class are not copied. */
function isPlain(value: unknown): boolean {
  return isRecord(value) && !isClassLevel(Object.getPrototypeOf(value))
}
