/** The responses that no route creates: rejections, and redirects of `signIn`, `signOut` and `authorized`. */
import { createRedirect } from '../lib/calls/redirect.js'
import type { InvalidRequest } from '../lib/errors.js'
import { prefersJson, uncachedHeaders } from '../lib/http/message.js'
import { isJsonAction } from '../lib/http/routes.js'

const securityHeaders = {
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

/** Returns the response for a URL that is not a route. */
export function notFoundResponse(request: Request): Response {
  return shortResponse(request, { status: 404, error: 'UnknownAction', message: 'There is nothing at this address.' })
}

/** Returns the response for a malformed request. */
export function invalidRequestResponse(request: Request, error: InvalidRequest): Response {
  const { status, type, message } = error
  return shortResponse(request, { status, error: type, message }, error.headers())
}

/** Returns a short response, in JSON for API clients. */
export function shortResponse(
  request: Request,
  { status, ...data }: { status: number; error: string; message: string },
  headers: Readonly<Record<string, string>> = {},
): Response {
  const json = wantsJson(request)
  return uncachedResponse(status, json ? JSON.stringify(data) : `${data.message}\n`, {
    'content-type': `${json ? 'application/json' : 'text/plain'}; charset=utf-8`,
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    ...headers,
  })
}

/** Checks whether the client expects JSON. Some routes always return JSON, whatever the client accepts. */
export function wantsJson({ headers, url }: Request): boolean {
  const segments: readonly string[] = url
    .replace(/[?#].*$/s, '')
    .split('/')
    .slice(-2)
  return prefersJson(Object.fromEntries(headers)) || segments.some(isJsonAction)
}

/** Returns a response that must not be cached. */
export function uncachedResponse(status: number, body: string, headers: Readonly<Record<string, string>>): Response {
  return new Response(body, { status, headers: { ...uncachedHeaders, ...securityHeaders, ...headers } })
}

/* ---- redirects -------------------------------------------------------------------------------------------------- */

/** Returns a redirect. */
export function redirectResponse({ method, headers: received }: Request, to: string): Response {
  const { status, headers, body } = createRedirect({ method, headers: Object.fromEntries(received) }, to)
  return new Response(body === '' ? null : body, { status, headers })
}
