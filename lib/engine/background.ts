/** The work that continues after a response was sent, such as the sending of emails. */
import type { Logger } from '../base/logger.js'
import { toError } from '../errors.js'

/** Creates a registry that keeps promises until they are settled. */
export function createBackground(logger: Logger) {
  const pending = new Set<Promise<unknown>>()
  const listeners = new Set<(work: Promise<unknown>) => void>()
  const notify = (listener: (work: Promise<unknown>) => void, work: Promise<unknown>) => {
    try {
      listener(work)
    } catch (error) {
      // The work continues even if a listener throws.
      logger.error(toError(error))
    }
  }
  return {
    run(work: Promise<unknown>): void {
      const settled = work.catch(() => {}).finally(() => pending.delete(settled))
      pending.add(settled)
      for (const listener of listeners) notify(listener, settled)
    },
    listen: (listener: (work: Promise<unknown>) => void) => void listeners.add(listener),
    async settled(): Promise<void> {
      while (pending.size > 0) await Promise.all(pending)
    },
  }
}
