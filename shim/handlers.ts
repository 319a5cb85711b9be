/** The function that creates `handlers`: the routes for a Fetch framework, with the same responses as the Router. */

import { readEnv } from '../lib/base/env.js'
import { type Logger, redact } from '../lib/base/logger.js'
import { perOwner } from '../lib/base/memory.js'
import { isUrl } from '../lib/base/url.js'
import { warnOnce } from '../lib/base/warn-once.js'
import { english } from '../lib/config/site.js'
import { randomText } from '../lib/crypto/random.js'
import type { AuthEngine } from '../lib/engine/index.js'
import { AuthError, InvalidRequest, toError } from '../lib/errors.js'
import { isFromThisMachine } from '../lib/http/ip-addresses.js'
import { renderError } from '../lib/pages/index.js'
import { createAnswer } from '../lib/router/answer.js'
import { parseBody } from '../lib/router/parse-body.js'
import { readFetchBody } from './body.js'
import type { ConfiguredEngine, EngineResolver } from './engine.js'
import type { AuthHost } from './host.js'
import { requestedUrl, routeBelow, toSource } from './request.js'
import { ResponseRecord } from './response-record.js'
import { invalidRequestResponse, notFoundResponse, shortResponse, uncachedResponse, wantsJson } from './responses.js'

/** A handler of the routes. The request's method is used, not the name of the handler. */
export type RouteHandler = (request: Request) => Promise<Response>

/**
 * Creates the handler of all routes. It never rejects: errors are logged, and answered with 500.
 * @param fallbackLogger The logger for errors of the configuration itself, whose own logger is not available then.
 */
export function createHandler(
  engineOf: EngineResolver<AuthEngine>,
  host: AuthHost,
  fallbackLogger: Logger,
): RouteHandler {
  const answerOf = perOwner((engine: ConfiguredEngine<AuthEngine>) => createAnswer(engine.auth))
  async function answerByRoute(engine: ConfiguredEngine<AuthEngine>, request: Request): Promise<Response> {
    const { headers, method } = request
    const url = new URL(requestedUrl(host, request))
    const { basePath } = engine.auth.config
    const below = routeBelow(basePath, url.pathname)
    if (!below) {
      warnBasePathMismatch(engine, url.pathname)
      return notFoundResponse(request)
    }
    const source = toSource(engine, { headers, url: url.href })
    const response = new ResponseRecord()
    await answerOf(engine)({
      request: { ...source, method, ip: host.ip?.(request) },
      readBody: async () => (method === 'POST' ? parseBody(source.headers, await readFetchBody(request)) : undefined),
      mount: { basePath, path: below.path, query: url.search },
      route: below.route,
      response,
    })
    return response.toResponse()
  }
  return async function handleAuth(request) {
    let logger = fallbackLogger
    try {
      const engine = await engineOf(request)
      logger = engine.auth.config.logger
      return await answerByRoute(engine, request)
    } catch (thrown) {
      if (thrown instanceof InvalidRequest) return invalidRequestResponse(request, thrown)
      const error = toError(thrown)
      logger.error(error)
      return serverErrorResponse(request, {
        url: requestedUrlOf(host, request),
        detail: developmentDetail(error, host, request),
      })
    }
  }
}

/**
 * Returns the message of an error, outside production. Messages of configuration errors are safe. Others come from the
 * application's code, so only local clients get them.
 */
function developmentDetail(error: Error, host: AuthHost, request: Request): string | undefined {
  if (readEnv().production) return undefined
  const headers = Object.fromEntries(request.headers)
  const isOwnText = error instanceof AuthError && error.cause === undefined
  if (!isOwnText && !isFromThisMachine({ ip: host.ip?.(request), headers })) return undefined
  return redact(`${error.name}: ${error.message}`)
}

/** Returns the requested URL, as far as the headers can be trusted. */
function requestedUrlOf(host: AuthHost, request: Request): string | undefined {
  try {
    return requestedUrl(host, request)
  } catch {
    return isUrl(request.url) ? request.url : undefined
  }
}

/** Warns once that requests for the routes arrive at another path than the configured one. */
function warnBasePathMismatch({ auth }: ConfiguredEngine<AuthEngine>, pathname: string): void {
  const { basePath } = auth.config
  const base = [2, 1]
    .map((count) => pathname.split('/').slice(0, -count).join('/'))
    .find((each) => routeBelow(each, pathname) !== undefined)
  if (base === undefined) return
  warnOnce(
    auth.config,
    'handlers-basepath-mismatch',
    `A request for ${base || '/'} came to the handlers, but the base path is ${basePath || '/'}: it was answered with 404. Set \`basePath: '${base || '/'}'\` if the routes are there.`,
  )
}

/**
 * Returns the response to a logged error, of the configuration or the library. `url` is the requested URL; `detail` is
 * for development only.
 */
function serverErrorResponse(
  request: Request,
  { url, detail }: Record<'url' | 'detail', string | undefined>,
): Response {
  if (url === undefined || wantsJson(request) || !request.headers.get('accept')?.includes('text/html')) {
    const message = detail ?? 'The server could not answer. Its log has the reason.'
    return shortResponse(request, { status: 500, error: 'Configuration', message })
  }
  const nonce = randomText(16)
  const { origin, host } = new URL(url)
  const html = renderError({
    frame: { nonce, theme: {}, host, language: english },
    error: 'Configuration',
    signInUrl: origin,
    homeUrl: origin,
    detail,
  })
  return uncachedResponse(500, html, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; img-src data:; style-src 'nonce-${nonce}'`,
  })
}
