/** Responses that no route of ours makes: refusals, and redirects of `signIn`, `signOut` and `authorized`. */
import { redirectAnswer } from '../lib/calls/redirect.js'
import type { InvalidRequest } from '../lib/errors.js'
import { asksForJson, uncachedHeaders } from '../lib/http/message.js'
import { isJsonAction } from '../lib/http/routes.js'

const securityHeaders = {
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

/** Not one of our routes. */
export function notFound(request: Request): Response {
  return plain(request, { status: 404, error: 'UnknownAction', message: 'There is nothing at this address.' })
}

/** A request that cannot be understood. */
export function refused(request: Request, { status, type, message }: InvalidRequest): Response {
  return plain(request, { status, error: type, message })
}

/** A short answer, in JSON for programs. */
export function plain(
  request: Request,
  { status, ...data }: { status: number; error: string; message: string },
): Response {
  const json = wantsJson(request)
  return answer(status, json ? JSON.stringify(data) : `${data.message}\n`, {
    'content-type': `${json ? 'application/json' : 'text/plain'}; charset=utf-8`,
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  })
}

/** Whether a program asks. As our routes have it: those that programs ask are JSON, whatever they accept. */
export function wantsJson({ headers, url }: Request): boolean {
  const segments: readonly string[] = url
    .replace(/[?#].*$/s, '')
    .split('/')
    .slice(-2)
  return asksForJson(Object.fromEntries(headers)) || segments.some(isJsonAction)
}

/** An answer of ours, for nobody's cache. */
export function answer(status: number, body: string, headers: Readonly<Record<string, string>>): Response {
  return new Response(body, { status, headers: { ...uncachedHeaders, ...securityHeaders, ...headers } })
}

/* ---- redirects -------------------------------------------------------------------------------------------------- */

/** Sends a browser on. */
export function redirectResponse({ method, headers: received }: Request, to: string): Response {
  const { status, headers, body } = redirectAnswer({ method, headers: Object.fromEntries(received) }, to)
  return new Response(body === '' ? null : body, { status, headers })
}
