/**
 * The guards of a request that the library answers. A guard without `await` must not let the application's response out.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Logger } from '../lib/base/logger.js'
import { shortResponse } from './responses.js'

/** The promise of a guard. `await`, `Promise.all`, `Promise.race` and `return` call `then`, which marks it as awaited. */
class GuardPromise<T> extends Promise<T> {
  isAwaited = false

  // Promises derived from this one are plain promises.
  static override get [Symbol.species]() {
    return Promise
  }

  override then<A = T, B = never>(
    onFulfilled?: ((value: T) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.isAwaited = true
    return super.then(onFulfilled, onRejected)
  }

  /** Keeps a rejection from ending the process: the request is answered with 500 if nothing awaits it. */
  markHandled(): this {
    super.then(undefined, () => {})
    return this
  }
}

/** A guard that was called, and how a missing `await` is reported. */
interface CalledGuard {
  readonly promise: GuardPromise<unknown>
  readonly source: GuardSource
}

/** The function of a guard. */
export interface GuardSource {
  /** The name with parentheses, such as `auth.require()`. */
  readonly name: string
  readonly logger: Logger
}

/** The guards that a handler calls, until it returns. */
class GuardScope {
  /** Absent until the first one. */
  guards?: CalledGuard[]
  isOpen = true
}

const scopes = new AsyncLocalStorage<GuardScope>()

/**
 * Returns the promise of a guard. While a request is answered by {@link assertingGuards}, it is registered with the request.
 * Callers must not be `async` functions, whose own promise would be the one that the application gets.
 */
export function trackGuard<T>(source: GuardSource, work: Promise<T>): Promise<T> {
  const scope = scopes.getStore()
  if (!scope?.isOpen) return work
  const promise = new GuardPromise<T>((resolve) => resolve(work)).markHandled()
  scope.guards ??= []
  scope.guards.push({ promise, source })
  return promise
}

/**
 * Runs a handler. Returns its result; a response with 500, and logs the reason, if it has returned without awaiting a guard.
 * @throws Errors of the handler.
 */
export async function assertingGuards<T>(request: Request, handler: () => T): Promise<Awaited<T> | Response> {
  const scope = new GuardScope()
  let result: Awaited<T>
  try {
    result = await scopes.run(scope, handler)
  } finally {
    // A guard that is called later is a plain promise, whose rejection ends the process.
    scope.isOpen = false
  }
  const ignored = scope.guards?.find(({ promise }) => !promise.isAwaited)
  if (!ignored) return result
  const { name, logger } = ignored.source
  logger.error(
    new Error(
      `${name} was called without \`await\`, so the request was answered with 500 instead of the handler's response. Write \`await ${name.slice(0, -1)}…)\`.`,
    ),
  )
  return shortResponse(request, {
    status: 500,
    error: 'Configuration',
    message: 'The server could not answer. Its log has the reason.',
  })
}
