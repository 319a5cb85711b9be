/** The public types of `server-auth/shim`. */
import type { ApiKeyFunctions } from '../lib/features/api-keys/functions.js'
import type { OrganizationRoles } from '../lib/features/organizations/types.js'
import type { AuthFunctions } from '../lib/functions/index.js'
import type { AdapterUser } from '../lib/types/adapter.js'
import type {
  AuthorizationParams,
  ProviderId,
  SessionUpdate,
  SignInOptions,
  SignOutOptions,
  StartedSession,
  StartSessionOptions,
} from '../lib/types/calls.js'
import type { FullStackAuthConfig } from '../lib/types/config.js'
import type { ConfigurationSource } from '../lib/types/configuration-source.js'
import type { Awaitable } from '../lib/types/identity.js'
import type { DeclaredFields, FieldsSource, KnownOptions } from '../lib/types/known-options.js'
import type { Session } from '../lib/types/session.js'
import type { AuthFunction } from './auth.js'
import type { RouteHandler } from './handlers.js'

/**
 * The argument of `initAuth`: a configuration with its option names checked, a function that returns one, or the result of
 * `tenants`.
 */
export type ConfigArgument<C, Fields, Shown extends string> =
  | (C & KnownOptions<C, FullStackAuthConfig<Fields, Shown>> & DeclaredFields<Fields, Shown>)
  | ((request: Request | undefined) => Awaitable<C & FieldsSource<Fields, Shown> & DeclaredFields<Fields, Shown>>)
  | ConfigurationSource<C & FieldsSource<Fields, Shown>>

/**
 * The functions of an application, created by `initAuth`. Functions that need a request throw an Error outside one;
 * those that set cookies also if none can be set.
 */
export interface FullStackAuthResult<
  S = Session,
  R extends Request = Request,
  U extends AdapterUser = AdapterUser,
  Roles extends OrganizationRoles = OrganizationRoles,
  Scope extends string = string,
> extends Omit<AuthFunctions<S, U>, 'apiKeys'> {
  /** API keys, which users create for their scripts. Needs `apiKeys`. */
  readonly apiKeys: ApiKeyFunctions<Scope>
  /** The handlers for a catch-all route under the base path: `export const { GET, POST } = handlers`. */
  readonly handlers: {
    /** Answers the GET requests of the routes: pages, callbacks, the session. */
    readonly GET: RouteHandler
    /** Answers the POST requests of the routes: sign-in, sign-out, updates, form responses of providers. */
    readonly POST: RouteHandler
    /** Answers the preflights of pages of `trustedOrigins`. Other OPTIONS requests get 405. */
    readonly OPTIONS: RouteHandler
  }
  /** Reads the session in every place where there is a request. */
  readonly auth: AuthFunction<S, R, Roles, Scope>
  /**
   * Signs in: redirects to the provider or the target page, or without a provider to the sign-in page.
   * @throws {@link AuthError} if it fails; `CredentialsSignin` with its `code` for rejected credentials; Error outside
   *   a request, or if no cookie can be set.
   */
  signIn<Redirect extends boolean = true>(
    provider?: ProviderId,
    options?: FormData | SignInOptions<Redirect>,
    authorizationParams?: AuthorizationParams,
  ): Promise<Redirect extends false ? string : never>
  /**
   * Signs out and redirects. With `everywhere`, all sessions of the user end.
   * @throws {@link AuthError} if the session cannot be ended; Error outside a request, or if no cookie can be set.
   */
  signOut<Redirect extends boolean = true>(
    options?: SignOutOptions<Redirect>,
  ): Promise<Redirect extends false ? string : never>
  /**
   * Calls the `jwt` callback (`trigger: 'update'`) to change the session.
   * @returns The new session; `null` without a signed-in user.
   * @throws {@link AuthError} with the error of the callback or the adapter; Error outside a request, or if no cookie
   *   can be set.
   */
  unstable_update(data: SessionUpdate<S>): Promise<S | null>
  /**
   * Starts a session for your own proof: an invitation, a hand-over from a native app, SAML. It signs in any user you
   * name, without a check of the user or the request, so check your proof first and make it unusable. The `signIn`
   * callback is called (`account` is `null`), and everything else is as after any sign-in. Nothing is redirected.
   * @throws {@link AuthError}, with no cookie set: `AccessDenied` if the `signIn` callback rejects, `AccountNotLinked`
   *   if no stored user has the id, `MissingAdapter` for an email address without an adapter, `InvalidConfiguration`
   *   for invalid options; Error outside a request, or if no cookie can be set.
   */
  startSession(options: StartSessionOptions): Promise<StartedSession>
}
