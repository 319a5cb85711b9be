/** From an action's response to the reply that leaves: status, headers, cookies, body. */
import type { AuthContext } from '../contracts/index.js'
import { logoutCookie } from '../flows/index.js'
import { makeRoom } from '../http/cookie-budget.js'
import {
  type AuthReply,
  type AuthRequest,
  type AuthResponse,
  asksForJson,
  header,
  uncachedHeaders,
} from '../http/message.js'
import { renderContinue } from '../pages/index.js'
import { wantsUrl } from './failure.js'
import { pageResponse } from './page-frame.js'

/** The reply to a request. A HEAD request gets what GET gets, without body and without side effects. */
export function toReply(context: AuthContext, response: AuthResponse): AuthReply {
  const { request, cookies } = context
  const reply = response.kind === 'redirect' ? redirectReply(context, response.to) : plainReply(response)
  if (request.method === 'HEAD') return { ...reply, body: '', cookies: [] }
  fitCookies(context)
  return { ...reply, cookies: [...cookies.written.values()] }
}

/**
 * Makes room for what an answer sets, such as a large session: the cookies that it leaves in the browser fit into the next
 * request, and other attempts to sign in give way. Call it before they are written.
 */
export function fitCookies(context: AuthContext): void {
  const { cookies, cookiePolicy, request } = context
  const { callbackUrl, transaction } = cookiePolicy
  const options = { ...transaction.options, path: request.basePath || '/' }
  const { written } = cookies
  const attempts = [...cookies.received.keys()].filter(
    (name) => name.startsWith(`${transaction.name}.`) && !written.has(name),
  )
  makeRoom(cookies, [callbackUrl, ...attempts.map((name) => ({ name, options })), logoutCookie(context)])
}

type Uncookied = Omit<AuthReply, 'cookies'>

function plainReply(response: Exclude<AuthResponse, { kind: 'redirect' }>): Uncookied {
  switch (response.kind) {
    case 'json':
      return {
        status: response.status,
        headers: { ...uncachedHeaders, 'content-type': 'application/json; charset=utf-8', ...response.headers },
        body: JSON.stringify(response.data),
      }
    case 'page':
      return {
        status: response.status,
        headers: { ...uncachedHeaders, 'content-type': 'text/html; charset=utf-8', ...response.headers },
        body: response.html,
        nonce: response.nonce,
      }
    case 'frame':
      return {
        status: response.status,
        headers: {
          ...uncachedHeaders,
          'content-type': 'text/html; charset=utf-8',
          'content-security-policy': `default-src 'none';base-uri 'none';form-action 'none';frame-ancestors ${response.ancestors.join(' ') || "'none'"}`,
        },
        body: '<!doctype html><html lang="en"><title>Signed out</title></html>',
        framed: true,
      }
    case 'empty':
      return { status: response.status, headers: uncachedHeaders, body: '' }
  }
}

/**
 * A redirect, in the form that its client can follow: an URL in JSON for the published browser client, and after a POST for all
 * that ask for JSON; 303 after a POST (RFC 9700 §4.12); and for a form that leads off the site a page that goes on by itself,
 * because browsers check `form-action` along the whole chain of redirects.
 */
function redirectReply(context: AuthContext, to: string): Uncookied {
  const { request, urls } = context
  const isJsonPost = request.method === 'POST' && asksForJson(request.headers)
  if (wantsUrl(request) || isJsonPost) return plainReply({ kind: 'json', status: 200, data: { url: to } })
  if (isFormNavigation(request) && new URL(to).origin !== urls.origin) {
    const page = pageResponse(context, 200, (frame) => renderContinue({ frame, to }))
    return plainReply({ ...page, headers: { refresh: `0;url=${to}` } })
  }
  return { status: request.method === 'POST' ? 303 : 302, headers: { ...uncachedHeaders, location: to }, body: '' }
}

/** A form that a person submitted: browsers say so on secure origins; elsewhere the mark in our own forms does. */
function isFormNavigation({ method, headers, body }: AuthRequest): boolean {
  if (method !== 'POST') return false
  const mode = header(headers, 'sec-fetch-mode')
  return mode === undefined ? body.navigation === 'form' : mode === 'navigate'
}
