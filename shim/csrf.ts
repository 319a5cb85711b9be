/** `auth.csrf`: the CSRF tokens for the application's own forms behind the shim. */
import { isRecord } from '../lib/base/guards.js'
import type { Logger } from '../lib/base/logger.js'
import { perOwner } from '../lib/base/memory.js'
import type { AuthEngine } from '../lib/engine/index.js'
import { MissingCSRF } from '../lib/errors.js'
import { isFormOfSite } from '../lib/get-csrf-token.js'
import { rejectCsrf } from '../lib/guards/rejection.js'
import { isFetchRequest } from '../lib/http/message.js'
import { readOrigin } from '../lib/http/origin.js'
import { preventSharedCaching } from '../lib/http/response.js'
import { renderCsrfField } from '../lib/pages/index.js'
import { isBearerRequest } from '../lib/session/bearer.js'
import { trackGuard } from './awaited-guards.js'
import { readFetchBody } from './body.js'
import { toHostCookie } from './cookies.js'
import type { EngineResolver } from './engine.js'
import { guarding, rejectionResponse, toGuardedRequest } from './guard-responses.js'
import { type AmbientRequest, type AuthHost, currentRequest } from './host.js'
import { toOriginSource } from './request.js'
import { ResponseRecord } from './response-record.js'
import { throwResponse } from './thrown-responses.js'

/** The fields of a form that the application has read. */
type FormFields = FormData | Readonly<Record<string, unknown>>

/** The functions of `auth.csrf`. */
export interface CsrfFunctions {
  /**
   * Returns the CSRF token of the visitor, for the hidden field `csrfToken` of a form. A new token sets a cookie.
   * @returns 64 hexadecimal characters; an empty string with `skipCSRFCheck`.
   * @throws TypeError if a cookie must be set and cannot be set here, as in a server component of Next.js.
   */
  token(): Promise<string>
  /** Returns the hidden input with the token, as HTML. Do not escape it again. @throws TypeError as `token` does. */
  field(): Promise<string>
  /**
   * Checks that a form comes from a page of your site, with the token. With `session.bearer`, requests with a bearer token
   * and without a session cookie need none. Without `fields` it reads the body, of at most 100 KiB.
   * @param fields The fields, if your code has read the body: for uploads, or for JSON.
   * @returns The fields.
   * @throws A Response with 403 for a rejected request, or 413 for a longer body, as `auth.require` does. TypeError if the
   *   body has been read and `fields` is missing.
   * @example
   * ```ts
   * const form = await auth.csrf.verify(request)
   * ```
   */
  verify(request: Request): Promise<FormData>
  /** Checks fields that your code has read. */
  verify<Fields extends FormFields>(request: Request, fields: Fields): Promise<Fields>
  /**
   * Checks that no page of another origin caused the request. Call it before you accept a WebSocket: browsers send cookies
   * with it from any site, and CORS does not apply. Set `AUTH_URL` behind a proxy that ends TLS.
   *
   * Requests of API clients, which send no `Origin`, are allowed. Browsers always send it with a WebSocket.
   * @throws A Response with 403, as `verify` does.
   */
  assertOrigin(request: Request): Promise<void>
}

/** Creates the functions of a host. */
export function createCsrf(engineOf: EngineResolver<AuthEngine>, host: AuthHost, logger: Logger): CsrfFunctions {
  async function token(caller: string): Promise<string> {
    const ambient = await currentRequest(host, caller)
    const engine = await engineOf(ambient.request)
    const { auth } = engine
    const cookie = ambient.headers.get('cookie')
    const tokens = tokenCaches(ambient.request ?? ambient)(auth)
    const known = tokens.get(cookie)
    if (known !== undefined) return known
    const made = createToken(host, { auth, ambient, origin: readOrigin(toOriginSource(engine, ambient)), caller })
    tokens.set(cookie, made)
    return made
  }

  function verify(request: Request): Promise<FormData>
  function verify<Fields extends FormFields>(request: Request, fields: Fields): Promise<Fields>
  function verify(request: Request, given?: FormFields): Promise<FormFields> {
    return trackGuard({ name: 'auth.csrf.verify()', logger }, verifyForm(request, given))
  }

  async function verifyForm(request: Request, given: FormFields | undefined): Promise<FormFields> {
    if (!isFetchRequest(request)) throw new TypeError('auth.csrf.verify() needs the Request as its first argument.')
    return guarding(host, request, async () => {
      const engine = await engineOf(request)
      const guarded = toGuardedRequest(engine, host, request)
      const fields = given ?? (await readForm(request))
      if (fields !== undefined) {
        if (isBearerRequest(engine.auth.config, guarded.headers)) return fields
        const body = { csrfToken: readToken(fields) }
        if (isFormOfSite(engine.auth, { ...guarded.source, body })) return fields
      }
      return throwResponse(host, rejectionResponse(engine, guarded, rejectCsrf(guarded)))
    })
  }

  async function checkOrigin(request: Request): Promise<void> {
    if (!isFetchRequest(request))
      throw new TypeError('auth.csrf.assertOrigin() needs the Request as its first argument.')
    return guarding(host, request, async () => {
      const engine = await engineOf(request)
      const guarded = toGuardedRequest(engine, host, request)
      try {
        engine.auth.assertOrigin(guarded.source)
      } catch (error) {
        if (!(error instanceof MissingCSRF)) throw error
        engine.auth.config.logger.error(error)
        throwResponse(host, rejectionResponse(engine, guarded, rejectCsrf(guarded)))
      }
    })
  }

  return {
    token: () => token('auth.csrf.token()'),
    field: async () => renderCsrfField(await token('auth.csrf.field()')).toString(),
    verify,
    assertOrigin: (request) => trackGuard({ name: 'auth.csrf.assertOrigin()', logger }, checkOrigin(request)),
  }
}

/** The tokens of a request by its cookies, so that all forms of a page have one token. */
const tokenCaches = perOwner((_request: object) =>
  perOwner((_auth: AuthEngine) => new Map<string | null, Promise<string>>()),
)

interface TokenRequest {
  readonly auth: AuthEngine
  readonly ambient: AmbientRequest
  readonly origin: string | undefined
  readonly caller: string
}

async function createToken(host: AuthHost, { auth, ambient, origin, caller }: TokenRequest): Promise<string> {
  const { token, cookies } = auth.csrfToken({ cookie: ambient.headers.get('cookie') ?? undefined, origin })
  if (cookies.size === 0) {
    const { response } = ambient
    if (response instanceof ResponseRecord) response.markPersonal()
    else if (response && !response.headersSent) preventSharedCaching(response)
    return token
  }
  if (!ambient.writable) {
    throw new TypeError(
      `${caller} has to set a cookie, which is not possible here. Call it in a route or a middleware first, before the response begins.`,
    )
  }
  await host.setCookies([...cookies.values()].map(toHostCookie))
  return token
}

/**
 * Returns the form in the body; `undefined` if there is none.
 * @throws {@link InvalidRequest} if it is too long; TypeError if the application has already read the body.
 */
async function readForm(request: Request): Promise<FormData | undefined> {
  if (request.bodyUsed) {
    throw new TypeError(
      'auth.csrf.verify(): the body of this request has already been read. Pass its fields as the second argument.',
    )
  }
  const type = request.headers.get('content-type') ?? ''
  const body = await readFetchBody(request)
  return new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData().catch(() => undefined)
}

function readToken(fields: FormFields): unknown {
  if (isFormData(fields)) return fields.get('csrfToken')
  return Object.hasOwn(fields, 'csrfToken') ? fields.csrfToken : undefined
}

function isFormData(value: FormFields): value is FormData {
  return isRecord(value) && typeof value.getAll === 'function'
}
