/** The door for calls on Express: an application's handler signs in or out, changes the session, or begins one of its own. */
import { type Auth, authOf } from '../engine/index.js'
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
import { type Destination, signInBy, signOutBy, updateBy } from './actions.js'
import { beginCall, type Call, sourceOf } from './call.js'
import { redirectAnswer } from './redirect.js'
import { readStartOptions } from './start-session.js'

/** The request that a handler answers: Express', or a plain one of Node where `AUTH_URL` is set. */
export interface CallRequest extends SessionRequest {
  /** The HTTP method. */
  readonly method?: string | undefined
  /** The client's address, for rate limits and events: Express' `req.ip`. */
  readonly ip?: string | undefined
}

/** The response to it. Cookies are set on it, so its headers must not be out. */
export interface CallResponse extends OpenResponse {
  /** The status that a redirect sets. */
  statusCode: number
  /** Ends the response of a redirect. */
  end(body?: string): unknown
}

/**
 * Signs in from a handler of yours. Sends the person to the provider; with credentials it signs in at once, and sends them to
 * where they wanted to be. Without a provider that is known it leads to the sign-in page.
 *
 * The response is sent: return after it. With `redirect: false` it is not, and cookies are set on it. {@link getSession} of
 * the same request gives the new session then.
 *
 * @param params For the provider's page, such as `{ login_hint: 'ann@example.com' }`.
 * @returns With `redirect: false` the URL to go to.
 * @throws {@link AuthError} when it fails, with no cookie set: `CredentialsSignin` with its `code` for credentials that are
 * refused, `MissingCSRF` for a request from another site; TypeError when headers are out.
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
  const call = begin('signIn()', { req, res, auth: authOf(config) })
  // The way back leads to the routes. Where they are mounted is not known here: it is said once if they are elsewhere.
  authOf(config).expectMount(call.config.basePath)
  return leave<Redirect>(req, res, await signInBy(call, { provider, options, params }))
}

/**
 * Signs out, and sends the person on. The response is sent: return after it.
 *
 * @returns With `redirect: false` the URL to go to. {@link getSession} of the same request gives `null` then.
 * @throws {@link AuthError}: `SignOutError` when the session could not be ended where it is stored (the cookie is cleared all the
 * same), `MissingCSRF` for a request from another site; TypeError when headers are out.
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
  const call = begin('signOut()', { req, res, auth: authOf(config) })
  return leave<Redirect>(req, res, await signOutBy(call, options))
}

/**
 * Asks the `jwt` callback (database sessions: the `session` callback) for a change of the session, with `trigger: 'update'`.
 *
 * @returns The session as it is then; `null` for who is not signed in.
 * @throws {@link AuthError} with what the callback or the adapter threw; TypeError when headers are out.
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
  const call = begin('update()', { req, res, auth: authOf(config) })
  // The type is what the `session` callback of this very configuration returns.
  return updateBy(call, patch as SessionUpdate) as Promise<SessionOf<C> | null>
}

/**
 * Begins a session for a proof of your own: an invitation, a hand-over from a native app, SAML. An open door: whoever you name is
 * signed in. Nothing is asked of the person or of the request, so check your proof before, use it up, and see to it yourself
 * that no other site can send a browser here with somebody else's proof.
 *
 * All else is as after any sign-in. The `signIn` callback is asked (`account` is `null`); users who are new or prove their address
 * for the first time are treated as with a mailed link; the session that was there ends, and `events.signIn` is told.
 *
 * @returns Whether it began, and where the person goes now. Nothing is redirected.
 * @throws {@link AuthError}, with no cookie set: `AccessDenied` when the `signIn` callback refuses, `AccountNotLinked` when no
 * stored user has the id, `MissingAdapter` for an address without an adapter, `InvalidConfiguration` for options that cannot be
 * meant; TypeError when headers are out.
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
  const call = begin('startSession()', { req, res, auth: authOf(config) })
  return call.startSession(readStartOptions(options))
}

/* ---- Express' side of a call ------------------------------------------------------------------------------------- */

/** A call on Express. */
interface Place {
  readonly auth: Auth
  readonly req: CallRequest
  readonly res: CallResponse
  /** Whether the session changes under the same cookie, so that it is read again. */
  readonly forgets?: boolean
}

/** Begins a call for a request of Express, or of Node. */
export function begin(caller: string, { auth, req, res, forgets = false }: Place): Call {
  if (!req?.headers || typeof res?.setHeader !== 'function') {
    throw new TypeError(`${caller} needs request and response as its first arguments.`)
  }
  if (res.headersSent) throw new TypeError(`${caller} sets cookies: call it before the response begins.`)
  auth.notice(req)
  return beginCall(auth, sourceOf(req), (performed) => {
    if (forgets) auth.forget(req)
    if (res.headersSent)
      throw new TypeError(`The response began before ${caller} could set its cookies: await it first.`)
    performed.writeTo(res)
    keepInRequest(req, performed.cookies())
  })
}

/**
 * The request's own header says what the browser holds from now on. Whoever reads a session, a token or an account from this
 * request hereafter reads that: handlers, guards, our routes.
 */
function keepInRequest({ headers }: CallRequest, set: ReadonlyMap<string, string>): void {
  if (set.size === 0) return
  const held: { cookie?: string } = headers as object
  held.cookie = cookieHeaderAfter(header(headers, 'cookie'), set)
}

/** Sends the person on, or says where to. */
function leave<Redirect extends boolean>(
  req: CallRequest,
  res: CallResponse,
  { to, redirect }: Destination,
): Redirect extends false ? string : void {
  type Left = Redirect extends false ? string : void
  if (!redirect) return to as Left
  const { status, headers, body } = redirectAnswer(req, to)
  res.statusCode = status
  setHeaders(res, headers)
  res.end(body)
  return undefined as Left
}
