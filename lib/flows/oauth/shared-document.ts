/** A document of a provider that many requests need. It is fetched once for all that wait; a failure is not kept. */
import { isRecent } from '../../base/recent.js'

/** How long a document is used. Milliseconds. */
export interface DocumentTimes {
  /** How long it is used without asking again. */
  readonly lifetime: number
  /** After a request that brought nothing new: how long nobody can cause another one. */
  readonly coolDown: number
  /** After its lifetime: how long the old one is used if a new one cannot be fetched. */
  readonly grace: number
}

/** Fetches on demand and keeps what came, parsed. */
export class SharedDocument {
  readonly #load: () => Promise<Response>
  readonly #times: DocumentTimes
  readonly #assert: (value: unknown) => void
  #current: { readonly text: string; readonly value: unknown; readonly fetchedAt: number } | undefined
  #underWay: Promise<unknown> | undefined
  #quietSince: number | undefined

  /** @param assert Throws for a document that cannot be used, which then counts as a failure. */
  constructor(load: () => Promise<Response>, times: DocumentTimes, assert: (value: unknown) => void = () => {}) {
    this.#load = load
    this.#times = times
    this.#assert = assert
  }

  /** The kept document, if it is not too old. */
  get fresh(): unknown {
    const document = this.#current
    return document && isRecent(document.fetchedAt, this.#times.lifetime) ? document.value : undefined
  }

  /** The kept document, or a new one; if that cannot be fetched, the old one within its `grace`. */
  async get(): Promise<unknown> {
    const old = this.#current
    const { lifetime, grace, coolDown } = this.#times
    if (this.fresh !== undefined) return this.fresh
    if (!old || Date.now() - old.fetchedAt >= lifetime + grace) return this.#fetchOnce()
    if (isRecent(this.#quietSince, coolDown)) return old.value
    return this.#fetchOnce().catch(() => {
      this.#quietSince = Date.now()
      return old.value
    })
  }

  /**
   * Fetches the document again, because something is missing in the kept one; within the cool-down it returns the kept one. If
   * the text has not changed, the same object is returned.
   */
  async renew(): Promise<unknown> {
    const before = this.#current
    if (before === undefined || this.fresh === undefined) return this.#fetchOnce()
    if (isRecent(this.#quietSince, this.#times.coolDown)) return before.value
    const value = await this.#fetchOnce()
    if (value === before.value) this.#quietSince = Date.now()
    return value
  }

  #fetchOnce(): Promise<unknown> {
    this.#underWay ??= this.#fetchNow().finally(() => {
      this.#underWay = undefined
    })
    return this.#underWay
  }

  async #fetchNow(): Promise<unknown> {
    const response = await this.#load()
    if (response.status !== 200) {
      await response.body?.cancel()
      throw Object.assign(new Error(`unexpected HTTP status ${response.status}`), { status: response.status })
    }
    const text = await response.text()
    const value: unknown = text === this.#current?.text ? this.#current.value : JSON.parse(text)
    this.#assert(value)
    // The JSON text `null` is no document.
    if (value !== null) this.#current = { text, value, fetchedAt: Date.now() }
    return value
  }
}
