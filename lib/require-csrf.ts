/** The guard of routes that forms of the application post to: it requires the CSRF token of the site. */
import type { Request, Response } from 'express'
import { getEngine } from './engine/index.js'
import { InvalidRequest } from './errors.js'
import { isFormOfSite } from './get-csrf-token.js'
import {
  assertCalledByApplication,
  createGuardHandler,
  type GuardHandler,
  sendRejection,
  toGuardedRequest,
} from './guard.js'
import { rejectCsrf } from './guards/rejection.js'
import { isUnparsed } from './router/parse-body.js'
import { readRequestBody } from './router/read-body.js'
import { isBearerRequest } from './session/bearer.js'
import type { ServerAuthConfig } from './types/config.js'

/** The methods that change nothing (RFC 9110 §9.2.1), which forms and scripts send without a token. */
const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Creates a guard that requires the field `csrfToken` from {@link csrfField} or {@link getCsrfToken} in requests that
 * change something. `GET`, `HEAD` and `OPTIONS` are allowed, and with `session.bearer` requests with a bearer token and
 * without a session cookie.
 *
 * A body that no parser has read is parsed: a form or JSON of at most 100 KiB. For an upload, put its parser before.
 * Browsers that send a form get a page with status 403, from which users return to the form. API clients get `403 {
 * error: 'MissingCSRF', message }`. A malformed body is answered with 400, 413 or 415.
 * @throws {@link AuthError} if the configuration is invalid.
 * @example
 * ```ts
 * app.post('/profile', requireCsrf(config), requireSession(config), saveProfile)
 * ```
 */
export function requireCsrf(config: ServerAuthConfig): GuardHandler {
  assertCalledByApplication(config, 'requireCsrf', 'requireCsrf(config)')
  const auth = getEngine(config)

  async function isAllowed(req: Request, res: Response): Promise<boolean> {
    if (safeMethods.has(req.method)) return true
    try {
      const fields = await readRequestBody(req)
      // Text or bytes from the host: the handler gets the fields. Other bodies are left to it.
      if (fields !== undefined && isUnparsed(req.body) && !isBearerRequest(auth.config, req.headers)) req.body = fields
    } catch (error) {
      if (!(error instanceof InvalidRequest) || res.headersSent) throw error
      return sendInvalidRequest(res, error)
    }
    if (res.headersSent) return false
    const isAllowedForm = isBearerRequest(auth.config, req.headers) || isFormOfSite(auth, req)
    return isAllowedForm || sendRejection({ auth, req, res }, rejectCsrf(toGuardedRequest(auth, req)))
  }

  return createGuardHandler(isAllowed)
}

/** Answers a malformed body. @returns `false`, because the request is rejected. */
function sendInvalidRequest(res: Response, { status, type, message }: InvalidRequest): false {
  // The rest of a long body is not read.
  if (status === 413) res.setHeader('connection', 'close')
  res.status(status).json({ error: type, message })
  return false
}
