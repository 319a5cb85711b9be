/** Tells the developer's event handlers. What they throw is logged, and does not fail the request. */
import type { ResolvedConfig } from '../contracts/index.js'
import { EventError, toError } from '../errors.js'
import type { EventCallbacks } from '../types/config.js'

/** Runs a handler and waits for it. Never throws. */
export async function emit<E extends keyof EventCallbacks>(
  config: ResolvedConfig,
  event: E,
  message: Parameters<EventCallbacks[E]>[0],
): Promise<void> {
  const handler = config.events[event] as ((message: Parameters<EventCallbacks[E]>[0]) => unknown) | undefined
  try {
    await handler?.(message)
  } catch (error) {
    config.logger.error(new EventError(`The event handler \`events.${event}\` threw.`, toError(error)))
  }
}
