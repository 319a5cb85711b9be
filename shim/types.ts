/** The public types of `server-auth/shim`. */
import type { AuthFunctions } from '../lib/functions/index.js'
import type {
  AuthorizationParams,
  ProviderId,
  SessionUpdate,
  SignInOptions,
  SignOutOptions,
  StartedSession,
  StartSessionOptions,
} from '../lib/types/calls.js'
import type { Session } from '../lib/types/session.js'
import type { AuthFunction } from './auth.js'
import type { RouteHandler } from './handlers.js'

/**
 * The functions of an application, made by `initAuth`. Functions that need a request throw Error where none is being answered; those that set
 * cookies also where none can be set.
 */
export interface FullStackAuthResult<S = Session, R extends Request = Request> extends AuthFunctions<S> {
  /** For a catch-all route under the base path: `export const { GET, POST } = handlers`. */
  readonly handlers: {
    /** Answers the GET requests of the routes: pages, callbacks, the session. */
    readonly GET: RouteHandler
    /** Answers the POST requests of the routes: sign-in, sign-out, updates, answers by form. */
    readonly POST: RouteHandler
  }
  /** The session, wherever there is a request. */
  readonly auth: AuthFunction<S, R>
  /**
   * Signs in. Goes to the provider, or on to where the person wanted to be; without a provider to the sign-in page.
   *
   * @throws {@link AuthError} when it fails; `CredentialsSignin` with its `code` for credentials that are refused;
   * Error where no request is being answered, or no cookie can be set.
   */
  signIn<Redirect extends boolean = true>(
    provider?: ProviderId,
    options?: FormData | SignInOptions<Redirect>,
    authorizationParams?: AuthorizationParams,
  ): Promise<Redirect extends false ? string : never>
  /**
   * Signs out, and goes on.
   *
   * @throws {@link AuthError} when the session cannot be ended; Error where no request is being answered, or no cookie can be
   * set.
   */
  signOut<Redirect extends boolean = true>(
    options?: SignOutOptions<Redirect>,
  ): Promise<Redirect extends false ? string : never>
  /**
   * Asks the `jwt` callback (`trigger: 'update'`) for a change of the session.
   *
   * @returns The session as it is then; `null` for who is not signed in.
   * @throws {@link AuthError} with what the callback or the adapter threw; Error where no request is being answered, or no
   * cookie can be set.
   */
  unstable_update(data: SessionUpdate<S>): Promise<S | null>
  /**
   * Begins a session for a proof of your own: an invitation, a hand-over from a native app, SAML. An open door: whoever you name
   * is signed in, and neither the person nor the request is asked. Check your proof before, and use it up. The `signIn` callback
   * is asked (`account` is `null`), and all else is as after any sign-in. Nothing is redirected.
   *
   * @throws {@link AuthError}, with no cookie set: `AccessDenied` when the `signIn` callback refuses, `AccountNotLinked` when no
   * stored user has the id, `MissingAdapter` for an address without an adapter, `InvalidConfiguration` for options that cannot
   * be meant; Error where no request is being answered, or no cookie can be set.
   */
  startSession(options: StartSessionOptions): Promise<StartedSession>
}
