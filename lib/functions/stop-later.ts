/** Functions that begin something and return at once how to stop it, as the rule `returns: 'stop'` says. */
import { isPromiseLike } from '../base/maybe-promise.js'
import { toError } from '../errors.js'
import type { Awaitable } from '../types/identity.js'

/** Stops what a call began. */
export type Stop = () => void

/**
 * Returns a function that stops what a call begins, also while it is beginning.
 *
 * @param failed Called if it cannot begin, unless it was stopped.
 */
export function stopLater(begun: Awaitable<Stop>, failed: (error: Error) => void): Stop {
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
      if (!isStopped) failed(toError(thrown))
    },
  )
  return () => stop()
}

/** Returns the function that reports a failure to begin to the listener among the arguments. It throws if there is none. */
export function failureListener(given: readonly unknown[]): (error: Error) => void {
  const listener = given.find((each) => typeof each === 'function')
  return (error) => {
    if (listener === undefined) throw error
    listener('outage', error)
  }
}
