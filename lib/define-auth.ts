/** Configuration, Router, session and guard in one object, typed by what the `session` callback returns. */
import type { RequestHandler } from 'express'
import {
  type AccountOverview,
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
  unlinkAccount,
} from './account/index.js'
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
export interface DefinedAuth<C extends ServerAuthConfig> {
  /** The configuration, for functions that take one: the same object that was passed in. */
  readonly config: C
  /** To be mounted: `app.use('/auth', auth.router)`. */
  readonly router: ServerAuthRouter
  /** {@link getSession} for this configuration. */
  getSession(req: SessionRequest): Promise<SessionOf<C> | null>
  /** {@link getCsrfToken} for this configuration. */
  getCsrfToken(req: SessionRequest): string
  /** {@link hasCsrfToken} for this configuration. */
  hasCsrfToken(req: FormRequest): boolean
  /** {@link signIn} for this configuration. */
  signIn<Redirect extends boolean = true>(
    req: CallRequest,
    res: CallResponse,
    provider?: ProviderId,
    options?: FormData | SignInOptions<Redirect>,
    params?: AuthorizationParams,
  ): Promise<Redirect extends false ? string : void>
  /** {@link signOut} for this configuration. */
  signOut<Redirect extends boolean = true>(
    req: CallRequest,
    res: CallResponse,
    options?: SignOutOptions<Redirect>,
  ): Promise<Redirect extends false ? string : void>
  /** {@link update} for this configuration. */
  update(req: CallRequest, res: CallResponse, patch: SessionUpdate<SessionOf<C>>): Promise<SessionOf<C> | null>
  /** {@link setSessionData} for this configuration. */
  setSessionData(
    req: CallRequest,
    res: CallResponse,
    change: SessionDataChange<SessionOf<C>>,
  ): Promise<SessionOf<C> | null>
  /** {@link startSession} for this configuration: an open door. */
  startSession(req: CallRequest, res: CallResponse, options: StartSessionOptions): Promise<StartedSession>
  /** {@link getAccount} for this configuration. */
  getAccount(req: SessionRequest): Promise<AccountOverview | null>
  /** {@link endSession} for this configuration. */
  endSession(req: SessionRequest, id: string): Promise<boolean>
  /** {@link endOtherSessions} for this configuration. */
  endOtherSessions(req: SessionRequest): Promise<number>
  /** {@link endSessionsOf} for this configuration. */
  endSessionsOf(userId: string, req?: SessionRequest): Promise<void>
  /** {@link disableUser} for this configuration. */
  disableUser(userId: string, req?: SessionRequest): Promise<void>
  /** {@link enableUser} for this configuration. */
  enableUser(userId: string): Promise<void>
  /** {@link unlinkAccount} for this configuration. */
  unlinkAccount(req: SessionRequest, account: AccountKey): Promise<'unlinked' | 'unknown' | 'last'>
  /** {@link changeEmail} for this configuration. */
  changeEmail(req: SessionRequest, options: ChangeEmailOptions): Promise<ChangeEmailResult>
  /** {@link renamePasskey} for this configuration. */
  renamePasskey(req: SessionRequest, id: string, name: string): Promise<boolean>
  /** {@link deletePasskey} for this configuration. */
  deletePasskey(req: SessionRequest, id: string): Promise<'deleted' | 'unknown' | 'last'>
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
  /** {@link requireSession} for this configuration. */
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
    enableUser: (userId) => enableUser(config, userId),
    unlinkAccount: (req, account) => unlinkAccount(req, config, account),
    changeEmail: (req, options) => changeEmail(req, config, options),
    renamePasskey: (req, id, name) => renamePasskey(req, config, id, name),
    deletePasskey: (req, id) => deletePasskey(req, config, id),
    getAccessToken: (of, options) => getAccessToken(of, config, options),
    exchangeToken: (of, options) => exchangeToken(of, config, options),
    connectUrl: (req, options) => connectUrl(req, config, options),
    requireConnection: (options) => requireConnection(config, options),
    providerFetch: (of, options) => providerFetch(of, config, options),
    disconnect: (of, options) => disconnect(of, config, options),
    requireSession: (options) => requireSession(config, options),
  }
}
