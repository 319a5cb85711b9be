/**
 * Refreshes that run in this process, one for each account. Callers stop waiting at their deadline. The refresh
 * continues, because its answer has the only valid refresh token.
 */
import { perOwner, type SiteMemory } from '../../base/memory.js'

/** The progress of a refresh, for the error of callers that stop waiting. */
export interface Progress {
  /** The step that the refresh is waiting for. */
  waitsFor: string
  /** The last failure, if the refresh tries again. */
  fault?: Error
}

/** A refresh, and its waiting callers. */
export class SharedRefresh {
  /** Settles when the refresh has ended. */
  readonly done: Promise<void>
  /** The requested scope. */
  readonly scope: string | undefined
  readonly #progress: Progress = { waitsFor: 'the provider has not been called yet' }
  #abandoned = createAbandonment()
  #waiting = 0

  /** @param onUnheard Called with an error if no caller waits for it. */
  constructor(
    scope: string | undefined,
    work: (progress: Progress) => Promise<void>,
    onUnheard: (error: unknown) => void,
  ) {
    this.scope = scope
    this.done = work(this.#progress)
    this.done.catch((error: unknown) => {
      if (this.#waiting === 0) onUnheard(error)
    })
  }

  /**
   * Waits for the end of the refresh. When the time of one caller is over, all waiting callers fail, since each of them
   * would wait as long as it did.
   *
   * @param deadline By `performance.now()`.
   * @param toError Creates the error of a caller that stops waiting.
   * @throws The error of the refresh, or of `toError`.
   */
  async wait(deadline: number, toError: (progress: Progress) => Error): Promise<void> {
    const left = deadline - performance.now()
    if (left <= 0) throw toError(this.#progress)
    const timer = setTimeout(() => {
      const { reject } = this.#abandoned
      this.#abandoned = createAbandonment()
      reject(toError(this.#progress))
    }, left)
    this.#waiting += 1
    try {
      await Promise.race([this.done, this.#abandoned.promise])
    } finally {
      this.#waiting -= 1
      clearTimeout(timer)
    }
  }
}

/** Creates a promise that may be rejected, without an unhandled rejection. */
function createAbandonment(): { readonly promise: Promise<never>; readonly reject: (error: Error) => void } {
  let reject: (error: Error) => void = () => {}
  const promise = new Promise<never>((_resolve, rejectIt) => {
    reject = rejectIt
  })
  promise.catch(() => {})
  return { promise, reject }
}

const sharedRefreshesOf = perOwner((_site: SiteMemory) => new Map<string, SharedRefresh>())

/** Joins the refresh of an account that runs in this process, or starts one. */
export function joinSharedRefresh(memory: SiteMemory, key: string, begin: () => SharedRefresh): SharedRefresh {
  const refreshes = sharedRefreshesOf(memory)
  const known = refreshes.get(key)
  if (known) return known
  const refresh = begin()
  refreshes.set(key, refresh)
  const forget = () => {
    refreshes.delete(key)
  }
  refresh.done.then(forget, forget)
  return refresh
}
