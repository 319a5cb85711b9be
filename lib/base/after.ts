/** Going on with what may be a promise, and need not be: where the value is there, no promise is made for it. */
import type { Awaitable } from '../types/identity.js'

/** Calls `next` with the value: at once where it is there. */
export function after<T, R>(value: Awaitable<T>, next: (value: T) => Awaitable<R>): Awaitable<R> {
  return isPromiseLike(value) ? value.then(next) : next(value)
}

/** What `work` makes of each, one after the other. */
export function inTurn<T, R>(items: readonly T[], work: (item: T) => Awaitable<R>): Awaitable<readonly R[]> {
  const [only] = items
  if (items.length === 1 && only !== undefined) return after(work(only), (made) => [made])
  return items.reduce<Awaitable<readonly R[]>>(
    (before, item) => after(before, (made) => after(work(item), (one) => [...made, one])),
    [],
  )
}

/** What `work` makes, or `failed` of what it throws, at once or later. */
export function rescue<T>(work: () => Awaitable<T>, failed: (thrown: unknown) => Awaitable<T>): Awaitable<T> {
  try {
    const made = work()
    return isPromiseLike(made) ? made.then(undefined, failed) : made
  } catch (thrown) {
    return failed(thrown)
  }
}

/** Whether it is a promise, of whichever library. */
export function isPromiseLike<T>(value: Awaitable<T>): value is PromiseLike<T> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}
