/** Responses that no route of ours makes: refusals, and redirects of `signIn`, `signOut` and `authorized`. */
import type { InvalidRequest } from '../lib/errors.js'
import { asksForJson, jsonActions, uncachedHeaders } from '../lib/http/message.js'
import { html } from '../lib/pages/html.js'

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
  const segments: readonly string[] = new URL(url).pathname.split('/').slice(-2)
  return asksForJson(Object.fromEntries(headers)) || [...jsonActions].some((action) => segments.includes(action))
}

/** An answer of ours, for nobody's cache. */
export function answer(status: number, body: string, headers: Readonly<Record<string, string>>): Response {
  return new Response(body, { status, headers: { ...uncachedHeaders, ...securityHeaders, ...headers } })
}

/* ---- redirects -------------------------------------------------------------------------------------------------- */

/**
 * Sends a browser on. A form that leads off its site gets a page that goes on by itself: browsers check `form-action` of a
 * page's policy along the whole chain of redirects.
 */
export function redirectResponse({ method, headers }: Request, to: string): Response {
  if (method === 'POST' && leavesSite(headers, to)) {
    return new Response(continuePage(to), { headers: { ...uncachedHeaders, ...pageHeaders, refresh: `0;url=${to}` } })
  }
  const status = method === 'GET' || method === 'HEAD' ? 302 : 303
  return new Response(null, { status, headers: { ...uncachedHeaders, location: to } })
}

function leavesSite(headers: Headers, to: string): boolean {
  const origin = headers.get('origin')
  return headers.get('sec-fetch-mode') === 'navigate' && origin !== null && new URL(to).origin !== origin
}

const pageHeaders = {
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'content-type': 'text/html; charset=utf-8',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
}

function continuePage(to: string): string {
  return html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Continue</title>
<p>You are being sent to <a href="${to}">${new URL(to).host}</a>…</p>
`.toString()
}
