/** The door for Express: a Router that signs people in. */
import { authOf } from './engine/index.js'
import { createRouter, type ServerAuthRouter } from './router/index.js'
import type { ServerAuthConfig } from './types/config.js'

/**
 * Makes the Router of the authentication routes. Mount it where the routes are to be.
 *
 * The configuration is resolved once, here. Use the same object for {@link getSession}.
 *
 * @throws {@link AuthError} when the configuration cannot work; the message says what to change.
 *
 * @example
 * ```ts
 * app.use('/auth', ServerAuth(config)) // Express 4 and 5; '/auth/*' works in 4, '/auth/*splat' in 5
 * ```
 */
export function ServerAuth(config: ServerAuthConfig): ServerAuthRouter {
  return createRouter(authOf(config))
}
