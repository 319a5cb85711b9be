/** Configuration, Router, session and guard in one object, typed by what the `session` callback returns. */
import type { RequestHandler } from 'express'
import {
  type AccountOverview,
  type BoundPasswords,
  bindPasswords,
  type ChangeEmailOptions,
  type ChangeEmailResult,
  changeEmail,
  deletePasskey,
  disableUser,
  enableUser,
  endOtherSessions,
  endSession,
  endSessionsOf,
  getAccount,
  renamePasskey,
  resetFactors,
  unlinkAccount,
} from './account/index.js'
import { confirmFactor, enrolFactor, newRecoveryCodes, removeFactor } from './assurance/functions.js'
import {
  type CallRequest,
  type CallResponse,
  setSessionData,
  signIn,
  signOut,
  startSession,
  update,
} from './calls/index.js'
import { type FormRequest, getCsrfToken, hasCsrfToken } from './get-csrf-token.js'
import { getSession, type SessionOf, type SessionRequest } from './get-session.js'
import { type RequireSessionOptions, requireSession } from './require-session.js'
import type { ServerAuthRouter } from './router/index.js'
import { ServerAuth } from './server-auth.js'
import { connectUrl, disconnect, exchangeToken, getAccessToken, providerFetch } from './tokens/functions.js'
import { requireConnection } from './tokens/require-connection.js'
import type { AccountKey } from './types/adapter.js'
import type {
  AuthorizationParams,
  ProviderId,
  SessionDataChange,
  SessionUpdate,
  SignInOptions,
  SignOutOptions,
  StartedSession,
  StartSessionOptions,
} from './types/calls.js'
import type { ServerAuthConfig } from './types/config.js'
import type { ConfirmedFactor, FactorConfirmation, FactorSetup, FactorSetupOf } from './types/factors.js'
import type { KnownOptions } from './types/known-options.js'
import type {
  AccessTokenOptions,
  ConnectOptions,
  DisconnectResult,
  ExchangedToken,
  ExchangeTokenOptions,
  ProviderFetchOptions,
  ProviderToken,
  RequireConnectionOptions,
  TokensOfUser,
} from './types/tokens.js'

/** What {@link defineAuth} returns. */
export interface DefinedAuth<C extends ServerAuthConfig> extends BoundPasswords {
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
   * Changes what your code keeps in the session (`session.data`): values take the place of those of the same names, `undefined`
   * removes one, a function gets the data and returns what it is from now on. Values are those of JSON.
   *
   * @returns The session as it is then; `null` for who is not signed in.
   * @throws `InvalidConfiguration` without `session.data`, and for what JSON cannot say; `SessionTooLarge` for more than fits (16 KiB
   * in a database); `MissingCSRF` for a request from another site; TypeError when headers are out.
   */
  setSessionData(
    req: CallRequest,
    res: CallResponse,
    change: SessionDataChange<SessionOf<C>>,
  ): Promise<SessionOf<C> | null>
  /**
   * Begins a session for a proof of your own: an invitation, a hand-over from a native app, SAML. An open door: whoever you name is
   * signed in. Check your proof before, and use it up. Nothing is redirected.
   *
   * @returns Whether it began, and where the person goes now.
   * @throws `AccessDenied` when the `signIn` callback refuses, `AccountNotLinked` when no stored user has the id, `MissingAdapter`
   * for an address without an adapter, `InvalidConfiguration` for options that cannot be meant; TypeError when headers are out.
   */
  startSession(req: CallRequest, res: CallResponse, options: StartSessionOptions): Promise<StartedSession>
  /**
   * Where the person is signed in and with what: sessions, accounts and passkeys, for an account page.
   *
   * @returns `null` when nobody is signed in, or the person is no user of the adapter.
   * @throws `MissingAdapter` without an adapter, `AdapterError` when the database fails; so do the functions below.
   */
  getAccount(req: SessionRequest): Promise<AccountOverview | null>
  /** Ends a session of the person, by its `id` of `getAccount`. `false` when they have no such session, or nobody is signed in. */
  endSession(req: SessionRequest, id: string): Promise<boolean>
  /**
   * Ends all sessions of the person but that of the request, and returns how many there were. JWT sessions need
   * `session.revocation`: without it 0 is returned, and they go on.
   */
  endOtherSessions(req: SessionRequest): Promise<number>
  /**
   * Ends all sessions that a user has: after a changed password, or a lost device. Nobody is asked whether that is allowed.
   *
   * @param req The request of who does it, for `events.sessionEnded`. Leave it out where there is none.
   * @throws `InvalidConfiguration` with JWT sessions and no `session.revocation`, `MissingAdapterMethods` without
   * `listSessionsByUserId`, `AdapterError` when the store fails.
   */
  endSessionsOf(userId: string, req?: SessionRequest): Promise<void>
  /**
   * Keeps a user out: no session from now on, in other processes within `maxStale` seconds, and no sign-in by any way
   * (`AccessDenied`). Nothing of theirs is deleted.
   *
   * @throws `InvalidConfiguration` without `session.revocation`, `AdapterError` when the store fails.
   */
  disableUser(userId: string, req?: SessionRequest): Promise<void>
  /** Lets a disabled user sign in again. Sessions from before do not come back. Takes and throws what `disableUser` does. */
  enableUser(userId: string, req?: SessionRequest): Promise<void>
  /**
   * Unlinks an account of the person, never the last way in. Check the form with `hasCsrfToken` before, here and below.
   *
   * @returns `unlinked`; `unknown` when they have no such account, or nobody is signed in; `last` where it is the only way in.
   */
  unlinkAccount(req: SessionRequest, account: AccountKey): Promise<'unlinked' | 'unknown' | 'last'>
  /**
   * Mails the person a link to the address that they want to have, which makes it theirs. It works once, within 30 minutes, in a
   * session of the same user. `limited`: too many mails were asked for.
   *
   * @throws `InvalidProvider` without a provider of e-mail, `MissingAdapter` without an adapter.
   */
  changeEmail(req: SessionRequest, options: ChangeEmailOptions): Promise<ChangeEmailResult>
  /**
   * Gives a passkey of the person a name of 1 to 64 characters. `false` when they have no such passkey, or the name is none.
   *
   * @throws `MissingAdapterMethods` where the adapter stores no names.
   */
  renamePasskey(req: SessionRequest, id: string, name: string): Promise<boolean>
  /**
   * Removes a passkey of the person, never the last way in. Sessions that were begun with it go on.
   *
   * @returns `deleted`; `unknown` when they have no such passkey, or nobody is signed in; `last` where it is the only way in.
   * @throws `MissingAdapterMethods` where the adapter cannot delete passkeys.
   */
  deletePasskey(req: SessionRequest, id: string): Promise<'deleted' | 'unknown' | 'last'>
  /**
   * Begins to add a second factor: the key of an authenticator app with its QR code, or a mailed code. `enrolFactor` of
   * `server-auth/factors`; so are the next four. Check the form with `hasCsrfToken` before.
   *
   * @throws `ReauthenticationRequired` unless the person has signed in, with all that they have, within five minutes.
   */
  enrolFactor<T extends FactorSetup['factor']>(req: CallRequest, res: CallResponse, type: T): Promise<FactorSetupOf<T>>
  /** Adds a second factor by its first code, and raises the session to level 2. With the first one come recovery codes. */
  confirmFactor(req: CallRequest, res: CallResponse, confirmation: FactorConfirmation): Promise<ConfirmedFactor>
  /** Removes a second factor of the person, by its `id` of `getAccount().factors`. `false` where they have no such factor. */
  removeFactor(req: CallRequest, res: CallResponse, id: string): Promise<boolean>
  /** Makes new recovery codes, to be shown once. Those that there were do not work any more. */
  newRecoveryCodes(req: CallRequest, res: CallResponse): Promise<readonly string[]>
  /**
   * Removes all second factors of a user, and ends their sessions: for a support desk. Nobody is asked whether that is allowed.
   *
   * @param user The id of a stored user; provider and account of one whom an `authorize` returned.
   */
  resetFactors(user: string | AccountKey, req?: SessionRequest): Promise<void>
  /** An access token of the person of the request, or of `{ userId }` in a job, renewed where it is due: `getAccessToken` of `server-auth/tokens`. */
  getAccessToken(of: SessionRequest | TokensOfUser, options: AccessTokenOptions): Promise<ProviderToken>
  /** The path to which a person goes who is to connect an account, or to agree to more: `connectUrl` of `server-auth/tokens`. */
  connectUrl(req: SessionRequest, options: ConnectOptions): Promise<string>
  /** Lets through who has connected an account that is good for `scope`, and sends others there: `requireConnection` of `server-auth/tokens`. */
  requireConnection(options: RequireConnectionOptions): RequestHandler
  /** Exchanges the person's access token for one of another service (RFC 8693): `exchangeToken` of `server-auth/tokens`. */
  exchangeToken(of: SessionRequest | TokensOfUser, options: ExchangeTokenOptions): Promise<ExchangedToken>
  /** A `fetch` that adds the person's access token, and renews it where the API refuses it: `providerFetch` of `server-auth/tokens`. */
  providerFetch(of: SessionRequest | TokensOfUser, options: ProviderFetchOptions): typeof fetch
  /** Forgets the person's tokens at a provider, and revokes them there: `disconnect` of `server-auth/tokens`. Check the form with `hasCsrfToken` before. */
  disconnect(
    of: SessionRequest | TokensOfUser,
    options: Pick<AccessTokenOptions, 'provider' | 'providerAccountId'>,
  ): Promise<DisconnectResult>
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
  return {
    config,
    router: ServerAuth(config),
    getSession: (req) => getSession(req, config),
    getCsrfToken: (req) => getCsrfToken(req, config),
    hasCsrfToken: (req) => hasCsrfToken(req, config),
    signIn: (req, res, provider, options, params) => signIn(req, res, config, provider, options, params),
    signOut: (req, res, options) => signOut(req, res, config, options),
    update: (req, res, patch) => update(req, res, config, patch),
    setSessionData: (req, res, change) => setSessionData(req, res, config, change),
    startSession: (req, res, options) => startSession(req, res, config, options),
    getAccount: (req) => getAccount(req, config),
    endSession: (req, id) => endSession(req, config, id),
    endOtherSessions: (req) => endOtherSessions(req, config),
    endSessionsOf: (userId, req) => endSessionsOf(config, userId, req),
    disableUser: (userId, req) => disableUser(config, userId, req),
    enableUser: (userId, req) => enableUser(config, userId, req),
    unlinkAccount: (req, account) => unlinkAccount(req, config, account),
    changeEmail: (req, options) => changeEmail(req, config, options),
    renamePasskey: (req, id, name) => renamePasskey(req, config, id, name),
    deletePasskey: (req, id) => deletePasskey(req, config, id),
    ...bindPasswords(config),
    enrolFactor: (req, res, type) => enrolFactor(req, res, config, type),
    confirmFactor: (req, res, confirmation) => confirmFactor(req, res, config, confirmation),
    removeFactor: (req, res, id) => removeFactor(req, res, config, id),
    newRecoveryCodes: (req, res) => newRecoveryCodes(req, res, config),
    resetFactors: (user, req) => resetFactors(config, user, req),
    getAccessToken: (of, options) => getAccessToken(of, config, options),
    exchangeToken: (of, options) => exchangeToken(of, config, options),
    connectUrl: (req, options) => connectUrl(req, config, options),
    requireConnection: (options) => requireConnection(config, options),
    providerFetch: (of, options) => providerFetch(of, config, options),
    disconnect: (of, options) => disconnect(of, config, options),
    requireSession: (options) => requireSession(config, options),
  }
}
