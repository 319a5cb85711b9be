/** The calls on Express: handlers of the application sign users in or out, and change or create sessions. */
import { type AuthEngine, getEngine } from '../engine/index.js'
import type { SessionOf, SessionRequest } from '../get-session.js'
import { cookieHeaderAfter } from '../http/cookies.js'
import { header } from '../http/message.js'
import { type OpenResponse, setHeaders } from '../http/response.js'
import type {
  AuthorizationParams,
  ProviderId,
  SessionUpdate,
  SignInOptions,
  SignOutOptions,
  StartedSession,
  StartSessionOptions,
} from '../types/calls.js'
import type { ServerAuthConfig } from '../types/config.js'
import { type Call, callSourceOf, createCall } from './call.js'
import { performSignIn, performSignOut, performUpdate, type RedirectTarget } from './perform.js'
import { createRedirect } from './redirect.js'
import { nameSenderInErrors } from './sent-response.js'
import { readStartOptions } from './start-session.js'

/** The request that a handler answers: of Express, or of Node if `AUTH_URL` is set. */
export interface CallRequest extends SessionRequest {
  /** The HTTP method. */
  readonly method?: string | undefined
  /** The client's address, for rate limits and events: Express' `req.ip`. */
  readonly ip?: string | undefined
}

/** The response. Cookies are set on it, so its headers must not have been sent. */
export interface CallResponse extends OpenResponse {
  /** The status that a redirect sets. */
  statusCode: number
  /** Ends the response of a redirect. */
  end(body?: string): unknown
}

/**
 * Signs in from a handler. Redirects to the provider; with credentials it signs in at once, and redirects to
 * `redirectTo`.
 *
 * Without a known provider it redirects to the sign-in page. The response is sent: return after it. With `redirect:
 * false` it is not sent, and cookies are set on it. {@link getSession} of the same request then returns the new
 * session.
 *
 * @param params Parameters for the provider's page, such as `{ login_hint: 'ann@example.com' }`.
 * @returns With `redirect: false` the URL to go to.
 * @throws {@link AuthError} without setting cookies: `CredentialsSignin` with its `code` for wrong credentials,
 *   `MissingCSRF` for a request from another site; TypeError if the headers were sent.
 *
 * @example
 * ```ts
 * app.post('/login', async (req, res) => {
 *   const { username, password } = req.body
 *   await signIn(req, res, config, 'credentials', { username, password, redirectTo: '/account' })
 * })
 * ```
 */
export async function signIn<Redirect extends boolean = true>(
  req: CallRequest,
  res: CallResponse,
  config: ServerAuthConfig,
  provider?: ProviderId,
  options?: FormData | SignInOptions<Redirect>,
  params?: AuthorizationParams,
): Promise<Redirect extends false ? string : void> {
  const call = createExpressCall('signIn()', { req, res, auth: getEngine(config) })
  // The callback URL leads to the routes. Their mount is unknown here, so a warning is logged once if it differs.
  getEngine(config).expectMount(call.config.basePath)
  return redirectOrReturnUrl<Redirect>(
    'signIn()',
    { req, res },
    await performSignIn(call, { provider, options, params }),
  )
}

/**
 * Signs out, and redirects. The response is sent: return after it. With `everywhere`, all sessions of the user end.
 *
 * @returns With `redirect: false` the URL to go to. {@link getSession} of the same request then returns `null`.
 * @throws {@link AuthError}: `SignOutError` if the stored session could not be ended (the cookie is cleared
 *   nevertheless), `MissingCSRF` for a request from another site; TypeError if the headers were sent.
 *
 * @example
 * ```ts
 * app.post('/leave', async (req, res) => signOut(req, res, config, { redirectTo: '/' }))
 * ```
 */
export async function signOut<Redirect extends boolean = true>(
  req: CallRequest,
  res: CallResponse,
  config: ServerAuthConfig,
  options?: SignOutOptions<Redirect>,
): Promise<Redirect extends false ? string : void> {
  const call = createExpressCall('signOut()', { req, res, auth: getEngine(config) })
  return redirectOrReturnUrl<Redirect>('signOut()', { req, res }, await performSignOut(call, options))
}

/**
 * Calls the `jwt` callback (database sessions: the `session` callback) with `trigger: 'update'`, to change the session.
 *
 * @returns The changed session; `null` if no user is signed in.
 * @throws {@link AuthError} with the error of the callback or the adapter; TypeError if the headers were sent.
 *
 * @example
 * ```ts
 * const session = await update(req, res, config, { user: { name: 'Ann' } })
 * ```
 */
export async function update<const C extends ServerAuthConfig>(
  req: CallRequest,
  res: CallResponse,
  config: C,
  patch: SessionUpdate<SessionOf<C>>,
): Promise<SessionOf<C> | null> {
  const call = createExpressCall('update()', { req, res, auth: getEngine(config) })
  // The `session` callback of this configuration returns this type.
  return performUpdate(call, patch as SessionUpdate) as Promise<SessionOf<C> | null>
}

/**
 * Creates a session for a proof of your own: an invitation, a hand-over from a native app, SAML.
 *
 * It signs in any user that you name, and checks neither the user nor the request. Verify your proof before, and use it
 * up. Prevent other sites from sending a browser here with another user's proof.
 *
 * Everything else is as after any sign-in. The `signIn` callback is called (`account` is `null`). New users, and users
 * who verify their email address for the first time, are treated as with an email link. The previous session ends, and
 * `events.signIn` is emitted.
 *
 * @returns Whether the session was created, and the URL to go to. Nothing is redirected.
 * @throws {@link AuthError} without setting cookies: `AccessDenied` if the `signIn` callback rejects,
 *   `AccountNotLinked` if no stored user has the id, `MissingAdapter` for an email without an adapter,
 *   `InvalidConfiguration` for invalid options; TypeError if the headers were sent.
 *
 * @example
 * ```ts
 * const { url } = await startSession(req, res, config, { user: { email: invitation.email, emailVerified: true }, amr: ['otp'] })
 * res.redirect(303, url)
 * ```
 */
export async function startSession(
  req: CallRequest,
  res: CallResponse,
  config: ServerAuthConfig,
  options: StartSessionOptions,
): Promise<StartedSession> {
  const call = createExpressCall('startSession()', { req, res, auth: getEngine(config) })
  return call.startSession(readStartOptions(options))
}

/* Calls on Express. */

/** A call on Express. */
interface ExpressCall {
  readonly auth: AuthEngine
  readonly req: CallRequest
  readonly res: CallResponse
  /** True if the session changes under the same cookie, so that it has to be read again. */
  readonly rereadsSession?: boolean
}

/** Creates a call for a request of Express or Node. */
export function createExpressCall(caller: string, { auth, req, res, rereadsSession = false }: ExpressCall): Call {
  if (!req?.headers || typeof res?.setHeader !== 'function') {
    throw new TypeError(`${caller} needs request and response as its first arguments.`)
  }
  if (res.headersSent) throw new TypeError(`${caller} sets cookies: call it before the response begins.`)
  auth.notice(req)
  return createCall(auth, callSourceOf(req), (performed) => {
    if (rereadsSession) auth.forget(req)
    if (res.headersSent)
      throw new TypeError(`The response began before ${caller} could set its cookies: await it first.`)
    performed.writeTo(res)
    updateRequestCookies(req, performed.cookies())
  })
}

/**
 * Updates the cookie header of the request, so that later reads of this request see the new cookies: in handlers,
 * guards and our routes.
 */
function updateRequestCookies({ headers }: CallRequest, set: ReadonlyMap<string, string>): void {
  if (set.size === 0) return
  const held: { cookie?: string } = headers as object
  held.cookie = cookieHeaderAfter(header(headers, 'cookie'), set)
}

/** Sends the redirect, or returns its URL. */
function redirectOrReturnUrl<Redirect extends boolean>(
  caller: string,
  { req, res }: Pick<ExpressCall, 'req' | 'res'>,
  { to, redirect }: RedirectTarget,
): Redirect extends false ? string : void {
  type Left = Redirect extends false ? string : void
  if (!redirect) return to as Left
  const { status, headers, body } = createRedirect(req, to)
  res.statusCode = status
  setHeaders(res, headers)
  res.end(body)
  nameSenderInErrors(res, caller)
  return undefined as Left
}
