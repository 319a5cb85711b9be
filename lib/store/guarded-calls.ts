/** The guard of stores: a time-out around each method, and errors that name it. */
import { isPromiseLike } from '../base/after.js'
import { withTimeout } from '../base/timeout.js'
import { AdapterError } from '../errors.js'
import type { Awaitable } from '../types/identity.js'
import type { RecordTable } from '../types/store.js'
import { toFault } from './fault.js'

/** Calls a method, and reads its answer. A store that answers at once is read at once. @throws {@link AdapterError} */
type GuardedCall<S> = <T>(
  method: keyof S & string,
  args: readonly unknown[],
  read: (value: unknown) => T,
) => Awaitable<T>

/** How a store is guarded. */
export interface StoreGuard {
  /** What the store keeps, for the error. */
  readonly keeps: string
  /** Milliseconds that a method may take. */
  readonly timeout: number
  /** The first argument of all methods. Errors may show it: it has no values. */
  readonly table?: RecordTable
}

/** Returns a function that calls the methods of a store. */
export function guardedCalls<S extends { [M in keyof S]?: unknown }>(
  store: S,
  { keeps, timeout, table }: StoreGuard,
): GuardedCall<S> {
  return (method, args, read) => {
    const fail = (error: unknown): never => {
      throw new AdapterError(`The store of ${keeps} failed (\`${method}\`).`, { err: toFault(error, args), method })
    }
    try {
      const own: unknown = store[method]
      if (typeof own !== 'function') throw new TypeError('There is no such method.')
      const answer: unknown = Reflect.apply(own, store, table ? [table, ...args] : args)
      if (!isPromiseLike(answer)) return read(answer)
      return withTimeout(Promise.resolve(answer), timeout, `\`${method}\``).then(read).catch(fail)
    } catch (error) {
      return fail(error)
    }
  }
}

/** Ignores an answer. */
export const nothing = (): undefined => undefined

/** Reads a yes or a no. Any other answer taken for a yes would tell two concurrent callers that each was the one. */
export function toAnswer(value: unknown): boolean {
  if (typeof value === 'boolean') return value
  throw new TypeError('It returned neither true nor false.')
}
