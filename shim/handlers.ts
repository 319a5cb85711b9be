/** `handlers`: the routes for a framework that speaks Fetch, answered as the Router answers them. */

import { readEnv } from '../lib/base/env.js'
import { type Logger, redact } from '../lib/base/logger.js'
import { perOwner } from '../lib/base/memory.js'
import { warnOnce } from '../lib/base/warn-once.js'
import type { Auth } from '../lib/engine/index.js'
import { AuthError, InvalidRequest, toError } from '../lib/errors.js'
import { isFromHere } from '../lib/http/addresses.js'
import { createAnswer, type Incoming } from '../lib/router/answer.js'
import { parseBody } from '../lib/router/parse-body.js'
import { findRoute } from '../lib/router/routes.js'
import { notFound, refused } from './answers.js'
import { readBody } from './body.js'
import type { Engine, EngineOf } from './engine.js'
import { fault } from './fault.js'
import type { AuthHost } from './host.js'
import { toSource, urlOf } from './origin.js'
import { pathBelow } from './paths.js'
import { ResponseRecord } from './response-record.js'

/** Answers a request to one of the routes. The request's method decides, not the name of the handler. */
export type RouteHandler = (request: Request) => Promise<Response>

/**
 * Makes the handler of all routes. It never rejects: what is wrong is logged, and answered with 500.
 *
 * @param early Gets what is wrong with the configuration itself, whose own logger is not there then.
 */
export function createHandler(engineOf: EngineOf<Auth>, host: AuthHost, early: Logger): RouteHandler {
  const answer = createFetchAnswer(host)
  return async function handleAuth(request) {
    let logger = early
    try {
      const engine = await engineOf(request)
      logger = engine.auth.config.logger
      return await answer(engine, request)
    } catch (thrown) {
      if (thrown instanceof InvalidRequest) return refused(request, thrown)
      const error = toError(thrown)
      logger.error(error)
      return fault(request, { url: askedUrl(host, request), detail: detailOf(error, host, request) })
    }
  }
}

/**
 * What is wrong, outside production. What the configuration's errors say is our own text; anything else came out of the
 * application's code, and only its developer may know it.
 */
function detailOf(error: Error, host: AuthHost, request: Request): string | undefined {
  if (readEnv().production) return undefined
  const headers = Object.fromEntries(request.headers)
  const isOwnText = error instanceof AuthError && error.cause === undefined
  if (!isOwnText && !isFromHere({ ip: host.ip?.(request), headers })) return undefined
  return redact(`${error.name}: ${error.message}`)
}

/** What the client asked for, as far as its headers can be believed. */
function askedUrl(host: AuthHost, request: Request): string {
  try {
    return urlOf(host, request)
  } catch {
    return request.url
  }
}

/** Answers what is for one of an engine's routes. */
function createFetchAnswer(host: AuthHost): (engine: Engine<Auth>, request: Request) => Promise<Response> {
  const answerOf = perOwner((engine: Engine<Auth>) => createAnswer(engine.auth))
  return async function answer(engine, request) {
    const url = new URL(urlOf(host, request))
    const { basePath } = engine.auth.config
    const path = pathBelow(basePath, url.pathname)
    const route = path === undefined ? undefined : findRoute(path)
    if (path === undefined || !route) {
      warnElsewhere(engine, url.pathname)
      return notFound(request)
    }
    const response = new ResponseRecord()
    const mount = { basePath, path, query: url.search }
    await answerOf(engine)({ ...toIncoming(engine, { request, url, ip: host.ip?.(request) }), mount, route, response })
    return response.toResponse()
  }
}

/** What is known of a request. */
interface Known {
  readonly request: Request
  /** What the client asked for. */
  readonly url: URL
  readonly ip: string | undefined
}

function toIncoming(engine: Engine<Auth>, { request, url, ip }: Known): Pick<Incoming, 'request' | 'readBody'> {
  const { method } = request
  const source = toSource(engine, { headers: request.headers, url: url.href })
  return {
    request: { ...source, method, ...(ip !== undefined && { ip }) },
    readBody: async () => (method === 'POST' ? parseBody(source.headers, await readBody(request)) : undefined),
  }
}

/** Says once that requests for our routes come to another path than the one that is configured. */
function warnElsewhere({ auth }: Engine<Auth>, pathname: string): void {
  const { basePath } = auth.config
  const base = [2, 1]
    .map((count) => pathname.split('/').slice(0, -count).join('/'))
    .find((each) => pathBelow(each, pathname) !== undefined)
  if (base === undefined) return
  warnOnce(
    auth.config,
    'handlers-basepath-mismatch',
    `A request for ${base || '/'} came to the handlers, but the base path is ${basePath || '/'}: it was answered with 404. Set \`basePath: '${base || '/'}'\` if the routes are there.`,
  )
}
