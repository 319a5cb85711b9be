/** Functions that begin something and return at once how to stop it, as the rule `returns: 'stop'` says. */
import { isPromiseLike } from '../base/maybe-promise.js'
import { toError } from '../errors.js'
import type { Awaitable } from '../types/identity.js'

/** Stops what a call began. */
export type Stop = () => void

/**
 * Returns a function that stops what a call begins, also while it is beginning.
 *
 * @param failed Called if it cannot begin, unless it was stopped. Must not throw.
 */
export function stopLater(begun: Awaitable<Stop>, failed: (error: Error) => unknown): Stop {
  if (!isPromiseLike(begun)) return begun
  let isStopped = false
  let stop: Stop = () => {
    isStopped = true
  }
  void begun.then(
    (own) => {
      if (isStopped) own()
      else stop = own
    },
    (thrown: unknown) => {
      if (!isStopped) void failed(toError(thrown))
    },
  )
  return () => stop()
}

/**
 * Returns the function that reports a failure to begin to the listener among the arguments. It never throws: a process would end with
 * a listener that fails, and a stranger can cause failures, such as with a host of no tenant.
 *
 * @param report Called with what the listener throws or rejects with, and with the failure if there is no listener.
 */
export function failureListener(
  given: readonly unknown[],
  report: (error: Error) => void,
): (failure: Error) => Promise<void> {
  const listener = given.find((each) => typeof each === 'function')
  return async (failure) => {
    if (listener === undefined) return report(failure)
    await callReported(() => listener('outage', failure), report)
  }
}

/** Calls a function of the application, and reports what it throws or rejects with. Never rejects. */
export async function callReported(call: () => unknown, report: (error: Error) => void): Promise<void> {
  try {
    await call()
  } catch (thrown) {
    report(toError(thrown))
  }
}
