/** Chooses the session strategy, once. */
import type { ResolvedConfig, SessionStrategy } from '../context.js'
import { createJwtSessions } from './jwt-session.js'

/** The strategy that the configuration asks for. */
export function createSessions(config: ResolvedConfig): SessionStrategy {
  return createJwtSessions(config)
}
