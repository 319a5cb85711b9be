/** What the guards of small stores have in common: a time-out around each method, and errors that name it. */
import { withTimeout } from '../base/timeout.js'
import { AdapterError } from '../errors.js'
import { toFault } from './fault.js'

/** Calls a method, and reads what it returned. @throws {@link AdapterError} */
type GuardedCall<S> = <T>(method: keyof S & string, args: readonly unknown[], read: (value: unknown) => T) => Promise<T>

/** @param keeps What the store is of, for the error. @param timeout Milliseconds that a method may take. */
export function guardedCalls<S extends { [M in keyof S]: (...args: never[]) => unknown }>(
  store: S,
  { keeps, timeout }: { readonly keeps: string; readonly timeout: number },
): GuardedCall<S> {
  return async (method, args, read) => {
    try {
      const answer: unknown = Reflect.apply(store[method], store, args)
      return read(await withTimeout(Promise.resolve(answer), timeout, `\`${method}\``))
    } catch (error) {
      throw new AdapterError(`The store of ${keeps} failed (\`${method}\`).`, { err: toFault(error, args), method })
    }
  }
}

/** Taken for a yes where it is not said, two at once would each believe that they were the one. */
export function toAnswer(value: unknown): boolean {
  if (typeof value === 'boolean') return value
  throw new TypeError('It returned neither true nor false.')
}
