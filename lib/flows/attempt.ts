/**
 * Attempts: flows that the user starts here and comes back to, by a provider's redirect, an email link or the response
 * of their device. The values that must be the same on return are sealed and handed to the browser. The sealed value is
 * good
 *
 * - for one purpose: each purpose has its own key, so a value that one endpoint seals cannot be opened at another one;
 * - in one browser: an attacker who plants their own attempt in a victim's browser, or copies one from there, cannot
 *   use it;
 * - at one mount: by the path of its cookie, or without a cookie, by values that are sealed with it;
 * - for a quarter of an hour, and for one use.
 *
 * A kind of attempt is a purpose (`AttemptPurpose`), the facts that it stores, and one `new Attempts<Facts>(purpose)`.
 */

import { ExpiringSet, perOwner, type SiteMemory } from '../base/memory.js'
import type { AuthContext } from '../contracts/index.js'
import { shortHash } from '../crypto/hash.js'
import { randomText } from '../crypto/random.js'
import { type AttemptPurpose, seal, unseal } from '../crypto/seal.js'
import { InvalidCheck } from '../errors.js'
import { isFirstUse } from '../features/limits/attempts.js'
import type { AttemptSlot } from '../http/cookie-budget.js'
import { bindBrowser, isBoundToBrowser } from '../session/browser.js'
import type { CookieOption } from '../types/cookies.js'

/** The lifetime of an attempt, in seconds. */
export const attemptMaxAge = 15 * 60

/** An attempt: its facts, and a random id. */
export type Attempt<Facts> = Facts & { readonly id: string }

/** An attempt in a cookie of this browser. `slot` is the end of the cookie's name. */
export interface PresentedAttempt<Facts, Slot> {
  readonly slot: Slot
  readonly attempt: Attempt<Facts>
}

/** The attempts of one kind. Used and completed attempts are remembered for each site. */
export class Attempts<Facts extends object> {
  readonly #purpose: AttemptPurpose
  readonly #memoryOf = perOwner((_site: SiteMemory) => {
    // As long as the attempts could come back.
    const bounds = { lifetime: attemptMaxAge * 1000, capacity: 100_000, hashOf: shortHash }
    return { used: new ExpiringSet(bounds), completed: new ExpiringSet(bounds) }
  })

  constructor(purpose: AttemptPurpose) {
    this.#purpose = purpose
  }

  /**
   * Creates an attempt that the browser sends back in a form. @param place The values that it is bound to besides the
   * mount.
   */
  async seal(context: AuthContext, facts: Facts, place: readonly string[]): Promise<string> {
    const { sealed } = await this.#begin(context, facts, bindingHash(context, place))
    return sealed
  }

  /** Opens the value returned by {@link seal}. `isHere`: it was created in this browser, at this mount and place. */
  open(context: AuthContext, sealed: string, place: readonly string[]) {
    return this.#open(context, sealed, bindingHash(context, place))
  }

  /** Creates an attempt and stores it in a cookie. */
  async storeInCookie(context: AuthContext, slot: AttemptSlot, facts: Facts): Promise<Attempt<Facts>> {
    const { attempt, sealed } = await this.#begin(context, facts)
    const { name, options } = attemptCookie(context, slot)
    const expires = new Date(Date.now() + attemptMaxAge * 1000)
    context.cookies.set({ name, options: { ...options, maxAge: attemptMaxAge, expires } }, sealed)
    return attempt
  }

  /**
   * Returns the attempts in those cookies that started in this browser. A sibling subdomain can add cookies of the same
   * names.
   */
  async presented<Slot extends AttemptSlot>(
    context: AuthContext,
    slots: readonly Slot[],
  ): Promise<Array<PresentedAttempt<Facts, Slot>>> {
    const found = slots.flatMap((slot) =>
      context.cookies.getAll(attemptCookie(context, slot).name).map(async (sealed) => {
        const opened = await this.#open(context, sealed)
        return opened?.isHere ? [{ slot, attempt: opened.attempt }] : []
      }),
    )
    return (await Promise.all(found)).flat()
  }

  /**
   * Marks an attempt as used: in this process, and in all processes if `rateLimit.store` is set.
   *
   * @param name The name that identifies it on return.
   * @throws {@link InvalidCheck} the second time. {@link AdapterError} if that store is unavailable.
   */
  async consume(context: AuthContext, name: string, message: string): Promise<void> {
    const { config } = context
    const isFirst = this.#memoryOf(config.memory).used.add(name)
    if (isFirst && (await isFirstUse(config, [this.#purpose, name], attemptMaxAge))) return
    throw this.invalidCheck(context, name, message)
  }

  /** Remembers that an attempt proved an identity, for later errors of {@link invalidCheck}. */
  complete(context: AuthContext, name: string): void {
    this.#memoryOf(context.config.memory).completed.add(name)
  }

  /**
   * Returns the error for an invalid attempt. It says whether the user has completed it before (reload, back button).
   */
  invalidCheck(context: AuthContext, name: string | undefined, message: string): InvalidCheck {
    const { completed } = this.#memoryOf(context.config.memory)
    return new InvalidCheck(message, { completed: name !== undefined && completed.has(name) })
  }

  async #begin(context: AuthContext, facts: Facts, place?: string) {
    const attempt: Attempt<Facts> = { ...facts, id: randomText(16) }
    const payload = { ...attempt, place, browser: bindBrowser(context) }
    const { secrets } = context.config
    return { attempt, sealed: await seal(this.#purpose, payload, { secrets, maxAge: attemptMaxAge }) }
  }

  async #open(context: AuthContext, sealed: string, place?: string) {
    const payload = await unseal(this.#purpose, sealed, context.config.secrets)
    if (!payload) return undefined
    const isHere = payload.place === place && isBoundToBrowser(context, payload.browser)
    return { attempt: payload as unknown as Attempt<Facts>, isHere }
  }
}

/** Returns the cookie of an attempt. Its path is the mount, so other requests of the site do not carry it. */
export function attemptCookie({ cookiePolicy, request }: AuthContext, slot: AttemptSlot): CookieOption {
  const { name, options } = cookiePolicy.transaction
  return { name: `${name}.${slot}`, options: { ...options, path: request.basePath || '/' } }
}

/** The end of the cookie name of a pending sign-in that needs a second factor. */
export const pendingSignInSlot = 'pending'

/** Ends an attempt that is stored in a cookie. */
export function clearAttempt(context: AuthContext, slot: AttemptSlot): void {
  const cookie = attemptCookie(context, slot)
  if (context.cookies.get(cookie.name) !== undefined) context.cookies.clear(cookie)
}

/**
 * Returns a hash of the place, host and mount of an attempt. Another host or mount may have other rules under the same
 * secret. Ports are left out, as in cookies (RFC 6265 §8.5).
 */
function bindingHash({ request, urls }: AuthContext, place: readonly string[]): string {
  return shortHash(JSON.stringify([...place, new URL(urls.origin).hostname, request.basePath]))
}
