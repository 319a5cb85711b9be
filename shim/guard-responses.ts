/** The requests and responses of guards, as Fetch has them. */
import type { AuthEngine } from '../lib/engine/index.js'
import { InvalidRequest } from '../lib/errors.js'
import {
  type GuardedRequest,
  isShownToUser,
  type Rejection,
  rejectionHeaders,
  toPath,
} from '../lib/guards/rejection.js'
import { type OriginSource, readOrigin } from '../lib/http/origin.js'
import { sendGuardPage } from '../lib/router/guard-page.js'
import type { ConfiguredEngine } from './engine.js'
import type { AuthHost } from './host.js'
import { requestedUrl, toSource } from './request.js'
import { ResponseRecord } from './response-record.js'
import { invalidRequestResponse } from './responses.js'
import { throwResponse } from './thrown-responses.js'

/** Runs a guard. Rejects malformed requests with 400, and bodies that are too long with 413. */
export async function guarding<T>(host: AuthHost, request: Request, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof InvalidRequest) throwResponse(host, invalidRequestResponse(request, error))
    throw error
  }
}

/** Returns the request as rules of guards read it. @throws {@link InvalidRequest} if its URL is malformed. */
export function toGuardedRequest(engine: ConfiguredEngine, host: AuthHost, request: Request) {
  const url = requestedUrl(host, request)
  let source: OriginSource | undefined
  return {
    url,
    method: request.method,
    /** All headers as Node has them. They are copied only for a rejection. */
    get source() {
      source ??= toSource(engine, { headers: request.headers, url })
      return source
    },
    get headers() {
      return this.source.headers
    },
    get path() {
      return toPath(url)
    },
    get origin() {
      return engine.auth.config.site?.origin ?? readOrigin(this.source)
    },
    get ip() {
      return host.ip?.(request)
    },
  }
}

/** Returns the response to a rejected request. */
export function rejectionResponse(
  { auth }: ConfiguredEngine<AuthEngine>,
  guarded: GuardedRequest & { readonly source: OriginSource },
  rejection: Rejection,
): Response {
  if (rejection.kind === 'redirect') {
    const headers = { ...rejectionHeaders, location: absoluteUrl(rejection.to, guarded.origin) }
    return new Response(null, { status: 302, headers })
  }
  const { status, data, headers, reason } = rejection
  if (reason !== undefined && isShownToUser(guarded)) {
    const response = new ResponseRecord()
    const request = { ...guarded.source, method: guarded.method }
    if (sendGuardPage(auth, { request, response }, { ...rejection, reason })) return response.toResponse()
  }
  // Not `Response.json`: some servers replace the global class without it, and their callers check `instanceof Response`.
  return new Response(JSON.stringify(data), {
    status,
    headers: { 'content-type': 'application/json', ...rejectionHeaders, ...headers },
  })
}

/** Returns an absolute URL, which middlewares of some frameworks require. */
export function absoluteUrl(to: string, origin: string | undefined): string {
  return origin === undefined ? to : new URL(to, origin).href
}
