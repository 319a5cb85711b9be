/**
 * The guard of the developer's store of counts: a time-out for each call, errors that name the store, and the behaviour
 * if it fails.
 */

import { isRecord } from '../../base/guards.js'
import type { Logger } from '../../base/logger.js'
import { mapMaybePromise } from '../../base/maybe-promise.js'
import type { GuardedLimits } from '../../contracts/index.js'
import { toError } from '../../errors.js'
import { guardedCalls, ignoreResult } from '../../store/guard.js'
import type { Awaitable } from '../../types/identity.js'
import type { Consumed, CounterStore, KeyedConsumption } from '../../types/store.js'

/** The options of a guard. */
export interface LimitGuard {
  /** Milliseconds that a call may take. */
  readonly timeout: number
  readonly logger: Logger
  /** Counts if the store fails. Absent: attempts are rejected then. */
  readonly substitute?: CounterStore
}

/** Wraps a store that needs no guard. */
export function unguardedLimits(store: CounterStore): GuardedLimits {
  return {
    consume: (consumptions) => consumeInOrder(store, consumptions),
    refund: (consumptions) => refundInOrder(store, consumptions),
  }
}

/**
 * Guards a store of the developer. `consume` rejects with {@link AdapterError} if the store fails, unless there is a
 * substitute.
 */
export function guardLimits(store: CounterStore, { timeout, logger, substitute }: LimitGuard): GuardedLimits {
  const call = guardedCalls<CounterStore>(store, { keeps: 'rate limits', timeout })
  const guarded: CounterStore = {
    consume: (key, consumption) => call('consume', [key, consumption], toConsumed),
    refund: (key, consumption) => call('refund', [key, consumption], ignoreResult),
    ...(store.consumeInTurn && {
      consumeInTurn: (consumptions: readonly KeyedConsumption[]) =>
        call('consumeInTurn', [consumptions], (value) => toAnswers(value, consumptions.length)),
    }),
  }
  const asking = (consumptions: readonly KeyedConsumption[]) => consumeInOrder(guarded, consumptions)
  /** The counts of the substitute. Only the substitute refunds them. */
  const substituted = new WeakSet<KeyedConsumption>()
  return {
    async consume(consumptions) {
      if (!substitute) return asking(consumptions)
      try {
        return await asking(consumptions)
      } catch (error) {
        logger.error(toError(error))
        for (const each of consumptions) substituted.add(each)
        return consumeInOrder(substitute, consumptions)
      }
    },
    async refund(consumptions) {
      const isHere = (each: KeyedConsumption) => substituted.has(each)
      if (substitute) await refundInOrder(substitute, consumptions.filter(isHere))
      try {
        await refundInOrder(
          guarded,
          consumptions.filter((each) => !isHere(each)),
        )
      } catch (error) {
        // The attempt stays counted as a failure, but it succeeds.
        logger.error(toError(error))
      }
    },
  }
}

function consumeInOrder(
  store: CounterStore,
  consumptions: readonly KeyedConsumption[],
): Awaitable<readonly Consumed[]> {
  const [first, ...rest] = consumptions
  if (!first) return []
  if (store.consumeInTurn && rest.length > 0) return store.consumeInTurn(consumptions)
  return mapMaybePromise(store.consume(first.key, first), (answer): Awaitable<readonly Consumed[]> => {
    if (!answer.allowed || rest.length === 0) return [answer]
    return mapMaybePromise(consumeInOrder(store, rest), (answers) => [answer, ...answers])
  })
}

function refundInOrder(store: CounterStore, [first, ...rest]: readonly KeyedConsumption[]): Awaitable<unknown> {
  if (!first) return undefined
  return mapMaybePromise(store.refund(first.key, first), () => refundInOrder(store, rest))
}

/** Seconds: the longest window of a rule. */
const longestWait = 366 * 24 * 60 * 60

/** Validates an answer. An invalid answer must not be treated as "allowed". */
function toConsumed(value: unknown): Consumed {
  if (!isRecord(value) || typeof value.allowed !== 'boolean') throw new TypeError('It returned no boolean `allowed`.')
  const { allowed, retryAfter } = value
  const isTime = typeof retryAfter === 'number' && Number.isFinite(retryAfter) && retryAfter >= 0
  return { allowed, retryAfter: isTime ? Math.min(retryAfter, longestWait) : 0 }
}

/** Validates the answers. There may be fewer answers than counts only if the last one is a rejection. */
function toAnswers(value: unknown, asked: number): readonly Consumed[] {
  if (!Array.isArray(value)) throw new TypeError('It returned no list of answers.')
  const answers = value.map(toConsumed)
  const isComplete = answers.length === asked || answers.at(-1)?.allowed === false
  if (isComplete && answers.length > 0) return answers
  throw new TypeError('It returned too few answers.')
}
