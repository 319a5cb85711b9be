/** What the shim answers itself, where the Router would hand a request back to its application. */
import { randomText } from '../lib/crypto/random.js'
import type { InvalidRequest } from '../lib/errors.js'
import { asksForJson, jsonActions, uncachedHeaders } from '../lib/http/message.js'
import { renderError } from '../lib/pages/index.js'

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

/** A fault that the log tells about: in the configuration, or in ourselves. `detail` is for development only. */
export function fault(request: Request, detail: string | undefined): Response {
  if (wantsJson(request) || !request.headers.get('accept')?.includes('text/html')) {
    const message = detail ?? 'The server could not answer. Its log has the reason.'
    return plain(request, { status: 500, error: 'Configuration', message })
  }
  const nonce = randomText(16)
  const { origin, host } = new URL(request.url)
  const html = renderError({
    frame: { nonce, theme: {}, host },
    error: 'Configuration',
    signInUrl: origin,
    homeUrl: origin,
    ...(detail !== undefined && { detail }),
  })
  return answer(500, html, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; img-src data:; style-src 'nonce-${nonce}'`,
  })
}

function plain(request: Request, { status, ...data }: { status: number; error: string; message: string }): Response {
  const json = wantsJson(request)
  return answer(status, json ? JSON.stringify(data) : `${data.message}\n`, {
    'content-type': `${json ? 'application/json' : 'text/plain'}; charset=utf-8`,
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  })
}

/** As the Router has it: the routes that programs ask are JSON, whatever they accept. */
function wantsJson({ headers, url }: Request): boolean {
  const segments: readonly string[] = new URL(url).pathname.split('/').slice(-2)
  return asksForJson(Object.fromEntries(headers)) || [...jsonActions].some((action) => segments.includes(action))
}

function answer(status: number, body: string, headers: Readonly<Record<string, string>>): Response {
  return new Response(body, { status, headers: { ...uncachedHeaders, ...securityHeaders, ...headers } })
}
