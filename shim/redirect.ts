/** Redirects as Fetch Responses. */
import { uncachedHeaders } from '../lib/http/message.js'
import { html } from '../lib/pages/html.js'

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
