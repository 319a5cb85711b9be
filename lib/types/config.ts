/**
 * The configuration, callbacks and events of the public interface. Every interface is open to module augmentation:
 * ```ts
 * declare module 'server-auth' {
 *  interface Session { role?: string }
 * }
 * ```
 */

import type { AuthError, ErrorType } from '../errors.js'
import type { FeatureEvents, FeatureOptions, SignOutActor } from '../features/described.js'
import type { FactorMessage } from '../features/factors/types.js'
import type { DeniedMessage } from '../features/limits/types.js'
import type { PasswordChangedMessage } from '../features/passwords/provider-types.js'
import type { AccountKey, Adapter, AdapterSession, AdapterUser } from './adapter.js'
import type { CookiesOptions } from './cookies.js'
import type { I18nOptions } from './i18n.js'
import type { Account, Awaitable, Profile, User } from './identity.js'
import type { JWT, JWTOptions } from './jwt.js'
import type { LoggerInstance } from './logger.js'
import type { CustomPages } from './pages.js'
import type { Provider } from './provider.js'
import type { RequestInfo } from './request-info.js'
import type { ReturnedSession, Session, SessionOptions, SignedInSession } from './session.js'
import type { SessionEndReason } from './session-end.js'
import type { skipCSRFCheck } from './symbols.js'
import type { Telemetry } from './telemetry.js'
import type { Theme } from './theme.js'

export type { FactorMessage } from '../features/factors/types.js'
export type { RequestInfo } from './request-info.js'
export type { SessionEndReason } from './session-end.js'

/** The argument of the `signIn` callback. */
export interface SignInCallbackParams<Fields = unknown> {
  /**
   * The user: the stored user of the sign-in, linking included; otherwise, and always with credentials, the user that the
   * provider's `profile` or `authorize` returned.
   */
  user: User | (AdapterUser & Fields)
  /** The account. `null` for `startSession`, where the application's code identifies the user. */
  account: Account | null
  /** The provider's profile, with OAuth and OpenID Connect. */
  profile?: Profile
  /** The step of an email sign-in. Only with the email provider. */
  email?: {
    /** `true` when the link is requested, absent when it is opened. */
    verificationRequest?: boolean
  }
  /** The submitted values, with credentials. */
  credentials?: Record<string, unknown>
}

/** The argument of the `redirect` callback. */
export interface RedirectCallbackParams {
  /** The value that the client sent, often a path: `new URL(url, baseUrl)`. Not validated. */
  url: string
  /** The origin of the site. */
  baseUrl: string
}

/** The argument of the `jwt` callback, at a sign-in (`signIn`, `signUp`), an update by the client (`update`), or a read. */
export type JwtCallbackParams<Fields = unknown> =
  | {
      /** The reason of the call: a sign-in (`signIn`, or `signUp` for a new user), a client's `update`, or a read if absent. */
      trigger: 'signIn' | 'signUp'
      /** The claims: only `name`, `email`, `picture` and `sub`. */
      token: JWT
      /**
       * The user, only at a sign-in: the stored user if there is an adapter, otherwise the one that `profile` or `authorize`
       * returned.
       */
      user: User | (AdapterUser & Fields)
      /** The account. `null` for `startSession`. */
      account: Account | null
      /** The provider's profile, only at a sign-in with OAuth or OpenID Connect. */
      profile?: Profile
      /** @deprecated Use `trigger === 'signUp'`. */
      /** `true` if the sign-in created the user. Only at a sign-in. */
      isNewUser?: boolean
      /** The data that the client sent with `update`. Absent otherwise. */
      session?: undefined
    }
  | {
      /** The reason of the call: a sign-in (`signIn`, or `signUp` for a new user), a client's `update`, or a read if absent. */
      trigger: 'update'
      /** The current claims. The return value replaces them. */
      token: JWT
      /** The data that the client sent. Validate it before you copy anything into the token. */
      session: unknown
      /**
       * The user, only at a sign-in: the stored user if there is an adapter, otherwise the one that `profile` or `authorize`
       * returned.
       */
      user?: undefined
      /** The provider's account with its tokens, only at a sign-in. `null` for `startSession`. */
      account?: undefined
      /** The provider's profile, only at a sign-in with OAuth or OpenID Connect. */
      profile?: undefined
      /** `true` if the sign-in created the user. Only at a sign-in. */
      isNewUser?: undefined
    }
  | {
      /** The reason of the call: a sign-in (`signIn`, or `signUp` for a new user), a client's `update`, or a read if absent. */
      trigger?: undefined
      /** The current claims. The return value replaces them. */
      token: JWT
      /**
       * The user, only at a sign-in: the stored user if there is an adapter, otherwise the one that `profile` or `authorize`
       * returned.
       */
      user?: undefined
      /** The provider's account with its tokens, only at a sign-in. `null` for `startSession`. */
      account?: undefined
      /** The provider's profile, only at a sign-in with OAuth or OpenID Connect. */
      profile?: undefined
      /** `true` if the sign-in created the user. Only at a sign-in. */
      isNewUser?: undefined
      /** The data that the client sent with `update`. Absent otherwise. */
      session?: undefined
    }

/** The time and methods of a session's authentication. Only the engine writes it. */
export interface Authentication {
  /**
   * The latest time at which the user was authenticated, in seconds since the epoch (OpenID Connect Core §2). Absent if not known,
   * for example in a session that was migrated from another library.
   */
  auth_time?: number
  /**
   * The methods (RFC 8176 §2): `pwd` for credentials, `otp` for an email link or code, `hwk` or `swk` for a passkey, with `user`
   * and `mfa` if it required a PIN or biometrics. Includes methods that a provider reports only if its `trustAcr` or `trustAmr`
   * accepts them. Absent if none is known.
   */
  amr?: readonly string[]
  /** The methods that a provider reports in its id_token and that the configuration does not trust. Absent if there are none. */
  reported_amr?: readonly string[]
  /**
   * The authenticator assurance level (NIST SP 800-63B). 2 if two factors were verified in this session, or a passkey with a PIN or
   * biometrics, or if the provider verified them (`trustAcr`); otherwise 1.
   */
  aal?: 1 | 2
}

/** The argument of the `session` callback: `token` with JWT sessions, `user` with database sessions. */
export type SessionCallbackParams<Fields = unknown, Shown extends string = never> = (
  | {
      /** The claims of the token, with JWT sessions only. They may include values that the client must not see. */
      token: JWT
      /** The stored user, with database sessions only. It may include values that the client must not see. */
      user?: undefined
    }
  | {
      /** The stored user, with database sessions only. It may include values that the client must not see. */
      user: AdapterUser & Fields
      /** The claims of the token, with JWT sessions only. They may include values that the client must not see. */
      token?: undefined
    }
) & {
  /** The current session. Change it, or return another one. */
  session: SignedInSession<Fields, Shown>
  /** The authentication, with both strategies. Copy the parts that your application needs into the session. */
  authentication: Authentication
  /** The data that the client sent, at a client's update. Validate it. */
  newSession?: unknown
  /** `update` at a client's update, absent at a read. */
  trigger?: 'update'
}

/** The callbacks: functions of the application that run at fixed points of a sign-in and a session. */
export interface CallbacksOptions<Fields = unknown, Shown extends string = never> {
  /** Decides whether a user may sign in. `false` or an error rejects the sign-in; a string redirects there. */
  signIn?(params: SignInCallbackParams<Fields>): Awaitable<boolean | string>
  /** Returns the URL for a redirect after sign-in or sign-out. By default only the site's own origin is allowed. */
  redirect?(params: RedirectCallbackParams): Awaitable<string>
  /** Returns the claims of the token. Runs at sign-in and at each read; `null` ends the session. */
  jwt?(params: JwtCallbackParams<Fields>): Awaitable<JWT | null>
  /** Returns the session that the client sees. Runs at each read. */
  session?(params: SessionCallbackParams<Fields, Shown>): Awaitable<Session | ReturnedSession>
}

/** The argument of the `signOut` event: the token (JWT sessions) or the ended session (database sessions). */
export type SignOutMessage =
  | {
      /** The claims of the browser's token, with JWT sessions only. `null` if there was no valid token. */
      token: JWT | null
      /** The deleted session, with database sessions only. Empty if there was none, or if the adapter does not return it. */
      session?: undefined
    }
  | {
      /** The deleted session, with database sessions only. Empty if there was none, or if the adapter does not return it. */
      session: AdapterSession | null | undefined | void
      /** The claims of the browser's token, with JWT sessions only. `null` if there was no valid token. */
      token?: undefined
    }

/** The session of an event, and the origin of its request. */
export interface SessionEventContext {
  /**
   * The id of the session for its whole life: `id` in `auth.account.get().sessions` if sessions are listed. It is not secret and
   * gives no access. Absent if there was no session.
   */
  sid?: string
  /** The IP address and browser of the request. */
  request: RequestInfo
}

/** The argument of the `signIn` event. */
export interface SignInMessage<Fields = unknown> extends SessionEventContext {
  /** The user: the stored one if there is an adapter. */
  user: User & Partial<Fields>
  /** The account. `null` for `startSession`, and for an app. */
  account: Account | null
  /** `true` at the first sign-in, with an adapter. */
  isNewUser?: boolean
  /** The provider's profile, with OAuth and OpenID Connect. */
  profile?: Profile
  /** The id of the app that got the session (`apps`). Absent for all other sign-ins. */
  app?: string
}

/** The argument of the `unlinkAccount` event. `sid` is the session in which the user unlinked the account. */
export interface UnlinkAccountMessage<Fields = unknown> extends SessionEventContext {
  /** The former owner. */
  user: AdapterUser & Fields
  /** The unlinked account. */
  account: AccountKey
}

/** The argument of the `passkeyRemoved` event. `sid` is the session in which the user removed the passkey. */
export interface PasskeyRemovedMessage<Fields = unknown> extends SessionEventContext {
  /** The former owner. */
  user: AdapterUser & Fields
  /** The id of the passkey, as `id` in `auth.account.get().passkeys`. */
  credentialID: string
}

/** The argument of the `sessionEnded` event. */
export interface SessionEndedMessage {
  /** The cause. */
  reason: SessionEndReason
  /** The id from the session's `signIn` event. Absent if the event represents several sessions whose ids are not known. */
  sid?: string
  /** The user of the session. Absent if not known: JWT sessions that a provider ended. */
  userId?: string
  /** The id of the provider, if the reason is `provider`. */
  provider?: string
  /** The `sid` of the session that caused it; for `replaced` that of the new session. Absent if there was none. */
  endedBy?: string
  /** The id of the user of that session, if `auth.sessions.endAll` or `auth.users.disable` was called in it. */
  by?: string
  /** The request that caused it. Absent if there was no request. */
  request?: RequestInfo
}

/** The argument of the `userDisabled` and `userEnabled` events. */
export interface UserAccessMessage extends AdministrationContext {
  /** The id of the disabled or enabled user. It is not checked whether the user exists. */
  userId: string
}

/** The argument of the `createUser` event. */
export interface CreateUserMessage<Fields = unknown> extends AdministrationContext {
  /** The user, as stored by the adapter. */
  user: User & Fields
  /** `true` if your code created the user, with `auth.users.create`. The next three members are present only then. */
  administered?: true
}

/** The argument of the `updateUser` event. */
export interface UpdateUserMessage<Fields = unknown> extends AdministrationContext {
  /** The user after the change. */
  user: User & Fields
  /** `true` if the address was verified for the first time, by a visitor who was not signed in as that user. */
  firstProof?: boolean
  /** `true` if another user verified the address: this user has no address now. */
  lostAddress?: boolean
  /** The email address before the change. */
  previousEmail?: string
  /** `true` if your code changed the user, with `auth.users.update`. The next three members are present only then. */
  administered?: true
}

/** The argument of the `passwordLinkSent` event. */
export interface PasswordLinkMessage extends AdministrationContext {
  /** The id of the user who gets the email. */
  userId: string
}

/** The origin of a change that your code made for a user. */
export interface AdministrationContext {
  /** The id of the user who made the change. Absent without a request or without a signed-in user. */
  by?: string
  /** The `sid` of the session in which the change was made. */
  sid?: string
  /** The IP address and browser of that request. */
  request?: RequestInfo
}

/** The argument of the `failure` event. It has no user input. */
export interface FailureMessage {
  /** The error's `type`. */
  type: ErrorType
  /** The error, as logged. */
  error: AuthError
  /** The route, such as `callback` or `signin`. */
  action: string
  /** The id of the provider, if the path names one of the configuration. */
  provider?: string
  /** The IP address and browser of the request. */
  request: RequestInfo
}

/**
 * The events: functions of the application, for example for audit logs. They are awaited; their errors are only logged. `session`
 * and the events up to `linkAccount` are those of Auth.js.
 */
export interface EventCallbacks<Fields = unknown> extends FeatureEvents {
  /** Called after a sign-in. `isNewUser`: the first one, with an adapter. `account`: `null` for `startSession`. */
  signIn(message: SignInMessage<Fields>): Awaitable<void>
  /** Called after a sign-out, in the browser that had the session. `by`: the user of support, in an impersonated session. */
  signOut(message: SignOutMessage & SessionEventContext & SignOutActor): Awaitable<void>
  /** Called after a user was stored, at the first sign-in or by `auth.users.create`. */
  createUser(message: CreateUserMessage<Fields>): Awaitable<void>
  /**
   * Called after a user's email address was verified or removed, and after `auth.users.update`. `lostAddress`: the user never
   * verified the address and another user did, so it is now `null`. `firstProof`: with `allowDangerousUnprovedAddressMerge`,
   * verified by a visitor who was not signed in as that user, so a stored password may be a stranger's. `previousEmail`: the
   * address was changed from this one.
   */
  updateUser(message: UpdateUserMessage<Fields>): Awaitable<void>
  /** Called after a provider's account was stored with a user, at the first sign-in with it. */
  linkAccount(message: {
    /** The user who owns the account now. */
    user: User | (AdapterUser & Fields)
    /** The account, with its tokens. */
    account: Account
    /** The user that the provider's `profile` function returned. */
    profile: User | AdapterUser
  }): Awaitable<void>
  /** Called after a user unlinked an account with `auth.account.unlink`. */
  unlinkAccount(message: UnlinkAccountMessage<Fields>): Awaitable<void>
  /** Called after a user removed a passkey with `auth.account.removePasskey`. */
  passkeyRemoved(message: PasskeyRemovedMessage<Fields>): Awaitable<void>
  /** Called after a user added a second factor or created new recovery codes. */
  factorAdded(message: FactorMessage): Awaitable<void>
  /** Called after a second factor was removed. */
  factorRemoved(message: FactorMessage): Awaitable<void>
  /**
   * Called after a session ended other than by its own sign-out. Called for each session if they are known (database sessions and
   * single ones); otherwise once for all sessions of a user, or all that a provider ended.
   */
  sessionEnded(message: SessionEndedMessage): Awaitable<void>
  /** Called after a user was disabled with `auth.users.disable`, before the events of their ended sessions. */
  userDisabled(message: UserAccessMessage): Awaitable<void>
  /** Called after a user was enabled with `auth.users.enable`. */
  userEnabled(message: UserAccessMessage): Awaitable<void>
  /** Called after `auth.users.sendPasswordLink` sent a link. It does not contain the link. */
  passwordLinkSent(message: PasswordLinkMessage): Awaitable<void>
  /** Called after a user's password was set, with the provider `Password`. */
  passwordChanged(message: PasswordChangedMessage): Awaitable<void>
  /** Called at each read of a session. */
  session(message: {
    /** The session, as returned by the `session` callback. */
    session: Session
    /** The claims of the token, with JWT sessions only. */
    token?: JWT
  }): Awaitable<void>
  /** Called after a sign-in, sign-out or update failed or was rejected. */
  failure(message: FailureMessage): Awaitable<void>
  /** Called after a rate limit rejected an attempt. */
  denied(message: DeniedMessage): Awaitable<void>
}

/** A preset of the option `security`. The guide lists the options of each. */
export type SecurityPreset = 'standard' | 'strict'

/**
 * The configuration of `ServerAuth` and `getSession`. It is read once, and never written to. `Fields` are the values of
 * the adapter's own fields of users, and `Shown` are the names of `session.userFields`. `defineAuth` and `initAuth` infer them.
 */
export interface ServerAuthConfig<Fields = unknown, Shown extends string = string> extends FeatureOptions {
  /** The sign-in methods: built-in providers, objects of your own, or functions that return one. */
  providers: Provider[]
  /** The database for users, accounts and sessions. */
  adapter?: Adapter<Fields>
  /**
   * Merges users by an email address that was never verified. By default, the user who verifies such an address gets it, and a user
   * record of their own. With `true` they get the user record with the unverified address and everything attached to it, which may
   * be a stranger's: through an email link, or through a provider that also has `allowDangerousEmailAccountLinking`. For a database
   * whose addresses another system verified. Default `false`.
   */
  allowDangerousUnprovedAddressMerge?: boolean
  /** The path of the endpoints, for URLs outside a request. On Express: the mount path. Default: that of `AUTH_URL`, or `/auth`. */
  basePath?: string
  /** The callbacks: who may sign in, where users go, and the contents of token and session. */
  callbacks?: CallbacksOptions<Fields, Shown>
  /** The names and attributes of cookies. The built-in policy no longer applies to these cookies. */
  cookies?: CookiesOptions
  /** Logs details, without secrets. Ignored if `logger` has its own `debug`. Default `false`. */
  debug?: boolean
  /** The events: functions of the application, for example for audit logs. They are awaited; their errors are only logged. */
  events?: Partial<EventCallbacks<NoInfer<Fields>>>
  /** Switches for features whose interface may still change. */
  experimental?: {
    /** Enables passkey providers, whose interface may change. Required by them. */
    enableWebAuthn?: boolean
  }
  /** The encoding and decoding of JWT sessions. */
  jwt?: Partial<JWTOptions>
  /** The logger. Levels that you omit print to the console. */
  logger?: Partial<LoggerInstance>
  /** The custom pages: paths, and functions for pages whose form contains a sealed value. */
  pages?: CustomPages
  /** URL of the instance that receives the callbacks of providers for this one. Default `AUTH_REDIRECT_PROXY_URL`. */
  redirectProxyUrl?: string
  /**
   * The origins to which the instance of `redirectProxyUrl` forwards providers' responses, such as `https://preview-7.example.com`,
   * or `https://*.preview.example.com` for one level of names. Default: none.
   */
  redirectProxyOrigins?: string[]
  /**
   * The secret: at least 32 random characters (`npx server-auth secret`). The first entry of an array encrypts and all decrypt.
   * Default: `AUTH_SECRET`.
   */
  secret?: string | string[]
  /**
   * The preset that sets the defaults of other options: `strict` has short sessions that can be ended at once, rate limits in every
   * environment, short email links, and a `__Host-` session cookie. Your own options override each of them. Default `standard`.
   */
  security?: SecurityPreset
  /** The storage and lifetime of sessions. */
  session?: SessionOptions<Shown>
  /** Disables the CSRF check. Only the exported symbol `skipCSRFCheck` does. For frameworks with their own check. */
  skipCSRFCheck?: typeof skipCSRFCheck
  /** The languages of the built-in pages and of mails. Default: English. */
  i18n?: I18nOptions
  /**
   * The observer of requests to the routes, of calls such as `signIn` and of token renewals, without users, addresses and URLs:
   * `openTelemetry({ tracer, meter })` of `server-auth/telemetry`. Default: none.
   */
  telemetry?: Telemetry
  /** The name, logo and colours of the built-in pages and of mails. */
  theme?: Theme
  /**
   * The maximum seconds for a call to a provider, an adapter method or `authorize`. Default 10, and 5 for the adapter; a value that
   * you set applies to all.
   */
  timeout?: number
  /**
   * True if the `Host` header may be believed where `AUTH_URL` is not set. Default: in production no, unless a platform sets
   * it; otherwise only for `localhost`, `.localhost`, `.test` and private addresses. `AUTH_TRUST_HOST` in the environment sets it, too.
   */
  trustHost?: boolean
  /**
   * Other origins of the same site whose pages may call the routes, such as `https://app.example.com` beside
   * `https://api.example.com`: exact, without wildcard. Sign-ins may return to them. Default: none.
   */
  trustedOrigins?: readonly string[]
  /** Sets the `Secure` attribute and name prefixes. Default: `true` if the site's URL is https. */
  useSecureCookies?: boolean
}

/** The argument of the `authorized` callback. */
export interface AuthorizedCallbackParams {
  /** The session, or `null` without a signed-in user. */
  auth: Session | null
  /** The request to authorize: its URL, method and headers. */
  request: Request
}

/** The callbacks of {@link FullStackAuthConfig}. */
export interface FullStackCallbacksOptions<Fields = unknown, Shown extends string = never>
  extends CallbacksOptions<Fields, Shown> {
  /**
   * Authorizes requests in a middleware, and around handlers wrapped by `auth`. `true` allows the request, a Response is sent, and
   * any other value redirects to the sign-in page. An error rejects the request.
   */
  authorized?(params: AuthorizedCallbackParams): Awaitable<boolean | Response | undefined>
}

/** The configuration of `initAuth`, in `server-auth/shim`. */
export interface FullStackAuthConfig<Fields = unknown, Shown extends string = string>
  extends ServerAuthConfig<Fields, Shown> {
  /** The path of the endpoints. Default: the path of `AUTH_URL`, or `/api/auth`. */
  basePath?: string
  /** The callbacks: who may sign in, where users go, and the contents of token and session. */
  callbacks?: FullStackCallbacksOptions<Fields, Shown>
}
