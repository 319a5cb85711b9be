/** Rate limits, resolved. */

import type { Awaitable } from '../../types/identity.js'
import type { Consumed, KeyedConsumption } from '../../types/store.js'
import type { CaptchaOptions } from './captcha-types.js'
import type { Rule, RuleName } from './types.js'

/** A store of counts as the engine calls it. */
export interface GuardedLimits {
  /**
   * Counts one after the other, up to the first rejection. The result has an answer for each, or ends with the
   * rejection.
   *
   * @throws {@link AdapterError} if the store fails, unless the application chose to continue without it.
   */
  consume(consumptions: readonly KeyedConsumption[]): Awaitable<readonly Consumed[]>
  /** Takes back what was counted. Errors are logged. */
  refund(consumptions: readonly KeyedConsumption[]): Awaitable<unknown>
}

/** The option `rateLimit.captcha`, resolved. */
export type ResolvedCaptcha = CaptchaOptions & Required<Pick<CaptchaOptions, 'after' | 'window' | 'field' | 'origins'>>

/** The option `rateLimit`, resolved. */
export interface RateLimits {
  /** Absent: the memory of the process. */
  readonly store?: GuardedLimits
  /** Absent: no captcha is required. */
  readonly captcha?: ResolvedCaptcha
  /** The active rules. Emails are counted by their provider's `limit`. */
  readonly rules: Readonly<Partial<Record<Exclude<RuleName, 'mail'>, Rule>>>
}
