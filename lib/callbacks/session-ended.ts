/** Tells that sessions ended otherwise than by a sign-out of their own. */
import type { LostSession, ResolvedConfig } from '../contracts/index.js'
import type { SessionEndedMessage } from '../types/config.js'
import { emit } from './events.js'

/** One event for each. To be called when they have ended, and the transaction in which they did is committed. Never throws. */
export async function tellEnded(
  config: ResolvedConfig,
  sessions: readonly LostSession[],
  facts: Omit<SessionEndedMessage, keyof LostSession>,
): Promise<void> {
  for (const session of sessions) await emit(config, 'sessionEnded', { ...session, ...facts })
}
