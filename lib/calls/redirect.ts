/** Redirects of the application's own responses. */
import { header, type MessageHeaders, uncachedHeaders } from '../http/message.js'
import { html } from '../pages/html.js'

/** A response that redirects a browser. */
export interface BrowserRedirect {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/**
 * Returns a redirect. A form that leads to another site gets a page that refreshes instead, because browsers apply
 * `form-action` of a page's policy to the whole chain of redirects.
 */
export function createRedirect(
  { method = 'GET', headers }: { readonly method?: string | undefined; readonly headers: MessageHeaders },
  to: string,
): BrowserRedirect {
  if (method === 'POST' && leadsOffSite(headers, to)) {
    const onward = { ...uncachedHeaders, ...pageHeaders, refresh: `0;url=${to}` }
    return { status: 200, headers: onward, body: continuePage(to) }
  }
  const status = method === 'GET' || method === 'HEAD' ? 302 : 303
  return { status, headers: { ...uncachedHeaders, location: to }, body: '' }
}

function leadsOffSite(headers: MessageHeaders, to: string): boolean {
  const origin = header(headers, 'origin')
  return header(headers, 'sec-fetch-mode') === 'navigate' && origin !== undefined && new URL(to).origin !== origin
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
