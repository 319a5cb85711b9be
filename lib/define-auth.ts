/** Configuration, Router, session and guard in one object, typed by what the `session` callback returns. */
import type { RequestHandler } from 'express'
import { type CallRequest, type CallResponse, signIn, signOut, startSession, update } from './calls/index.js'
import { requireConnection } from './features/tokens/require-connection.js'
import type { RequireConnectionOptions } from './features/tokens/types.js'
import { type ExpressFunctions, expressFunctions } from './functions/on-express.js'
import { type FormRequest, getCsrfToken, hasCsrfToken } from './get-csrf-token.js'
import { getSession, type SessionOf, type SessionRequest } from './get-session.js'
import { type RequireSessionOptions, requireSession } from './require-session.js'
import type { ServerAuthRouter } from './router/index.js'
import { ServerAuth } from './server-auth.js'
import type {
  AuthorizationParams,
  ProviderId,
  SessionUpdate,
  SignInOptions,
  SignOutOptions,
  StartedSession,
  StartSessionOptions,
} from './types/calls.js'
import type { ServerAuthConfig } from './types/config.js'
import type { KnownOptions } from './types/known-options.js'

/** The configuration, the router, and all functions of an application. Made by {@link defineAuth}. */
export interface DefinedAuth<C extends ServerAuthConfig> extends Omit<ExpressFunctions<SessionOf<C>>, 'tokens'> {
  /** The configuration, for functions that take one: the same object that was passed in. */
  readonly config: C
  /** To be mounted: `app.use('/auth', auth.router)`. */
  readonly router: ServerAuthRouter
  /**
   * Reads the session of a request: one decryption or row, once per request. A session in use is extended through `req.res`.
   *
   * @returns The session as the `session` callback shows it; `null` when nobody is signed in.
   * @throws What your `jwt` or `session` callback throws, `UntrustedHost`, and `AdapterError` when the database is away. A guard
   * must treat all of that as "no".
   */
  getSession(req: SessionRequest): Promise<SessionOf<C> | null>
  /**
   * The CSRF token of a visitor, for the hidden field `csrfToken` of a form that posts to our routes. Call it before the response
   * begins: it may set a cookie.
   *
   * @returns 64 hexadecimal characters; an empty text where `skipCSRFCheck` is set.
   * @throws TypeError when a cookie has to be set and the headers are out, or there is no response.
   */
  getCsrfToken(req: SessionRequest): string
  /**
   * Whether a POST to a route of yours has the field `csrfToken` that `getCsrfToken` made. Parse the body before:
   * `express.urlencoded({ extended: false })`.
   */
  hasCsrfToken(req: FormRequest): boolean
  /**
   * Signs in from a handler of yours: sends the person to the provider; with credentials it signs in at once. Without a provider
   * it leads to the sign-in page. The response is sent, unless `redirect` is `false`.
   *
   * @param params For the provider's page, such as `{ login_hint: 'ann@example.com' }`.
   * @returns With `redirect: false` the URL to go to.
   * @throws `AuthError` when it fails, with no cookie set: `CredentialsSignin` with its `code` for credentials that are refused,
   * `MissingCSRF` for a request from another site; TypeError when headers are out.
   */
  signIn<Redirect extends boolean = true>(
    req: CallRequest,
    res: CallResponse,
    provider?: ProviderId,
    options?: FormData | SignInOptions<Redirect>,
    params?: AuthorizationParams,
  ): Promise<Redirect extends false ? string : void>
  /**
   * Signs out, and sends the person on. The response is sent, unless `redirect` is `false`.
   *
   * @returns With `redirect: false` the URL to go to.
   * @throws `SignOutError` when the session could not be ended where it is stored (the cookie is cleared all the same),
   * `MissingCSRF` for a request from another site; TypeError when headers are out.
   */
  signOut<Redirect extends boolean = true>(
    req: CallRequest,
    res: CallResponse,
    options?: SignOutOptions<Redirect>,
  ): Promise<Redirect extends false ? string : void>
  /**
   * Asks the `jwt` callback (database sessions: the `session` callback) for a change of the session, with `trigger: 'update'`.
   *
   * @returns The session as it is then; `null` for who is not signed in.
   * @throws `AuthError` with what the callback or the adapter threw; TypeError when headers are out.
   */
  update(req: CallRequest, res: CallResponse, patch: SessionUpdate<SessionOf<C>>): Promise<SessionOf<C> | null>
  /**
   * Begins a session for a proof of your own: an invitation, a hand-over from a native app, SAML. An open door: whoever you name is
   * signed in. Check your proof before, and use it up. Nothing is redirected.
   *
   * @returns Whether it began, and where the person goes now.
   * @throws `AccessDenied` when the `signIn` callback refuses, `AccountNotLinked` when no stored user has the id, `MissingAdapter`
   * for an address without an adapter, `InvalidConfiguration` for options that cannot be meant; TypeError when headers are out.
   */
  startSession(req: CallRequest, res: CallResponse, options: StartSessionOptions): Promise<StartedSession>
  /** Access tokens of providers, to call their APIs. Needs `tokens`. */
  readonly tokens: ExpressFunctions<SessionOf<C>>['tokens'] & {
    /**
     * Makes a guard of routes that need an account at a provider, valid for `scope`. `auth.tokens.get` behind it finds a token. Browsers are
     * sent to sign in, or to the provider, and come back; API clients get 401, or 403 with `connectUrl`.
     *
     * @throws `InvalidConfiguration` without `tokens`, `InvalidProvider` for a provider that is not configured.
     */
    requireConnection(options: RequireConnectionOptions): RequestHandler
  }
  /**
   * Makes a guard: it lets signed-in people through, with the session on `res.locals.session`. Browsers are sent to the sign-in page
   * and come back; other clients get 401, or 403 where `allow` says no. An error goes to `next(error)`: nobody gets through by it.
   */
  requireSession(options?: RequireSessionOptions<SessionOf<C>>): RequestHandler
}

/**
 * Defines an application's authentication in one place.
 *
 * @throws {@link AuthError} when the configuration cannot work.
 *
 * @example
 * ```ts
 * export const auth = defineAuth({
 *   providers: [Google],
 *   callbacks: { session: ({ session, token }) => ({ ...session, role: token?.role }) },
 * })
 * app.use('/auth', auth.router)
 * app.get('/admin', auth.requireSession({ allow: (session) => session.role === 'admin' }), admin)
 * ```
 */
export function defineAuth<const C extends ServerAuthConfig>(
  // `ServerAuthConfig` once more: editors take the comments of the options from it.
  config: C & KnownOptions<C, ServerAuthConfig>,
): DefinedAuth<C> {
  const functions = expressFunctions<SessionOf<C>>(config)
  return {
    ...functions,
    config,
    router: ServerAuth(config),
    getSession: (req) => getSession(req, config),
    getCsrfToken: (req) => getCsrfToken(req, config),
    hasCsrfToken: (req) => hasCsrfToken(req, config),
    signIn: (req, res, provider, options, params) => signIn(req, res, config, provider, options, params),
    signOut: (req, res, options) => signOut(req, res, config, options),
    update: (req, res, patch) => update(req, res, config, patch),
    startSession: (req, res, options) => startSession(req, res, config, options),
    requireSession: (options) => requireSession(config, options),
    tokens: { ...functions.tokens, requireConnection: (options) => requireConnection(config, options) },
  }
}
