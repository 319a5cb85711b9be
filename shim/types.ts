/** The public types of `server-auth/shim`. */
import type {
  AccountOverview,
  ChangeEmailOptions,
  ChangeEmailResult,
  ChangePasswordResult,
  LinkReceiver,
  PasswordChange,
  UserHash,
  UserPassword,
} from '../lib/account/index.js'
import type { AccountKey } from '../lib/types/adapter.js'
import type {
  AuthorizationParams,
  ProviderId,
  SessionDataChange,
  SessionUpdate,
  SignInOptions,
  SignOutOptions,
  StartedSession,
  StartSessionOptions,
} from '../lib/types/calls.js'
import type { ConfirmedFactor, FactorConfirmation, FactorSetup, FactorSetupOf } from '../lib/types/factors.js'
import type { Session } from '../lib/types/session.js'
import type {
  AccessTokenOptions,
  ConnectOptions,
  DisconnectResult,
  ExchangedToken,
  ExchangeTokenOptions,
  ProviderFetchOptions,
  ProviderToken,
} from '../lib/types/tokens.js'
import type { AuthFunction } from './auth.js'
import type { RouteHandler } from './handlers.js'

/** What `initAuth` returns. */
export interface FullStackAuthResult<S = Session, R extends Request = Request> {
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
   * Changes what your code keeps in the session (`session.data`): values take the place of those of the same names, `undefined` removes
   * one, a function gets the data and returns what it is from now on. Values are those of JSON. With database sessions changes at the
   * same time are all kept; with JWT sessions the last cookie that reaches the browser wins.
   *
   * @returns The session as it is then; `null` for who is not signed in.
   * @throws {@link AuthError}: `InvalidConfiguration` without `session.data`, and for what JSON cannot say; `SessionTooLarge` for more
   * than fits; `MissingCSRF` for a request from another site; Error where no request is being answered, or no cookie can be set.
   */
  setSessionData(change: SessionDataChange<S>): Promise<S | null>
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
  /**
   * Where the person is signed in and with what; `null` when nobody is signed in whom the adapter knows.
   *
   * This and the functions below: they throw {@link AuthError} `MissingAdapter` without an adapter, `AdapterError` when the
   * database fails; Error where no request is being answered. Those that change something throw `MissingCSRF` where the page of
   * another site may have sent the request.
   */
  getAccount(): Promise<AccountOverview | null>
  /** Ends a session of the person, by its id of `getAccount`. `false` when they have no such session. */
  endSession(id: string): Promise<boolean>
  /** Ends all sessions of the person but that of the request, and returns how many there were. */
  endOtherSessions(): Promise<number>
  /**
   * Ends all sessions that a user has. Nobody is asked whether that is allowed: call it where you know that it is.
   *
   * This and the next two need no request: a configuration that is a function is called without one. Where one is being answered,
   * `events.sessionEnded`, `userDisabled` and `userEnabled` say by whose it was done. They throw {@link AuthError}
   * `InvalidConfiguration` without `session.revocation` (this one with JWT sessions only), `AdapterError` when the store fails.
   */
  endSessionsOf(userId: string): Promise<void>
  /** Keeps a user out: no session from now on, and no sign-in by any way. */
  disableUser(userId: string): Promise<void>
  /** Lets a disabled user sign in again. Sessions from before do not come back. */
  enableUser(userId: string): Promise<void>
  /** Unlinks an account of the person, never the last way in. */
  unlinkAccount(account: AccountKey): Promise<'unlinked' | 'unknown' | 'last'>
  /** Mails the person a link to the address that they want to have, which makes it theirs. `InvalidProvider` without a provider of e-mail. */
  changeEmail(options: ChangeEmailOptions): Promise<ChangeEmailResult>
  /** Gives a passkey of the person a name. `false` when they have no such passkey, or the name is none. */
  renamePasskey(id: string, name: string): Promise<boolean>
  /** Removes a passkey of the person, never the last way in. */
  deletePasskey(id: string): Promise<'deleted' | 'unknown' | 'last'>
  /** Whether the person has a password, with the provider `Password`. */
  hasPassword(): Promise<boolean>
  /** Gives the person another password, or a first one, and says what it came to: as `changePassword` of `server-auth/passwords`. */
  changePassword(change: PasswordChange): Promise<ChangePasswordResult>
  /** Sets the password of any user. Nobody is asked whether that is allowed. This and the next two need no request. */
  setPassword(password: UserPassword): Promise<void>
  /** Stores a hash that another system made. `false` for a user who has a password already. */
  importPassword(password: UserHash): Promise<boolean>
  /** Mails any user a link to set a password. */
  sendPasswordLink(user: LinkReceiver): Promise<void>
  /**
   * Begins to add a second factor: the key of an authenticator app with its QR code, or a mailed code.
   *
   * This and the next three throw {@link AuthError} `ReauthenticationRequired` unless the person has signed in, with all that they have,
   * within five minutes: send them to `<basePath>/two-factor?setup&callbackUrl=…` then. `InvalidConfiguration` without `factors`.
   */
  enrolFactor<T extends FactorSetup['factor']>(type: T): Promise<FactorSetupOf<T>>
  /** Adds a second factor by its first code, and raises the session to level 2. With the first one come recovery codes. */
  confirmFactor(confirmation: FactorConfirmation): Promise<ConfirmedFactor>
  /** Removes a second factor of the person, by its `id` of `getAccount().factors`. `false` where they have no such factor. */
  removeFactor(id: string): Promise<boolean>
  /** Makes new recovery codes, to be shown once. Those that there were do not work any more. */
  newRecoveryCodes(): Promise<readonly string[]>
  /**
   * Removes all second factors of a user, and ends their sessions: for a support desk. Nobody is asked whether that is allowed.
   *
   * @param user The id of a stored user; provider and account of one whom an `authorize` returned.
   */
  resetFactors(user: string | AccountKey): Promise<void>
  /**
   * An access token of the person at a provider, renewed where it is due. `NotConnected`, `ConsentRequired`, `RefreshError` as
   * `getAccessToken` of `server-auth/tokens`, by which jobs get one for any user.
   */
  getAccessToken(options: AccessTokenOptions): Promise<ProviderToken>
  /**
   * Where the person goes to connect an account, or to let us do more with it: a path of the site, good in this session. Redirect to it.
   */
  connectUrl(options: ConnectOptions): Promise<string>
  /** Exchanges the person's access token for one that is good for another service (RFC 8693). */
  exchangeToken(options: ExchangeTokenOptions): Promise<ExchangedToken>
  /** A `fetch` that adds the person's access token, and renews it where the API refuses it. */
  providerFetch(options: ProviderFetchOptions): typeof fetch
  /** Forgets the person's tokens at a provider, and revokes them there. The account stays linked. */
  disconnect(options: Pick<AccessTokenOptions, 'provider' | 'providerAccountId'>): Promise<DisconnectResult>
}
