/** Helpers for values that may be promises. They create no promise for a value that is already there. */
import type { Awaitable } from '../types/identity.js'

/** Calls `next` with the value: at once if it is not a promise. */
export function mapMaybePromise<T, R>(value: Awaitable<T>, next: (value: T) => Awaitable<R>): Awaitable<R> {
  return isPromiseLike(value) ? toNativePromise(value).then(next) : next(value)
}

/** Calls `work` for each item in turn and returns the results. */
export function mapSeries<T, R>(items: readonly T[], work: (item: T) => Awaitable<R>): Awaitable<readonly R[]> {
  const [only] = items
  if (items.length === 1 && only !== undefined) return mapMaybePromise(work(only), (made) => [made])
  return items.reduce<Awaitable<readonly R[]>>(
    (before, item) => mapMaybePromise(before, (made) => mapMaybePromise(work(item), (one) => [...made, one])),
    [],
  )
}

/** Returns the result of `work`, or that of `failed` when `work` throws or rejects. */
export function catchMaybePromise<T>(
  work: () => Awaitable<T>,
  failed: (thrown: unknown) => Awaitable<T>,
): Awaitable<T> {
  try {
    const made = work()
    return isPromiseLike(made) ? toNativePromise(made).then(undefined, failed) : made
  } catch (thrown) {
    return failed(thrown)
  }
}

/** Checks whether a value is a promise of any library. */
export function isPromiseLike<T>(value: Awaitable<T>): value is PromiseLike<T> {
  // `in` is several times slower for objects of many shapes.
  return typeof value === 'object' && value !== null && typeof (value as Partial<PromiseLike<T>>).then === 'function'
}

/**
 * Converts to a native promise. As with `await`, a foreign promise only needs a `then` that takes two functions: it may
 * return nothing, call both functions, or call one twice. A native promise is returned as it is.
 */
function toNativePromise<T>(value: PromiseLike<T>): Promise<T> {
  return Promise.resolve(value)
}
