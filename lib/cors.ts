/** The middleware that lets pages of `trustedOrigins` call the application's own API. */
import { getEngine } from './engine/index.js'
import { InvalidConfiguration } from './errors.js'
import { assertCalledByApplication, createGuardHandler, type GuardHandler } from './guard.js'
import { apiRules, setCorsHeaders } from './http/cors.js'
import type { ServerAuthConfig } from './types/config.js'

/**
 * Creates a middleware that lets scripts of `trustedOrigins` call the application's own API with cookies (CORS). It
 * answers their preflights with 204, and sets the headers of other responses. Pages of other origins get no header.
 *
 * Put it before guards, so that scripts can read their 401, and so that preflights, which have no cookies, are not
 * rejected. It does not replace {@link requireCsrf}: other pages can still send forms.
 * @throws {@link AuthError} if the configuration is invalid, or has no `trustedOrigins`.
 * @example
 * ```ts
 * app.use('/api', cors(config), requireCsrf(config), requireSession(config))
 * ```
 */
export function cors(config: ServerAuthConfig): GuardHandler {
  assertCalledByApplication(config, 'cors', 'cors(config)')
  const { trustedOrigins: trusted } = getEngine(config).config
  if (!trusted) throw new InvalidConfiguration('`auth.cors()` needs the origins of the pages. Set `trustedOrigins`.')
  return createGuardHandler((req, res) => {
    if (!setCorsHeaders(res, req, { trusted, rules: apiRules })) return true
    res.status(204).end()
    return false
  })
}
