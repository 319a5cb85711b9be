/** The public types of `server-auth/shim`. */
import type { BuiltInProviderType } from '../lib/types/provider-ids.js'
import type { Session } from '../lib/types/session.js'
import type { AuthFunction } from './auth.js'
import type { RouteHandler } from './handlers.js'

/** The id of a provider: a built-in one, or one of yours. */
export type ProviderId = BuiltInProviderType | (string & Record<never, never>)

/** Options of `signOut`. */
export interface SignOutOptions<Redirect extends boolean = boolean> {
  /** Where the person goes afterwards. Default: the page that the request came from. */
  redirectTo?: string | undefined
  /** Sign out at the provider, too, where its option `logout` leaves the choice. Default `false`. */
  federated?: boolean | undefined
  /** `false`: return the URL instead of going there. Default `true`. */
  redirect?: Redirect | undefined
}

/** Options of `signIn`. All others are fields of the sign-in: user name, password, e-mail address. */
export interface SignInOptions<Redirect extends boolean = boolean>
  extends Omit<SignOutOptions<Redirect>, 'federated'>,
    Record<string, unknown> {}

/** The third argument of `signIn`, parameters for the provider's page: in any form that `URLSearchParams` takes. */
export type AuthorizationParams = string | Readonly<Record<string, string>> | URLSearchParams | [string, string][]

/** What `unstable_update` hands to the `jwt` and `session` callbacks. */
export type SessionUpdate<S = Session> =
  | Partial<S>
  | { user: S extends { user?: infer U } ? Partial<NonNullable<U>> : unknown }

/** What `initAuth` returns. */
export interface FullStackAuthResult<S = Session, R extends Request = Request> {
  /** For a catch-all route under the base path: `export const { GET, POST } = handlers`. */
  readonly handlers: { readonly GET: RouteHandler; readonly POST: RouteHandler }
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
}
