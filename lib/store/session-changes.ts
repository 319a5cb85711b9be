/** Serialises changes of stored sessions. */
import type { KeyedLock } from '../base/memory.js'
import { withTimeout } from '../base/timeout.js'
import { AdapterError, AuthError } from '../errors.js'
import type { AdapterMethod } from '../types/adapter.js'
import { toRedactedError } from './redacted-error.js'

/** The timeouts of a change of a session: for the change before it, or the read after it, and for itself. */
const timeoutsPerSessionChange = 2

/**
 * Creates a function that serialises changes of the same session: an adapter that reads and then writes would restore a session
 * that was deleted in between.
 *
 * The timeout includes the wait. Otherwise callers behind a method that hangs would wait for the sum of the timeouts before them.
 */
export function createSessionSerializer(lock: KeyedLock, timeout: number) {
  return async <T>(key: string, method: AdapterMethod, work: () => Promise<T>): Promise<T> => {
    let isGivenUp = false
    const turn = lock.run(key, async () => {
      if (isGivenUp) throw new Error('The caller has timed out.')
      return work()
    })
    try {
      return await withTimeout(turn, timeout * timeoutsPerSessionChange, `\`${method}\``)
    } catch (error) {
      if (error instanceof AuthError) throw error
      throw new AdapterError(`The adapter's method \`${method}\` failed.`, {
        err: toRedactedError(error, [key]),
        method,
      })
    } finally {
      isGivenUp = true
    }
  }
}
