/**
 * The provider's metadata and keys for requests of strangers, who can post any number of invalid tokens.
 *
 * Cached values are used. One request for keys and one for metadata are sent every 30 seconds at most.
 */
import type { ServerMetadata } from 'openid-client'
import { perOwner } from '../../base/memory.js'
import { isRecent } from '../../base/time.js'
import type { OAuthClient } from '../../flows/oauth/client.js'

/** Milliseconds between two requests to the provider that strangers can cause, successful or not. */
const coolDown = 30 * 1000

/** The keys that verify a provider's tokens. */
export interface ProviderKeys {
  readonly server: ServerMetadata
  /**
   * A JSON Web Key Set; `undefined` without one. The object stays the same while the provider publishes the same text.
   */
  readonly jwks: unknown
}

/**
 * Returns the cached keys, or loads them if they are missing or too old. Rejects within the cool-down after a failure.
 */
export function cachedProviderKeys(client: OAuthClient): Promise<ProviderKeys> {
  return keyCacheOf(client).cached()
}

/** Loads the keys again. Returns the cached ones within the cool-down. */
export function reloadProviderKeys(client: OAuthClient): Promise<ProviderKeys> {
  return keyCacheOf(client).reloaded()
}

const keyCacheOf = perOwner((client: OAuthClient) => new ProviderKeyCache(client))

class ProviderKeyCache {
  readonly #client: OAuthClient
  #found: (ProviderKeys & { readonly isFresh: () => boolean }) | undefined
  #underWay: Promise<ProviderKeys> | undefined
  #askedAt: number | undefined

  constructor(client: OAuthClient) {
    this.#client = client
  }

  async cached(): Promise<ProviderKeys> {
    const found = this.#found
    return found?.isFresh() ? found : this.#ask()
  }

  async reloaded(): Promise<ProviderKeys> {
    const found = this.#found
    return found?.isFresh() && isRecent(this.#askedAt, coolDown) ? found : this.#ask()
  }

  /** Loads the keys. Concurrent calls share one request. */
  #ask(): Promise<ProviderKeys> {
    if (this.#underWay) return this.#underWay
    if (isRecent(this.#askedAt, coolDown))
      return Promise.reject(new Error('the provider was already called for its keys a moment ago'))
    this.#askedAt = Date.now()
    this.#underWay = this.#fetch().finally(() => {
      this.#underWay = undefined
    })
    return this.#underWay
  }

  async #fetch(): Promise<ProviderKeys> {
    const before = this.#found?.isFresh() ? this.#found : undefined
    const server = await this.#client.metadata()
    try {
      const found = await this.#load(server, before !== undefined)
      if (found.jwks !== before?.jwks || !(await this.#client.hasMoved(server))) return found
    } catch (error) {
      if (!(await this.#client.hasMoved(server))) throw error
    }
    // The provider now publishes its keys at another URL.
    return this.#load(await this.#client.metadata(), false)
  }

  async #load(server: ServerMetadata, isRenewal: boolean): Promise<ProviderKeys> {
    const document = this.#client.keysAt(server)
    const jwks = await (isRenewal ? document?.renew() : document?.get())
    const found = { server, jwks, isFresh: () => !document || document.fresh !== undefined }
    this.#found = found
    return found
  }
}
