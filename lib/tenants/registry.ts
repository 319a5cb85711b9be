/** The tenants in memory: found by request, loaded once, refreshed in the background, and forgotten. */

import type { Logger } from '../base/logger.js'
import { catchMaybePromise, isPromiseLike, mapMaybePromise } from '../base/maybe-promise.js'
import { BoundedMap, copyText } from '../base/memory.js'
import { withTimeout } from '../base/timeout.js'
import { TenantUnavailable, toError, UnknownTenant } from '../errors.js'
import type { FullStackAuthConfig } from '../types/config.js'
import type { Awaitable } from '../types/identity.js'
import { type CheckedTenant, type TenantSettings, tenantConfiguration } from './configuration.js'
import { type FoundRequest, normalizeHost } from './host.js'
import type { TenantsOptions } from './types.js'

/** Creates what an entry point needs of a configuration, and throws for one that cannot work. */
type Check<C> = (config: C) => unknown

/** A tenant in memory. */
export interface Tenant<C> extends CheckedTenant<C> {
  readonly id: string
  /** The object that `load` returned. */
  readonly loaded: object
  /** The time in milliseconds from which it is loaded again. */
  freshUntil: number
  /** The number of uses of all tenants at its last use. */
  usedAt: number
}

/** The options, complete. */
export interface RegistryOptions<C extends FullStackAuthConfig>
  extends Pick<TenantsOptions<C>, 'key' | 'load'>,
    TenantSettings {
  readonly max: number
  /** Milliseconds. */
  readonly ttl: number
  readonly logger: Logger
}

const idPattern = /^[a-z0-9][a-z0-9_-]{0,63}$/
/** Milliseconds for which an unknown id is remembered, and the number of such ids. */
const unknownFor = 30_000
const mostUnknown = 10_000
/** Milliseconds of a call of `key` or `load`, and until the next one after a failure. */
const callTimeout = 10_000
const pause = 5_000
/** The number of failures that are logged within {@link pause}. */
const mostLines = 10
/** Milliseconds for which a configuration is used while it cannot be loaded again. A removed tenant ends then at the latest. */
const grace = 60 * 60 * 1000

/** Finds and keeps tenants. */
export class TenantRegistry<C extends FullStackAuthConfig> {
  readonly #options: RegistryOptions<C>
  readonly #tenants = new Map<string, Tenant<C>>()
  #uses = 0
  /** The ends of pauses by id, in milliseconds. */
  readonly #unknown = new BoundedMap<string, number>(mostUnknown)
  readonly #failed = new BoundedMap<string, number>(mostUnknown)
  readonly #loading = new Map<string, Promise<Tenant<C>>>()
  /** The tenants of requests: one request has one configuration, whatever is forgotten meanwhile. */
  readonly #chosen = new WeakMap<object, Tenant<C>>()
  readonly #adapters = new WeakMap<object, string>()
  /** The lines that were logged since a time in milliseconds. */
  readonly #logged = { since: 0, lines: 0 }

  constructor(options: RegistryOptions<C>) {
    this.#options = options
  }

  /**
   * Returns the tenant of a request: that which was found before, or that of the request which `read` returns.
   * @param owner The object by which the request is recognised.
   * @throws {@link UnknownTenant} and {@link TenantUnavailable}.
   */
  find(owner: object, read: () => FoundRequest, check: Check<C>): Awaitable<Tenant<C>> {
    const chosen = this.#chosen.get(owner)
    if (chosen) return chosen
    const request = read()
    const host = normalizeHost(request.sentHost)
    if (host === undefined) throw new UnknownTenant()
    const found = mapMaybePromise(this.#idOf(request, host), (id) => this.get(id, check))
    return mapMaybePromise(found, (tenant) => {
      // `key` and `load` disagree.
      if (!tenant.hosts.has(host)) throw new UnknownTenant()
      this.#chosen.set(owner, tenant)
      return tenant
    })
  }

  /** Returns the tenant that was found for a request before. */
  chosen(request: object): Tenant<C> | undefined {
    return this.#chosen.get(request)
  }

  /** Returns the tenant with this id: at once if it is in memory. @throws As {@link find}. */
  get(id: unknown, check: Check<C>): Awaitable<Tenant<C>> {
    if (typeof id !== 'string' || !idPattern.test(id)) throw new UnknownTenant()
    const now = Date.now()
    const tenant = this.#tenants.get(id)
    if (tenant && now < tenant.freshUntil + grace) {
      this.#uses += 1
      tenant.usedAt = this.#uses
      if (now >= tenant.freshUntil && !this.#isPaused(this.#failed, id)) this.#load(id, check).catch(() => {})
      return tenant
    }
    if (this.#isPaused(this.#unknown, id)) throw new UnknownTenant()
    if (this.#isPaused(this.#failed, id)) throw new TenantUnavailable(pause / 1000)
    // An id may be a part of a long path or header.
    return this.#load(copyText(id), check)
  }

  /** Forgets a tenant. Work of requests that have found it continues. */
  invalidate(id: string): void {
    for (const map of [this.#tenants, this.#unknown, this.#failed, this.#loading]) map.delete(id)
  }

  #isPaused(ends: ReadonlyMap<string, number>, id: string): boolean {
    return (ends.get(id) ?? 0) > Date.now()
  }

  #idOf({ path, headers }: FoundRequest, host: string): Awaitable<unknown> {
    return catchMaybePromise<unknown>(
      () => {
        const id: unknown = this.#options.key({ host, path, headers })
        // Requests would wait without end for a database that does not answer.
        return isPromiseLike(id) ? withTimeout(Promise.resolve(id), callTimeout, '`key` of tenants') : id
      },
      (error) => {
        this.#log('`key` of tenants failed.', error)
        throw new TenantUnavailable(pause / 1000)
      },
    )
  }

  /** Loads a tenant, once for all callers. */
  #load(id: string, check: Check<C>): Promise<Tenant<C>> {
    const known = this.#loading.get(id)
    if (known) return known
    const loading: Promise<Tenant<C>> = this.#read(id, check, () => this.#loading.get(id) === loading).finally(() => {
      if (this.#loading.get(id) === loading) this.#loading.delete(id)
    })
    this.#loading.set(id, loading)
    return loading
  }

  /** @param isCurrent Returns `false` after the tenant was invalidated: the result is for the callers only. */
  async #read(id: string, check: Check<C>, isCurrent: () => boolean): Promise<Tenant<C>> {
    const before = this.#tenants.get(id)
    try {
      const asked = Promise.resolve().then(() => this.#options.load(id))
      const loaded = await withTimeout(asked, callTimeout, '`load` of tenants')
      // JavaScript applications may return `undefined`, such as that of a map.
      if (loaded === null || loaded === undefined) throw new UnknownTenant()
      const freshUntil = Date.now() + this.#options.ttl
      if (before?.loaded === loaded) return Object.assign(before, { freshUntil })
      const checked = tenantConfiguration<C>(id, loaded, this.#options)
      const tenant: Tenant<C> = { ...checked, id, loaded, freshUntil, usedAt: this.#uses }
      check(checked.config)
      this.#warnOfSharedUsers(id, loaded.adapter)
      if (isCurrent()) {
        this.#failed.delete(id)
        this.#keep(tenant)
      }
      return tenant
    } catch (error) {
      if (!(error instanceof UnknownTenant)) throw this.#unavailable(id, error, isCurrent())
      if (isCurrent()) {
        this.#tenants.delete(id)
        this.#unknown.set(id, Date.now() + unknownFor)
      }
      throw error
    }
  }

  /** Keeps a tenant, instead of the one that was not used for longest. */
  #keep(tenant: Tenant<C>): void {
    if (this.#tenants.size >= this.#options.max && !this.#tenants.has(tenant.id)) {
      let [oldest] = this.#tenants.values()
      for (const each of this.#tenants.values()) if (oldest && each.usedAt < oldest.usedAt) oldest = each
      if (oldest) this.#tenants.delete(oldest.id)
    }
    this.#tenants.set(tenant.id, tenant)
  }

  /** Logs a failure, pauses the tenant, and returns the error for clients. */
  #unavailable(id: string, error: unknown, isCurrent: boolean): TenantUnavailable {
    if (isCurrent) this.#failed.set(id, Date.now() + pause)
    this.#log(`The tenant ${JSON.stringify(id)} could not be loaded.`, error)
    return new TenantUnavailable(pause / 1000)
  }

  /** Logs a failure. While a database is down, strangers who invent hosts must not fill the log. */
  #log(message: string, error: unknown): void {
    const now = Date.now()
    if (now >= this.#logged.since + pause) Object.assign(this.#logged, { since: now, lines: 0 })
    this.#logged.lines += 1
    if (this.#logged.lines > mostLines) return
    const last = this.#logged.lines === mostLines ? ' Further failures are not logged for a few seconds.' : ''
    this.#options.logger.error(new Error(message + last, { cause: toError(error) }))
  }

  /** Warns once of tenants that have one adapter, whose users are those of all of them. */
  #warnOfSharedUsers(id: string, adapter: object | undefined): void {
    if (!adapter) return
    const first = this.#adapters.get(adapter) ?? id
    if (first !== id && first !== '') {
      this.#options.logger.warn(
        'shared-users',
        'Several tenants have the same adapter, so they share users: an email address is one user at all of them. Give a tenant an adapter of its own if its administrators choose its identity providers.',
      )
    }
    this.#adapters.set(adapter, first === id ? id : '')
  }
}
