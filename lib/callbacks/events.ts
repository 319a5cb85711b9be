/** Tells the developer's event handlers. What they throw is logged, and does not fail the request. */
import type { LostSession, ResolvedConfig, SignedIn } from '../contracts/index.js'
import { EventError, toError } from '../errors.js'
import type { EventCallbacks, SessionEndedMessage } from '../types/config.js'
import type { Account } from '../types/identity.js'

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

/* ---- session ended ----------------------------------------------------------------------------------------------- */

// Tells that sessions ended otherwise than by a sign-out of their own.

/** One event for each. To be called when they have ended, and the transaction in which they did is committed. Never throws. */
export async function tellEnded(
  config: ResolvedConfig,
  sessions: readonly LostSession[],
  facts: Omit<SessionEndedMessage, keyof LostSession>,
): Promise<void> {
  for (const session of sessions) await emit(config, 'sessionEnded', { ...session, ...facts })
}

/* ---- told account ------------------------------------------------------------------------------------------------ */

// The account as callbacks and events are told of it.

/** A provider's account; `null` where the application's own code said who somebody is. */
export function toldAccount({ account }: Pick<SignedIn, 'account'>): Account | null {
  return account.type === 'application' ? null : account
}
