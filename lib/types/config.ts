/**
 * The nouns of the public interface. No logic lives here.
 *
 * Every interface is open to module augmentation:
 *
 * ```ts
 * declare module 'server-auth' {
 *   interface Session { role?: string }
 * }
 * ```
 */

import type { AuthError, ErrorType } from '../errors.js'
import type { FeatureOptions } from '../features/described.js'
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
import type { DefaultSession, Session, SessionOptions } from './session.js'
import type { skipCSRFCheck } from './symbols.js'
import type { Telemetry } from './telemetry.js'
import type { Theme } from './theme.js'

export type { FactorMessage } from '../features/factors/types.js'
export type { RequestInfo } from './request-info.js'

/** What the `signIn` callback gets. */
export interface SignInCallbackParams {
  /**
   * Who wants to sign in: the stored user at whom the sign-in would end, linking included; else, and always with credentials,
   * what the provider's `profile` or `authorize` returned.
   */
  user: User | AdapterUser
  /** `null` for `startSession`: your own code says who it is. */
  account: Account | null
  /** What the provider told, for OAuth and OpenID Connect. */
  profile?: Profile
  /** For the e-mail provider: `verificationRequest` is true when the link is asked for, absent when it is followed. */
  email?: {
    /** `true` when the link is asked for, absent when it is followed. */
    verificationRequest?: boolean
  }
  /** For credentials: what the person typed. */
  credentials?: Record<string, unknown>
}

/** What the `redirect` callback gets. */
export interface RedirectCallbackParams {
  /** What the client sent, often a path: `new URL(url, baseUrl)`. Not validated yet. */
  url: string
  /** The origin of the site. */
  baseUrl: string
}

/** What the `jwt` callback gets: at sign-in (`signIn`, `signUp`), at a client update (`update`), or at a plain read. */
export type JwtCallbackParams =
  | {
      /**
       * Why the callback runs: a sign-in (`signIn`, or `signUp` for a new user), a client's `update`, or, where it is
       * absent, a plain read.
       */
      trigger: 'signIn' | 'signUp'
      /** Holds `name`, `email`, `picture` and `sub` only. */
      token: JWT
      /** The person, at a sign-in only: the stored user with an adapter, else what `profile` or `authorize` returned. */
      user: User | AdapterUser
      /** `null` for `startSession`. */
      account: Account | null
      /** What the provider told, at a sign-in with OAuth or OpenID Connect only. */
      profile?: Profile
      /** @deprecated Use `trigger === 'signUp'`. */
      /** Whether the sign-in made a new user. Absent where nobody signs in. */
      isNewUser?: boolean
      /** What the client sent with `update`. Absent otherwise. */
      session?: undefined
    }
  | {
      /**
       * Why the callback runs: a sign-in (`signIn`, or `signUp` for a new user), a client's `update`, or, where it is
       * absent, a plain read.
       */
      trigger: 'update'
      /** The claims so far. What the callback returns takes their place. */
      token: JWT
      /** What the client sent. Validate it before you copy anything into the token. */
      session: unknown
      /** The person, at a sign-in only: the stored user with an adapter, else what `profile` or `authorize` returned. */
      user?: undefined
      /** The provider's account with its tokens, at a sign-in only. `null` for `startSession`. */
      account?: undefined
      /** What the provider told, at a sign-in with OAuth or OpenID Connect only. */
      profile?: undefined
      /** Whether the sign-in made a new user. Absent where nobody signs in. */
      isNewUser?: undefined
    }
  | {
      /**
       * Why the callback runs: a sign-in (`signIn`, or `signUp` for a new user), a client's `update`, or, where it is
       * absent, a plain read.
       */
      trigger?: undefined
      /** The claims so far. What the callback returns takes their place. */
      token: JWT
      /** The person, at a sign-in only: the stored user with an adapter, else what `profile` or `authorize` returned. */
      user?: undefined
      /** The provider's account with its tokens, at a sign-in only. `null` for `startSession`. */
      account?: undefined
      /** What the provider told, at a sign-in with OAuth or OpenID Connect only. */
      profile?: undefined
      /** Whether the sign-in made a new user. Absent where nobody signs in. */
      isNewUser?: undefined
      /** What the client sent with `update`. Absent otherwise. */
      session?: undefined
    }

/** When and how the person of a session was authenticated. Nobody but the engine writes it. */
export interface Authentication {
  /**
   * The latest time at which the user was authenticated, in seconds since the epoch (OpenID Connect Core §2). Absent where it is not
   * known, as in a session that was taken over from another library.
   */
  auth_time?: number
  /**
   * By which methods (RFC 8176 §2): `pwd` credentials, `otp` a mailed link or code, `hwk` or `swk` a passkey, with `user` and, where
   * it asked for a PIN or a finger, `mfa`. The methods that a provider reports are here only where `trustAcr` or `trustAmr` of the
   * provider accepts them. Absent where nothing is known.
   */
  amr?: readonly string[]
  /** The methods that a provider reports in its id_token, and that the configuration does not trust. Absent where there are none. */
  reported_amr?: readonly string[]
  /**
   * The authenticator assurance level (NIST SP 800-63B): 2 where two factors were proved in this session, or a passkey that asked for
   * a PIN or a finger, or where the provider did that (`trustAcr`); else 1.
   */
  aal?: 1 | 2
}

/** What the `session` callback gets: `token` with JWT sessions, `user` with database sessions. */
export type SessionCallbackParams = (
  | {
      /** The claims of the token, with JWT sessions only. It holds what the client must not see. */
      token: JWT
      /** The stored user, with database sessions only. It holds what the client must not see. */
      user?: undefined
    }
  | {
      /** The stored user, with database sessions only. It holds what the client must not see. */
      user: AdapterUser
      /** The claims of the token, with JWT sessions only. It holds what the client must not see. */
      token?: undefined
    }
) & {
  /** The session so far: change it, or return another one. */
  session: Session
  /** The same with both strategies. Copy into the session what your application asks for. */
  authentication: Authentication
  /** On a client update: what the client sent. Validate it. */
  newSession?: unknown
  /** `update` on a client's update, absent at a plain read. */
  trigger?: 'update'
}

/** Functions of yours that run at fixed points of a sign-in and of a session's life. */
export interface CallbacksOptions {
  /** Decides whether a person may sign in. `false` or a throw refuses; a string redirects there. */
  signIn?(params: SignInCallbackParams): Awaitable<boolean | string>
  /** Decides where a client may be sent after sign-in and sign-out. By default only the site's own origin. */
  redirect?(params: RedirectCallbackParams): Awaitable<string>
  /** Decides what the token holds. Runs at sign-in and at each read; `null` ends the session. */
  jwt?(params: JwtCallbackParams): Awaitable<JWT | null>
  /** Decides what of the session the client sees. Runs at each read. */
  session?(params: SessionCallbackParams): Awaitable<Session | DefaultSession>
}

/** What the `signOut` event gets: the token (JWT sessions) or the ended session (database sessions). */
export type SignOutMessage =
  | {
      /** The claims of the token that the browser held, with JWT sessions only. `null` where it held none that is valid. */
      token: JWT | null
      /** The row that was deleted, with database sessions only. Empty where there was none, or the adapter does not return it. */
      session?: undefined
    }
  | {
      /** The row that was deleted, with database sessions only. Empty where there was none, or the adapter does not return it. */
      session: AdapterSession | null | undefined | void
      /** The claims of the token that the browser held, with JWT sessions only. `null` where it held none that is valid. */
      token?: undefined
    }

/** Which session it was, and where the request came from. */
export interface SessionFacts {
  /**
   * Names the session, from its beginning to its end: `id` in `auth.account.get().sessions` where sessions are listed. It is no secret, and
   * opens nothing. Absent where there was none.
   */
  sid?: string
  /** Address and browser of the request. */
  request: RequestInfo
}

/** What the `signIn` event gets. */
export interface SignInMessage extends SessionFacts {
  /** Who signed in: the stored user with an adapter. */
  user: User
  /** `null` for `startSession`. */
  account: Account | null
  /** For the first time, with an adapter. */
  isNewUser?: boolean
  /** What the provider told, for OAuth and OpenID Connect. */
  profile?: Profile
}

/** What the `unlinkAccount` event gets. `sid`: the session in which the person did it. */
export interface UnlinkAccountMessage extends SessionFacts {
  /** Whose account it was. */
  user: AdapterUser
  /** What they can no longer sign in with. */
  account: AccountKey
}

/** What the `passkeyRemoved` event gets. `sid`: the session in which the person did it. */
export interface PasskeyRemovedMessage extends SessionFacts {
  /** Whose passkey it was. */
  user: AdapterUser
  /** `id` in `auth.account.get().passkeys`. */
  credentialID: string
}

/**
 * What ended a session: the function of this name; `provider`: a provider said that the person signed out there; `replaced`:
 * somebody signed in in the same browser; `steppedUp`: one in which more was proved took its place; `addressProved`: somebody else
 * proved the address that the user had only claimed; `passwordChanged`: the user has another password.
 */
export type SessionEndReason =
  | 'endSession'
  | 'endOtherSessions'
  | 'endSessionsOf'
  | 'disableUser'
  | 'provider'
  | 'replaced'
  | 'steppedUp'
  | 'resetFactors'
  | 'addressProved'
  | 'passwordChanged'

/** What the `sessionEnded` event gets. */
export interface SessionEndedMessage {
  /** What ended it. */
  reason: SessionEndReason
  /** That of the session's `signIn` event. Absent where the event stands for all that there were: nobody knows which. */
  sid?: string
  /** Whose session it was. Absent where nobody knows: JWT sessions that a provider ended. */
  userId?: string
  /** The id of the provider, for the reason `provider`. */
  provider?: string
  /** The `sid` of the session in which it was done; for `replaced` that of the new one. Absent where there was none. */
  endedBy?: string
  /** The id of the user of that session, where `auth.sessions.endAll` or `auth.users.disable` was called in it. */
  by?: string
  /** Of who did it. Absent where it was done without a request. */
  request?: RequestInfo
}

/** What the `userDisabled` and `userEnabled` events get. */
export interface UserAccessMessage {
  /** Who is kept out, or let in again. Nobody has looked whether there is such a user. */
  userId: string
  /** The id of the user who did it. Absent where it was done without a request, or by nobody who is signed in. */
  by?: string
  /** The `sid` of the session in which they did it. */
  sid?: string
  /** Address and browser of that request. */
  request?: RequestInfo
}

/** What the `failure` event gets. It holds nothing that a person typed. */
export interface FailureMessage {
  /** The error's `type`. */
  type: ErrorType
  /** The error as it is logged. */
  error: AuthError
  /** The route: `callback`, `signin` … */
  action: string
  /** The id of the provider, where the path names one of the configuration. */
  provider?: string
  /** Address and browser of the request. */
  request: RequestInfo
}

/** Functions of yours that are told what happened, for audit logs. They are awaited; what they throw is only logged. */
export interface EventCallbacks {
  /** Somebody signed in. `isNewUser`: for the first time, with an adapter. `account`: `null` for `startSession`. */
  signIn(message: SignInMessage): Awaitable<void>
  /** Somebody signed out, in the browser that held the session. */
  signOut(message: SignOutMessage & SessionFacts): Awaitable<void>
  /** A user was stored, by a first sign-in. */
  createUser(message: {
    /** The user as the adapter stored them. */
    user: User
  }): Awaitable<void>
  /**
   * A user's address was proved, or lost. `lostAddress`: the user never proved it, and somebody else did; the address
   * is `null` now. `firstProof`: with `allowDangerousUnprovedAddressMerge`, by somebody who was not signed in as that user: a
   * password that you keep for the user may be a stranger's. `previousEmail`: they changed their address, from this one.
   */
  updateUser(message: {
    /** The user as they are now. */
    user: User
    /** The address was proved for the first time, by somebody who was not signed in as that user. */
    firstProof?: boolean
    /** Somebody else proved the address: this user has none now. */
    lostAddress?: boolean
    /** The address before the change. */
    previousEmail?: string
  }): Awaitable<void>
  /** A provider's account was stored with a user, at the first sign-in by it. */
  linkAccount(message: {
    /** The user who has the account now. */
    user: User | AdapterUser
    /** The account, with the tokens that came. */
    account: Account
    /** What the provider told, as the `profile` function returned it. */
    profile: User | AdapterUser
  }): Awaitable<void>
  /** Ours: a person unlinked an account, by `auth.account.unlink`. */
  unlinkAccount(message: UnlinkAccountMessage): Awaitable<void>
  /** Ours: a person removed a passkey, by `auth.account.removePasskey`. */
  passkeyRemoved(message: PasskeyRemovedMessage): Awaitable<void>
  /** Ours: a person has a second factor, or new recovery codes. */
  factorAdded(message: FactorMessage): Awaitable<void>
  /** Ours: a second factor is gone. */
  factorRemoved(message: FactorMessage): Awaitable<void>
  /**
   * Ours: a session ended otherwise than by its own sign-out. Told once for each session where it is known which they are: of the
   * database, and single ones; else once for all that a user has, or that a provider ended.
   */
  sessionEnded(message: SessionEndedMessage): Awaitable<void>
  /** Ours: a user is kept out from now on, by `auth.users.disable`. Told before the ends of their sessions. */
  userDisabled(message: UserAccessMessage): Awaitable<void>
  /** Ours: a user may sign in again, by `auth.users.enable`. */
  userEnabled(message: UserAccessMessage): Awaitable<void>
  /** Ours: the password of a user was set, with the provider `Password`. */
  passwordChanged(message: PasswordChangedMessage): Awaitable<void>
  /** A session was read: often. */
  session(message: {
    /** The session as the `session` callback returned it. */
    session: Session
    /** The claims of the token, with JWT sessions only. */
    token?: JWT
  }): Awaitable<void>
  /** Ours: a sign-in, sign-out or update failed, or was refused. */
  failure(message: FailureMessage): Awaitable<void>
  /** Ours: a rate limit refused an attempt. */
  denied(message: DeniedMessage): Awaitable<void>
}

/** A preset of the option `security`. The guide has a table of what each sets. */
export type SecurityPreset = 'standard' | 'strict'

/** The configuration of `ServerAuth` and `getSession`. It is read once, and never written to. */
export interface ServerAuthConfig extends FeatureOptions {
  /** Ways to sign in: built-in providers, objects of your own, or functions that return one. */
  providers: Provider[]
  /** Keeps users, accounts and sessions in a database. */
  adapter?: Adapter
  /**
   * An address that nobody proved is a claim: whoever proves it gets it, and a user of their own. `true`: who proves it comes
   * to the user who claimed it, with all that was attached before, which may be a stranger's: by a mailed link; a provider's
   * proof needs `allowDangerousEmailAccountLinking` as well. For taking over a database whose addresses were proved
   * elsewhere. Default `false`.
   */
  allowDangerousUnprovedAddressMerge?: boolean
  /**
   * Path of the endpoints for URLs that are built outside a request. Under Express the mount decides.
   * Default: the path of `AUTH_URL`, else `/auth`.
   */
  basePath?: string
  /** Functions of yours that decide: who may sign in, where to go, what token and session hold. */
  callbacks?: CallbacksOptions
  /** Names and attributes of cookies. Using it opts out of the built-in policy for the cookies you name. */
  cookies?: CookiesOptions
  /** Log what happens, without secrets. Ignored when `logger` has a `debug` of its own. Default `false`. */
  debug?: boolean
  /** Functions of yours that are told what happened, for audit logs. They are awaited; what they throw is only logged. */
  events?: Partial<EventCallbacks>
  /** Switches for features whose interface may still change. */
  experimental?: {
    /** Required by providers of passkeys: says that you know that their interface may change. */
    enableWebAuthn?: boolean
  }
  /** How the tokens of JWT sessions are made and read. */
  jwt?: Partial<JWTOptions>
  /** Where messages go, level by level. Levels that you leave out print to the console. */
  logger?: Partial<LoggerInstance>
  /** Custom pages that replace the built-in ones: paths, and functions for pages whose form carries a sealed value. */
  pages?: CustomPages
  /** URL of the instance that receives the callbacks of providers for this one. Default `AUTH_REDIRECT_PROXY_URL`. */
  redirectProxyUrl?: string
  /**
   * For the instance that `redirectProxyUrl` names: the origins it sends providers' answers on to, such as
   * `https://preview-7.example.com`, or `https://*.preview.example.com` for one level of names. Default: none.
   */
  redirectProxyOrigins?: string[]
  /**
   * At least 32 random characters (`npx server-auth secret`). With an array the first entry encrypts and all decrypt.
   * Default: `AUTH_SECRET`.
   */
  secret?: string | string[]
  /**
   * The preset that sets the defaults of other options: `strict` has short sessions that can be ended at once, rate limits in every environment,
   * short email links, and a `__Host-` session cookie. Your own options override each of them. Default `standard`.
   */
  security?: SecurityPreset
  /** Where sessions are kept, and for how long. */
  session?: SessionOptions
  /** Only the exported symbol `skipCSRFCheck` turns the check off. For frameworks that have one of their own. */
  skipCSRFCheck?: typeof skipCSRFCheck
  /** Languages of the built-in pages and of mails. Default: English. */
  i18n?: I18nOptions
  /**
   * Is told of each request to our routes, of calls such as `signIn` and of renewed tokens, without a user, an address or a URL:
   * `openTelemetry({ tracer, meter })` of `server-auth/telemetry`. Default: nobody is told.
   */
  telemetry?: Telemetry
  /** Name, logo and colours of the built-in pages and of mails. */
  theme?: Theme
  /**
   * Seconds a call to a provider, a method of the adapter or your `authorize` may take. Default 10, and 5 for the adapter;
   * what you set holds for all.
   */
  timeout?: number
  /**
   * Whether the `Host` header may be believed where `AUTH_URL` is not set. Default: in production no, unless a platform sets
   * it; else only for `localhost`, `.localhost`, `.test` and private addresses. `AUTH_TRUST_HOST` in the environment sets it, too.
   */
  trustHost?: boolean
  /** Default: true when the site's URL is https. */
  useSecureCookies?: boolean
}

/** What the `authorized` callback gets. */
export interface AuthorizedCallbackParams {
  /** `null`: nobody is signed in. */
  auth: Session | null
  /** The request that wants to pass: its URL, method and headers. */
  request: Request
}

/** The callbacks of {@link FullStackAuthConfig}. */
export interface FullStackCallbacksOptions extends CallbacksOptions {
  /**
   * Decides in a middleware, and around handlers wrapped by `auth`, who may go on: `true` lets the request through, a Response
   * is the answer, and anything else sends to the sign-in page. A throw lets nobody through.
   */
  authorized?(params: AuthorizedCallbackParams): Awaitable<boolean | Response | undefined>
}

/** The configuration of `initAuth`, in `server-auth/shim`. */
export interface FullStackAuthConfig extends ServerAuthConfig {
  /** Path of the endpoints. Default: the path of `AUTH_URL`, else `/api/auth`. */
  basePath?: string
  /** Functions of yours that decide: who may sign in, where to go, what token and session hold. */
  callbacks?: FullStackCallbacksOptions
}
