/** Answers a request that a guard has rejected with a page, with the headers of all our pages. */
import { perOwner } from '../base/memory.js'
import { parseUrl } from '../base/url.js'
import type { ResolvedConfig } from '../contracts/index.js'
import type { AuthEngine } from '../engine/index.js'
import { readOrigin } from '../http/origin.js'
import { AuthUrls } from '../http/urls.js'
import { type GuardReason, pageResponse, renderGuard } from '../pages/index.js'
import { type ExpressLikeRequest, type ExpressLikeResponse, sendAuthReply } from './express-like.js'
import { createSecurityHeaders } from './security-headers.js'

/** A request of a browser that a guard has rejected. */
export interface RejectedRequest {
  readonly status: number
  readonly reason: GuardReason
  /** The URL at which the user can continue. */
  readonly href?: string | undefined
  /** Additional headers. */
  readonly headers?: Readonly<Record<string, string>>
}

const securityHeadersOf = perOwner((config: ResolvedConfig) => createSecurityHeaders(config))

/** Sends the page. @returns `false` without sending, if the URL of the request is unknown. */
export function sendGuardPage(
  { config }: AuthEngine,
  { request, response }: { request: ExpressLikeRequest; response: ExpressLikeResponse },
  { status, reason, href, headers }: RejectedRequest,
): boolean {
  const origin = config.site?.origin ?? readOrigin(request)
  const url = origin === undefined ? undefined : parseUrl(`${origin}${config.basePath}`)
  if (origin === undefined || !url) return false
  const urls = new AuthUrls(origin, config.basePath)
  const page = pageResponse({ config, request: { headers: request.headers, url }, urls }, status, (frame) =>
    renderGuard({ frame, reason, href, homeUrl: urls.home }),
  )
  const security = securityHeadersOf(config)
  security.all(response)
  security.page(response, page.nonce)
  sendAuthReply(response, {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8', ...page.headers, ...headers },
    cookies: [],
    body: page.html,
  })
  return true
}
