/**
 * The provider's metadata and keys, for requests of strangers: anybody can post a token that is none, as often as they like.
 * What is kept is used; a request for keys, and one for metadata, follow from it once in half a minute at the most.
 */
import type { ServerMetadata } from 'openid-client'
import { perOwner } from '../../base/memory.js'
import { isRecent } from '../../base/recent.js'
import type { OAuthClient } from '../../flows/oauth/client.js'

/** Milliseconds between two requests to the provider that strangers can cause, whatever comes of them. */
const coolDown = 30 * 1000

/** What tokens of a provider are verified with. */
export interface ProviderKeys {
  readonly server: ServerMetadata
  /** A JSON Web Key Set, the same object for as long as the provider publishes the same text; `undefined` where it has none. */
  readonly jwks: unknown
}

/** The keys that are known; fetched where they are not, or too old. Rejects within the cool-down after a failure. */
export function knownKeys(client: OAuthClient): Promise<ProviderKeys> {
  return keepersOf(client).known()
}

/** The keys as they are published now; those that are known within the cool-down. */
export function renewedKeys(client: OAuthClient): Promise<ProviderKeys> {
  return keepersOf(client).renewed()
}

const keepersOf = perOwner((client: OAuthClient) => new Keeper(client))

class Keeper {
  readonly #client: OAuthClient
  #found: (ProviderKeys & { readonly isFresh: () => boolean }) | undefined
  #underWay: Promise<ProviderKeys> | undefined
  #askedAt: number | undefined

  constructor(client: OAuthClient) {
    this.#client = client
  }

  async known(): Promise<ProviderKeys> {
    const found = this.#found
    return found?.isFresh() ? found : this.#ask()
  }

  async renewed(): Promise<ProviderKeys> {
    const found = this.#found
    return found?.isFresh() && isRecent(this.#askedAt, coolDown) ? found : this.#ask()
  }

  /** Those who come meanwhile wait for the same answer. */
  #ask(): Promise<ProviderKeys> {
    if (this.#underWay) return this.#underWay
    if (isRecent(this.#askedAt, coolDown))
      return Promise.reject(new Error('the provider was asked for its keys a moment ago'))
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
    // The provider publishes its keys elsewhere by now.
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
