/** Chooses the session strategy, once. */
import type { ResolvedConfig, SessionStrategy } from '../contracts/index.js'
import { MissingAdapter } from '../errors.js'
import { createDatabaseSessions } from './database/index.js'
import { createJwtSessions } from './jwt/index.js'

/** The strategy that the configuration asks for. */
export function createSessions(config: ResolvedConfig): SessionStrategy {
  if (config.session.strategy === 'jwt') return createJwtSessions(config)
  if (config.store) return createDatabaseSessions(config, config.store)
  throw new MissingAdapter('Database sessions need an `adapter`.')
}
