/** `server-auth/rate-limit`: limiters of `rate-limiter-flexible` as a store of rate limits, and captcha services. */
import type { Consumed, Consumption, CounterStore, Store } from '../../types/store.js'

export { type CaptchaKeys, friendly, hcaptcha, type TurnstileKeys, turnstile } from './index-captcha.js'

/** The methods of a limiter of `rate-limiter-flexible` that are used. */
export interface FlexibleLimiter {
  /**
   * Consumes points of a key. Rejects with the limiter's state if there are too few, and with an error if its database
   * fails.
   */
  consume(key: string, points?: number): Promise<unknown>
  /** Gives points back to a key. */
  reward(key: string, points?: number): Promise<unknown>
  /** Returns the state of a key; `null` if nothing was consumed. */
  get(key: string): Promise<unknown>
}

/** Seconds: the longest that an account waits, as with `delay: 'exponential'`. */
const longestWait = 15 * 60

/**
 * Creates a store of counts from limiters of `rate-limiter-flexible`, which supports many databases.
 *
 * A limiter has one limit and one window, so one is created for each such pair in your rules. It has no growing delay:
 * with `delay`, an account at its limit waits for 15 minutes.
 *
 * @param create Creates a limiter of so many points in so many seconds (`duration`). Called once for each pair.
 * @throws {TypeError} If it is no function, or later if it returns no limiter.
 * @example
 * ```ts
 * const store = fromRateLimiterFlexible(
 *   ({ points, duration }) => new RateLimiterMongo({ storeClient, points, duration, keyPrefix: `auth-${points}-${duration}` }),
 * )
 * const config = { providers: [credentials], rateLimit: { store } }
 * ```
 */
export function fromRateLimiterFlexible(
  create: (limits: {
    /** The attempts that are allowed within `duration`. */
    points: number
    /** Seconds. */
    duration: number
  }) => FlexibleLimiter,
): Pick<Store, 'counter'> {
  if (typeof create !== 'function') {
    throw new TypeError('fromRateLimiterFlexible: pass a function that makes a limiter for `points` and `duration`.')
  }
  const limiters = new Map<string, FlexibleLimiter>()
  const limiterOf = ({ limit, window, delay }: Consumption): FlexibleLimiter => {
    const duration = Math.ceil(delay ? Math.min(window, longestWait) : window)
    const name = `${limit} ${duration}`
    const made = limiters.get(name) ?? assertLimiter(create({ points: limit, duration }))
    limiters.set(name, made)
    return made
  }
  const counter: CounterStore = {
    async consume(key, consumption) {
      const limiter = limiterOf(consumption)
      if (consumption.cost === 0) {
        const state = await limiter.get(key)
        return remainingPoints(state, consumption.limit) > 0 ? allowed : toRejection(state)
      }
      try {
        await limiter.consume(key, consumption.cost)
        return allowed
      } catch (thrown) {
        // It rejects with its state if no points are left, and with an error if its database fails.
        if (thrown instanceof Error || !isLimiterState(thrown)) throw thrown
        return toRejection(thrown)
      }
    },
    async refund(key, consumption) {
      const limiter = limiterOf(consumption)
      // A new window has nothing to refund: a reward would allow one attempt too many.
      if (remainingPoints(await limiter.get(key), consumption.limit) < consumption.limit) await limiter.reward(key, 1)
    },
  }
  return { counter }
}

const allowed: Consumed = Object.freeze({ allowed: true, retryAfter: 0 })

function toRejection(state: unknown): Consumed {
  return { allowed: false, retryAfter: isLimiterState(state) ? Math.max(state.msBeforeNext, 0) / 1000 : 1 }
}

/** Returns the points that are left. A key without counts has no state. */
function remainingPoints(state: unknown, limit: number): number {
  return isLimiterState(state) ? state.remainingPoints : limit
}

function isLimiterState(value: unknown): value is { msBeforeNext: number; remainingPoints: number } {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof Reflect.get(value, 'msBeforeNext') === 'number' &&
    typeof Reflect.get(value, 'remainingPoints') === 'number'
  )
}

function assertLimiter(limiter: FlexibleLimiter): FlexibleLimiter {
  const lacking = ['consume', 'reward', 'get'].find((name) => typeof Reflect.get(Object(limiter), name) !== 'function')
  if (lacking === undefined) return limiter
  throw new TypeError(`fromRateLimiterFlexible: the function made no limiter: it has no \`${lacking}\`.`)
}
