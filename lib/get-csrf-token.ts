/** The CSRF tokens for the application's own forms, without a script. */
import { isRecord } from './base/guards.js'
import { perOwner } from './base/memory.js'
import { type AuthEngine, getEngine } from './engine/index.js'
import { InvalidConfiguration } from './errors.js'
import { argumentError, type SessionRequest } from './get-session.js'
import { header } from './http/message.js'
import { readOrigin } from './http/origin.js'
import { addPersonalCookies, preventSharedCaching, type WritableResponse } from './http/response.js'
import { renderCsrfField } from './pages/index.js'
import { isUnparsed, parseUncompressed } from './router/parse-body.js'
import type { ServerAuthConfig } from './types/config.js'

/**
 * Returns the CSRF token of a visitor, for the hidden field `csrfToken` of a form that posts to the authentication
 * routes. A new token sets a cookie on `req.res`, so call it before the response begins. The response gets
 * `Cache-Control: private, no-store`, because the token belongs to one visitor.
 * @returns 64 hexadecimal characters; an empty string with `skipCSRFCheck`.
 * @throws TypeError if a cookie must be set and the headers have been sent, or there is no response.
 * @example
 * ```ts
 * app.get('/login', (req, res) => res.render('login', { csrfToken: getCsrfToken(req, config) }))
 * ```
 */
export function getCsrfToken(req: SessionRequest, config: ServerAuthConfig): string {
  if (!req?.headers || !config) throw argumentError('getCsrfToken', req, config)
  return cachedCsrfToken(req, getEngine(config))
}

/**
 * Returns the hidden input with the CSRF token of a visitor, as HTML: for the forms of templates. Do not escape it again.
 * Call it before the response begins, as {@link getCsrfToken}.
 * @throws TypeError if a cookie must be set and the headers have been sent, or there is no response.
 * @example
 * ```ts
 * app.get('/edit', (req, res) => res.render('edit', { csrfField: csrfField(req, config) }))
 * ```
 */
export function csrfField(req: SessionRequest, config: ServerAuthConfig): string {
  return renderCsrfField(getCsrfToken(req, config)).toString()
}

/** A request with its parsed body. */
export interface FormRequest extends SessionRequest {
  /**
   * The fields of the form, as parsed by a body parser such as `express.urlencoded`; or its text or bytes, as some hosts
   * leave them here.
   */
  readonly body?: unknown
}

/**
 * Checks whether a POST to your own route comes from a page of your site, with the field `csrfToken` from {@link
 * getCsrfToken}. Parse the body before: `express.urlencoded({ extended: false })`.
 * @throws {@link InvalidConfiguration} for a form whose body was not parsed.
 * @example
 * ```ts
 * if (!hasCsrfToken(req, config)) return res.sendStatus(403)
 * ```
 */
export function hasCsrfToken(req: FormRequest, config: ServerAuthConfig): boolean {
  if (!req?.headers || !config) throw argumentError('hasCsrfToken', req, config)
  if (isUnreadForm(req)) throw new InvalidConfiguration(unreadForm)
  return isFormOfSite(getEngine(config), req)
}

/**
 * Rejects a request that a page of another origin caused.
 * @throws {@link MissingCSRF}, and TypeError if `req` is no request.
 */
export function assertOrigin(req: SessionRequest, config: ServerAuthConfig): void {
  if (!req?.headers || !config) throw argumentError('csrf.assertOrigin', req, config)
  getEngine(config).assertOrigin(req)
}

/** Checks whether a form was sent, and no body parser ran: each of them sets `body`, even for other types of content. */
function isUnreadForm(req: FormRequest): boolean {
  if ('body' in req) return false
  const type = header(req.headers, 'content-type') ?? ''
  return /^application\/x-www-form-urlencoded\b/i.test(type.trimStart())
}

const unreadForm =
  'hasCsrfToken got a form whose body is not parsed. Put `express.urlencoded({ extended: false })` before the route, or use `auth.csrf.require()`, which parses the body.'

/** Checks the token in the body of a request. Without a body there is none. */
export function isFormOfSite(auth: AuthEngine, req: FormRequest): boolean {
  const body = formFields(req)
  return auth.hasCsrfToken({
    headers: req.headers,
    body: { csrfToken: Object.hasOwn(body, 'csrfToken') ? body.csrfToken : undefined },
    cookie: header(req.headers, 'cookie'),
    origin: readOrigin(req),
  })
}

/** Returns the fields of the body; none if it cannot be parsed, here or by a host that parses it at its first use. */
function formFields(req: FormRequest): Readonly<Record<string, unknown>> {
  try {
    const { headers, body } = req
    const fields = isUnparsed(body) ? parseUncompressed(headers, body) : body
    return isRecord(fields) ? fields : {}
  } catch {
    return {}
  }
}

/**
 * Returns one token for all forms of a page, by engine and by the cookies of the request: a sign-in in between changes
 * the token.
 */
function cachedCsrfToken(req: SessionRequest, auth: AuthEngine): string {
  const tokens = csrfTokenCaches(req)(auth)
  const cookie = header(req.headers, 'cookie')
  const token = tokens.get(cookie) ?? createCsrfToken(req, auth)
  tokens.set(cookie, token)
  return token
}

const csrfTokenCaches = perOwner((_req: SessionRequest) =>
  perOwner((_auth: AuthEngine) => new Map<string | undefined, string>()),
)

function createCsrfToken(req: SessionRequest, auth: AuthEngine): string {
  const { token, cookies } = auth.csrfToken({ cookie: header(req.headers, 'cookie'), origin: readOrigin(req) })
  const response = writableResponse(req.res)
  if (response && cookies.size > 0) addPersonalCookies(response, cookies.values())
  else if (cookies.size > 0) throw new TypeError(tooLate)
  else if (response && token !== '') preventSharedCaching(response)
  return token
}

const tooLate = 'getCsrfToken has to set a cookie: call it before the response begins, with a request of Express.'

/** Returns the request's response, if its headers have not been sent. */
function writableResponse(response: unknown): WritableResponse | undefined {
  if (typeof response !== 'object' || response === null || !('setHeader' in response)) return undefined
  return (response as WritableResponse).headersSent ? undefined : (response as WritableResponse)
}
