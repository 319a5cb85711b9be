/** Rate limits, resolved. */

import type { Awaitable } from '../../types/identity.js'
import type { Consumed, KeyedConsumption } from '../../types/store.js'
import type { CaptchaOptions } from './captcha-types.js'
import type { Rule, RuleName } from './types.js'

/** A store of counts as the engine asks it. */
export interface GuardedLimits {
  /**
   * Counts one after the other, up to the first that is refused. What comes back ends with a refusal, or has an answer for each.
   *
   * @throws {@link AdapterError} while the store is away, unless the application said to go on without it.
   */
  consume(consumptions: readonly KeyedConsumption[]): Awaitable<readonly Consumed[]>
  /** Takes back what was counted. What fails is logged. */
  refund(consumptions: readonly KeyedConsumption[]): Awaitable<unknown>
}

/** The option `rateLimit.captcha`, complete. */
export type ResolvedCaptcha = CaptchaOptions & Required<Pick<CaptchaOptions, 'after' | 'window' | 'field' | 'origins'>>

/** The option `rateLimit`, complete. */
export interface RateLimits {
  /** Absent: the memory of the process. */
  readonly store?: GuardedLimits
  /** Absent: nobody is asked for one. */
  readonly captcha?: ResolvedCaptcha
  /** Those that are on. Mails are counted by their provider's `limit`. */
  readonly rules: Readonly<Partial<Record<Exclude<RuleName, 'mail'>, Rule>>>
}
