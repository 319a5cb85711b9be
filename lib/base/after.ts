/** Going on with what may be a promise. */
import type { Awaitable } from '../types/identity.js'

/** Calls `next` with the value: at once where it is there, so that no promise is made for it. */
export function after<T, R>(value: Awaitable<T>, next: (value: T) => Awaitable<R>): Awaitable<R> {
  return isPromiseLike(value) ? value.then(next) : next(value)
}

/** Whether it is a promise, of whichever library. */
export function isPromiseLike<T>(value: Awaitable<T>): value is PromiseLike<T> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}
