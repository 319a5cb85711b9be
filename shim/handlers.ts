/** `handlers`: the routes for a framework that speaks Fetch, answered by the Router that Express gets too. */
import type { Auth } from '../lib/auth.js'
import { readEnv } from '../lib/env.js'
import { InvalidRequest, toError } from '../lib/errors.js'
import type { Logger } from '../lib/logger.js'
import { perOwner } from '../lib/memory.js'
import { createRouter } from '../lib/router/index.js'
import { warnOnce } from '../lib/warn-once.js'
import { notFound, refused } from './answers.js'
import type { Engine, EngineOf } from './engine.js'
import { toExpressLike } from './express-like.js'
import { fault } from './fault.js'
import type { AuthHost } from './host.js'
import { urlOf } from './origin.js'
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
  const answer = createAnswer(host)
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
      const detail = readEnv().production ? undefined : `${error.name}: ${error.message}`
      return fault(request, { url: askedUrl(host, request), detail })
    }
  }
}

/** What the client asked for, as far as its headers can be believed. */
function askedUrl(host: AuthHost, request: Request): string {
  try {
    return urlOf(host, request)
  } catch {
    return request.url
  }
}

/** Runs the Router of an engine. */
function createAnswer(host: AuthHost): (engine: Engine<Auth>, request: Request) => Promise<Response> {
  const routerOf = perOwner((engine: Engine<Auth>) => createRouter(engine.auth))
  return async function answer(engine, request) {
    const url = new URL(urlOf(host, request))
    const path = pathBelow(engine.auth.config.basePath, url.pathname)
    if (path === undefined) {
      warnElsewhere(engine, url.pathname)
      return notFound(request)
    }
    const express = await toExpressLike(engine, { request, url, path, ip: host.ip?.(request) })
    return new Promise((resolve, reject) => {
      const next = (error?: unknown) => (error ? reject(error) : resolve(notFound(request)))
      // The Router touches no more of Express' objects than ours have; its type asks for the rest.
      Reflect.apply(routerOf(engine), undefined, [express, new ResponseRecord(resolve), next])
    })
  }
}

/** Says once that requests for our routes come to another path than the one that is configured. */
function warnElsewhere({ auth }: Engine<Auth>, pathname: string): void {
  const { basePath, logger } = auth.config
  const base = [2, 1]
    .map((count) => pathname.split('/').slice(0, -count).join('/'))
    .find((each) => pathBelow(each, pathname) !== undefined)
  if (base === undefined) return
  warnOnce(
    logger,
    'handlers-basepath-mismatch',
    `A request for ${base || '/'} came to the handlers, but the base path is ${basePath || '/'}: it was answered with 404. Set \`basePath: '${base || '/'}'\` if the routes are there.`,
  )
}
