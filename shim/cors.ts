/** `auth.cors`: the application's own API for pages of `trustedOrigins`, behind the shim. */
import { warnOnce } from '../lib/base/warn-once.js'
import type { AuthEngine } from '../lib/engine/index.js'
import { apiRules, setCorsHeaders } from '../lib/http/cors.js'
import { isFetchRequest } from '../lib/http/message.js'
import type { Awaitable } from '../lib/types/identity.js'
import type { EngineResolver } from './engine.js'
import { isResponse } from './request.js'
import { ResponseRecord } from './response-record.js'
import { catchResponse } from './thrown-responses.js'

/** The function `auth.cors`. */
export type CorsFunction = (request: Request, respond: () => Awaitable<Response>) => Promise<Response>

/** Creates the function. */
export function createCors(engineOf: EngineResolver<AuthEngine>): CorsFunction {
  return async function cors(request, respond) {
    if (!isFetchRequest(request)) throw new TypeError('auth.cors() needs the Request as its first argument.')
    const { config } = (await engineOf(request)).auth
    const { trustedOrigins: trusted } = config
    if (!trusted) warnOnce(config, 'cors-without-origins', '`auth.cors()` has no effect. Set `trustedOrigins`.')
    const record = new ResponseRecord()
    const { method, headers } = request
    const source = { method, headers: Object.fromEntries(headers) }
    if (trusted && setCorsHeaders(record, source, { trusted, rules: apiRules })) {
      record.statusCode = 204
      record.end()
      return record.toResponse()
    }
    const response = await catchResponse(request, respond)
    if (!isResponse(response)) throw new TypeError('The function that auth.cors() calls must return a Response.')
    return record.addHeadersTo(response)
  }
}
