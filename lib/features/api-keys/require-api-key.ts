/** The guard of routes that scripts call with an API key. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Response } from 'express'
import { mapMaybePromise } from '../../base/maybe-promise.js'
import { getEngine } from '../../engine/index.js'
import { assertCalledByApplication, createGuardHandler, sendRejection, toGuardedRequest } from '../../guard.js'
import type { ServerAuthConfig } from '../../types/config.js'
import { createKeyGuardRule } from './requirement.js'
import type { ApiKey, ApiKeyScopeOf, RequireApiKeyOptions } from './types.js'

/** A guard of routes on Express, with the key of the request on `res.locals.apiKey`. */
export interface ApiKeyGuard<Scope extends string> {
  (req: IncomingMessage, res: ServerResponse, next: (error?: unknown) => void): void
  (
    req: IncomingMessage,
    res: Response<
      unknown,
      {
        /** The key of the request. */
        apiKey: ApiKey<Scope>
      }
    >,
    next: (error?: unknown) => void,
  ): void
}

/**
 * Creates a guard that allows requests with an API key. Behind it the key is on `res.locals.apiKey`. There is no session.
 *
 * The key is read from `Authorization: Bearer`, and from `apiKeys.header`. Other requests get JSON: 401 with `WWW-Authenticate`,
 * 403 `insufficient_scope` (RFC 6750 §3.1), 400 for two credentials, 429 with `Retry-After` after too many unknown keys, 503 if the store
 * fails. Other errors are passed to `next(error)`.
 *
 * @throws {@link InvalidConfiguration} without `apiKeys`, and for a scope that is not in `apiKeys.scopes`.
 *
 * @example
 * ```ts
 * app.get('/api/notes', requireApiKey(config, { scope: 'notes:read' }), (req, res) => res.json(notesOf(res.locals.apiKey.userId)))
 * ```
 */
export function requireApiKey<const C extends ServerAuthConfig>(
  config: C,
  options: RequireApiKeyOptions<ApiKeyScopeOf<C>> = {},
): ApiKeyGuard<ApiKeyScopeOf<C>> {
  assertCalledByApplication(config, 'requireApiKey', 'requireApiKey(config, { scope: … })')
  assertCalledByApplication(options, 'auth.apiKeys.require', 'auth.apiKeys.require({ scope: … })')
  const auth = getEngine(config)
  const rule = createKeyGuardRule(auth, options, 'requireApiKey')
  return createGuardHandler((req, res) =>
    mapMaybePromise(rule.decide(toGuardedRequest(auth, req), undefined), (decision) => {
      if (res.headersSent) return false
      if (decision.kind !== 'key') return sendRejection({ auth, req, res }, decision)
      const locals: Record<string, unknown> = res.locals
      locals.apiKey = decision.apiKey
      return true
    }),
  )
}
