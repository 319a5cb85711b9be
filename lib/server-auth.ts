/** The function `ServerAuth` for Express. */
import { getEngine } from './engine/index.js'
import { createRouter, type ServerAuthRouter } from './router/index.js'
import type { ServerAuthConfig } from './types/config.js'

/**
 * Creates the Router of the authentication routes. Mount it at their path.
 * The configuration is resolved once, here. Use the same object for {@link getSession}.
 * @throws {@link AuthError} if the configuration is invalid; the message says what to change.
 * @example
 * ```ts
 * app.use('/auth', ServerAuth(config)) // Express 4 and 5; '/auth/*' works in 4, '/auth/*splat' in 5
 * ```
 */
export function ServerAuth(config: ServerAuthConfig): ServerAuthRouter {
  return createRouter(getEngine(config))
}
