/**
 * The function `defineAuth`: configuration, Router, session and guard in one object, typed by the `session` callback's
 * return value.
 */
import { type CallRequest, type CallResponse, signIn, signOut, startSession, update } from './calls/index.js'
import { cors } from './cors.js'
import { InvalidConfiguration } from './errors.js'
import type { ApiKeyFunctions } from './features/api-keys/functions.js'
import { type ApiKeyGuard, requireApiKey } from './features/api-keys/require-api-key.js'
import type { ApiKeyScopeOf, RequireApiKeyOptions } from './features/api-keys/types.js'
import type { OrganizationRolesOf, WithMember } from './features/organizations/types.js'
import { requireConnection } from './features/tokens/require-connection.js'
import type { RequireConnectionOptions } from './features/tokens/types.js'
import type { rules } from './functions/index.js'
import { type ExpressFunctions, expressFunctions, type OnExpress } from './functions/on-express.js'
import { assertOrigin, csrfField, type FormRequest, getCsrfToken, hasCsrfToken } from './get-csrf-token.js'
import { getSession, type SessionOf, type SessionRequest, type StoredUserOf } from './get-session.js'
import { assertCalledByApplication, type GuardHandler, type SessionGuard, type SessionOrKeyGuard } from './guard.js'
import { requireCsrf } from './require-csrf.js'
import {
  type RequireOrganizationOptions,
  type RequireOrganizationOrKeyOptions,
  type RequireSessionOptions,
  type RequireSessionOrKeyOptions,
  requireSession,
} from './require-session.js'
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
import type { DeclaredFields, KnownOptions } from './types/known-options.js'

/** The functions of `auth.csrf`. */
export interface ExpressCsrfFunctions {
  /**
   * Returns the hidden input with the CSRF token of a visitor, as HTML. Do not escape it again. Call it before the
   * response begins: it may set a cookie.
   * @throws TypeError if a cookie must be set and the headers have been sent, or there is no response.
   */
  field(req: SessionRequest): string
  /**
   * Creates a guard that requires the field `csrfToken` in requests that change something. It parses a body that no
   * parser has read. Browsers get a page with status 403, and API clients JSON.
   */
  require(): GuardHandler
  /**
   * Checks that no page of another origin caused the request. Call it before you accept a WebSocket: browsers send cookies
   * with it from any site, and CORS does not apply. Set `AUTH_URL` behind a proxy that ends TLS.
   *
   * Requests of API clients, which send no `Origin`, are allowed. Browsers always send it with a WebSocket.
   * @throws `MissingCSRF` with `status` 403, and `UntrustedHost`.
   * @example
   * ```ts
   * server.on('upgrade', (request, socket, head) => {
   *   auth.csrf.assertOrigin(request)
   * })
   * ```
   */
  assertOrigin(req: SessionRequest): void
}

/** The configuration, the router, and all functions of an application. Created by {@link defineAuth}. */
export interface DefinedAuth<C extends ServerAuthConfig>
  extends Omit<ExpressFunctions<SessionOf<C>, StoredUserOf<C>>, 'tokens' | 'apiKeys'> {
  /** The configuration, for functions that take one: the same object that was passed in. */
  readonly config: C
  /** The Router to mount: `app.use('/auth', auth.router)`. */
  readonly router: ServerAuthRouter
  /**
   * Reads the session of a request, once per request: one decryption or query. A session in use is extended through
   * `req.res`.
   * @returns The session from the `session` callback; `null` without a signed-in user.
   * @throws Errors of your `jwt` or `session` callback, `UntrustedHost`, and `AdapterError` if the database is down. A
   *   guard must treat all of them as "no".
   */
  getSession(req: SessionRequest): Promise<SessionOf<C> | null>
  /**
   * Returns the CSRF token of a visitor, for the hidden field `csrfToken` of a form that posts to the authentication
   * routes. Call it before the response begins: it may set a cookie.
   * @returns 64 hexadecimal characters; an empty string with `skipCSRFCheck`.
   * @throws TypeError if a cookie must be set and the headers have been sent, or there is no response.
   */
  getCsrfToken(req: SessionRequest): string
  /**
   * Checks whether a POST to your own route has the field `csrfToken` from `getCsrfToken`. Parse the body before:
   * `express.urlencoded({ extended: false })`.
   * @throws `InvalidConfiguration` for a form whose body was not parsed.
   */
  hasCsrfToken(req: FormRequest): boolean
  /**
   * Creates a middleware that lets scripts of `trustedOrigins` call your own API with cookies. It answers their
   * preflights. Put it before guards.
   * @throws `InvalidConfiguration` without `trustedOrigins`.
   */
  cors(): GuardHandler
  /** The CSRF tokens for your own forms, in one line each. */
  readonly csrf: ExpressCsrfFunctions
  /**
   * Signs in from your own handler: redirects to the provider, signs in at once with credentials, or redirects to the
   * sign-in page without a provider. The response is sent, unless `redirect` is `false`.
   * @param params For the provider's page, such as `{ login_hint: 'ann@example.com' }`.
   * @returns With `redirect: false` the URL to go to.
   * @throws `AuthError` if it fails, with no cookie set: `CredentialsSignin` with its `code` for rejected credentials,
   *   `MissingCSRF` for a request from another site; TypeError if the headers have been sent.
   */
  signIn<Redirect extends boolean = true>(
    req: CallRequest,
    res: CallResponse,
    provider?: ProviderId,
    options?: FormData | SignInOptions<Redirect>,
    params?: AuthorizationParams,
  ): Promise<Redirect extends false ? string : void>
  /**
   * Signs out and redirects. The response is sent, unless `redirect` is `false`. With `everywhere`, all sessions of the
   * user end.
   * @returns With `redirect: false` the URL to go to.
   * @throws `SignOutError` if the store could not end the session (the cookie is still cleared), `MissingCSRF` for a
   *   request from another site; TypeError if the headers have been sent.
   */
  signOut<Redirect extends boolean = true>(
    req: CallRequest,
    res: CallResponse,
    options?: SignOutOptions<Redirect>,
  ): Promise<Redirect extends false ? string : void>
  /**
   * Calls the `jwt` callback (database sessions: the `session` callback) with `trigger: 'update'` to change the
   * session.
   * @returns The new session; `null` without a signed-in user.
   * @throws `AuthError` with the error of the callback or the adapter; TypeError if the headers have been sent.
   */
  update(req: CallRequest, res: CallResponse, patch: SessionUpdate<SessionOf<C>>): Promise<SessionOf<C> | null>
  /**
   * Starts a session for your own proof: an invitation, a hand-over from a native app, SAML. It signs in any user you
   * name, so check your proof first and make it unusable. Nothing is redirected.
   * @returns The result, and the URL for the user.
   * @throws `AccessDenied` if the `signIn` callback rejects, `AccountNotLinked` if no stored user has the id,
   *   `MissingAdapter` for an email address without an adapter, `InvalidConfiguration` for invalid options; TypeError
   *   if the headers have been sent.
   */
  startSession(req: CallRequest, res: CallResponse, options: StartSessionOptions): Promise<StartedSession>
  /** API keys, which users create for their scripts. Requires `apiKeys`. */
  readonly apiKeys: OnExpress<ApiKeyFunctions<ApiKeyScopeOf<C>>, (typeof rules)['apiKeys']> & {
    /**
     * Creates a guard for routes that scripts call with an API key, which is then on `res.locals.apiKey`. Other requests get
     * JSON: 401 with `WWW-Authenticate`, or 403 without the scope.
     * @throws `InvalidConfiguration` without `apiKeys`, and for a scope that is not in `apiKeys.scopes`.
     */
    require(options?: RequireApiKeyOptions<ApiKeyScopeOf<C>>): ApiKeyGuard<ApiKeyScopeOf<C>>
  }
  /** The access tokens of providers, to call their APIs. Requires `tokens`. */
  readonly tokens: ExpressFunctions<SessionOf<C>>['tokens'] & {
    /**
     * Creates a guard for routes that need an account at a provider, valid for `scope`. Behind it `auth.tokens.get`
     * finds a token, and the session is on `res.locals.session`. Browsers are redirected to sign in, or to the
     * provider, and return; API clients get 401, or 403 with `connectUrl`.
     * @throws `InvalidConfiguration` without `tokens`, `InvalidProvider` for a provider that is not configured.
     */
    requireConnection(options: RequireConnectionOptions): SessionGuard<SessionOf<C>>
  }
  /**
   * Creates a guard that allows members of an organization, and API keys for it, with `{ id, role }` on
   * `res.locals.organization`. Needs `organizations` and `apiKeys`.
   */
  requireSession(
    options: RequireOrganizationOrKeyOptions<ApiKeyScopeOf<C>, OrganizationRolesOf<C>>,
  ): SessionOrKeyGuard<SessionOf<C>, ApiKeyScopeOf<C>, WithMember<OrganizationRolesOf<C>>>
  /**
   * Creates a guard that allows signed-in users and API keys. Either `res.locals.session` or `res.locals.apiKey` is set, and the other
   * is `null`. Needs `apiKeys`.
   */
  requireSession(
    options: RequireSessionOrKeyOptions<ApiKeyScopeOf<C>>,
  ): SessionOrKeyGuard<SessionOf<C>, ApiKeyScopeOf<C>>
  /**
   * Creates a guard that allows signed-in users, with the session on `res.locals.session`. Browsers are redirected to
   * the sign-in page and return; API clients get 401, or 403 if `allow` returns `false`. An error is passed to
   * `next(error)`, so the request is rejected.
   */
  requireSession(
    options?: RequireSessionOptions<SessionOf<C>> & {
      /** Absent: the overload below has guards with an organization. */
      readonly organization?: never
    },
  ): SessionGuard<SessionOf<C>>
  /**
   * Creates a guard that allows members of an organization, with `{ id, role }` on `res.locals.organization`. Users who are no
   * member get 404, and members without the role or permission 403. Needs `organizations`.
   */
  requireSession(
    options: RequireOrganizationOptions<SessionOf<C>, OrganizationRolesOf<C>>,
  ): SessionGuard<SessionOf<C>, WithMember<OrganizationRolesOf<C>>>
}

/**
 * Defines an application's authentication in one place.
 * @throws {@link AuthError} if the configuration is invalid.
 * @example
 * ```ts
 * export const auth = defineAuth({
 *  providers: [Google],
 *  callbacks: { session: ({ session, token }) => ({ ...session, role: token?.role }) },
 * })
 * app.use('/auth', auth.router)
 * app.get('/admin', auth.requireSession({ allow: (session) => session.role === 'admin' }), admin)
 * ```
 */
export function defineAuth<
  const C extends ServerAuthConfig<Fields, Shown>,
  Fields = unknown,
  Shown extends string = never,
>(
  // `ServerAuthConfig` is repeated for editors, which show its comments for the options.
  config: C & KnownOptions<C, ServerAuthConfig<Fields, Shown>> & DeclaredFields<Fields, Shown>,
): DefinedAuth<C> {
  const functions = expressFunctions<SessionOf<C>, StoredUserOf<C>>(config)
  return withoutHandle({
    ...functions,
    config,
    router: ServerAuth(config),
    getSession: (req) => getSession<C>(req, config),
    getCsrfToken: (req) => getCsrfToken(req, config),
    hasCsrfToken: (req) => hasCsrfToken(req, config),
    cors(given?: unknown) {
      assertCalledByApplication(given, 'auth.cors', 'auth.cors()')
      return cors(config)
    },
    csrf: {
      field: (req) => csrfField(req, config),
      require(given?: unknown) {
        assertCalledByApplication(given, 'auth.csrf.require', 'auth.csrf.require()')
        return requireCsrf(config)
      },
      assertOrigin: (req) => assertOrigin(req, config),
    },
    signIn: (req, res, provider, options, params) => signIn(req, res, config, provider, options, params),
    signOut: (req, res, options) => signOut(req, res, config, options),
    update: (req, res, patch) => update(req, res, config, patch),
    startSession: (req, res, options) => startSession(req, res, config, options),
    requireSession: ((options?: RequireSessionOptions<SessionOf<C>>) =>
      requireSession<C>(config, options)) as DefinedAuth<C>['requireSession'],
    apiKeys: { ...functions.apiKeys, require: (options) => requireApiKey<C>(config, options) },
    tokens: { ...functions.tokens, requireConnection: (options) => requireConnection<C>(config, options) },
  })
}

/**
 * Adds a member that throws: `app.use('/auth', auth)` looks for `handle`, which applications of Express have. The error
 * of Express would not say what to write.
 */
function withoutHandle<T extends object>(auth: T): T {
  return Object.defineProperty(auth, 'handle', {
    get(): never {
      throw new InvalidConfiguration(
        "The result of defineAuth was passed to app.use, and is no router. Write `app.use('/auth', auth.router)`.",
      )
    },
  })
}
