/** The resolved configuration, and the interfaces between the rooms of the engine. */

import type { Logger } from '../base/logger.js'
import type { SiteMemory } from '../base/memory.js'
import type { DescribedFields } from '../base/user-fields.js'
import type {
  Connection,
  ProviderLink,
  ProviderLogout,
  ProviderSession,
  ResolvedFeatures,
  Revocations,
  SecurityStamp,
  SecurityStamps,
  SessionMember,
  TokenHolder,
  UsedTokens,
  WatchedSession,
} from '../features/contracts.js'
import type { ImpersonationMessage } from '../features/impersonation/types.js'
import type { CookieJar } from '../http/cookies.js'
import type { AuthRequest, AuthResponse, SafeRedirect } from '../http/message.js'
import type { AuthUrls } from '../http/urls.js'
import type { Actor, Principal, Proof, StoredPrincipal } from '../principal/index.js'
import type {
  AccountKey,
  AdapterAccount,
  AdapterAuthenticator,
  AdapterSession,
  AdapterSessionData,
  AdapterSessionLink,
  AdapterUser,
  AdapterUserQuery,
  AuthenticatorUse,
  SessionLinkQuery,
  VerificationToken,
} from '../types/adapter.js'
import type { StatedProof } from '../types/calls.js'
import type { CallbacksOptions, EventCallbacks, SignOutMessage } from '../types/config.js'
import type { Account, Awaitable, Profile, User } from '../types/identity.js'
import type { JWTOptions } from '../types/jwt.js'
import type { CustomPages } from '../types/pages.js'
import type { Session } from '../types/session.js'
import type { Telemetry } from '../types/telemetry.js'
import type { Theme } from '../types/theme.js'
import type { CookiePolicy } from './cookies.js'
import type { Languages } from './languages.js'
import type { DpopKey } from './protocol.js'
import type { FlowKind, IdentitySource, ResolvedProvider, ResolvedProviderOf } from './providers.js'
import type { EndedSession, IssuedSession } from './session-events.js'
import type { SessionDataUpdater, SessionMetadata, StepUp } from './session-metadata.js'

export type * from '../features/contracts.js'
export type * from './cookies.js'
export type * from './languages.js'
export type * from './protocol.js'
export type * from './providers.js'
export type * from './session-events.js'
export type * from './session-metadata.js'

/** The configuration, resolved once, frozen. Nothing in it depends on a request. */
export interface ResolvedConfig extends ResolvedFeatures {
  /** The first encrypts, all decrypt. */
  readonly secrets: readonly [string, ...string[]]
  /** The base path, for URLs outside a request. */
  readonly basePath: string
  /** The values of `AUTH_URL`: the site's origin, and its path without trailing slash. */
  readonly site?: {
    readonly origin: string
    readonly path: string
    /** `true` if pages at other hosts redirect to this origin, because a sign-in there could not return. */
    readonly movesPages?: true
  }
  /** The hosts that are trusted if `site` is not set (`local`: those of development), and the rule that decided it. */
  readonly trustHost: boolean | 'local'
  readonly trustRule: string
  /** Other origins of the site, whose pages may call the routes. Absent: none. */
  readonly trustedOrigins?: ReadonlySet<string>
  readonly providers: ReadonlyMap<string, ResolvedProvider>
  readonly session: {
    readonly strategy: 'jwt' | 'database'
    readonly maxAge: number
    readonly updateAge: number
    /** Seconds. Absent: a session in use does not end. */
    readonly absoluteMaxAge?: number
    /**
     * Seconds after which an idle session ends if the user chose to stay signed in. Absent: there is no such choice.
     */
    readonly rememberMaxAge?: number
    readonly bearer: boolean
    /** `true` if sessions have data of the application. */
    readonly data?: boolean
    /** The fields of the stored user that sessions show. Absent: none. */
    readonly userFields?: DescribedFields
    /** `true` if sessions store the network in which they began. */
    readonly network?: boolean
    /** Seconds for which a stored session is cached. Absent or 0: each read queries the database. */
    readonly cacheFor?: number
    /** The developer's function; `undefined` for the built-in one. */
    readonly generateSessionToken?: () => string
    /** The sessions whose token was stored unhashed. `until` is in milliseconds since the epoch. */
    readonly legacy?: { readonly cookieName: string; readonly until: number }
    /** The sessions that ended early, also in other processes. */
    readonly revocation?: Revocations
    /** The security stamps of users. Absent without a store for them. */
    readonly stamps?: SecurityStamps
  }
  /** The store of used logout tokens. Absent: only the process remembers them. */
  readonly logoutTokens?: UsedTokens
  /** The memory of the process for this site, shared by all configuration objects. */
  readonly memory: SiteMemory
  /** The adapter, guarded. */
  readonly store?: AdapterStore
  /** True if the first user to verify an email address joins the user who only claimed it. */
  readonly mergeUnverified: boolean
  readonly jwt: Omit<JWTOptions, 'legacy'> & {
    /** `until` is in milliseconds since the epoch. */
    readonly legacy?: { readonly cookieName: string; readonly until: number }
  }
  readonly cookies: { readonly secure: CookiePolicy; readonly plain: CookiePolicy }
  readonly useSecureCookies?: boolean
  readonly callbacks: Required<CallbacksOptions>
  readonly events: Partial<EventCallbacks>
  readonly pages: Readonly<CustomPages>
  readonly theme: Theme
  /** The languages of pages and mails. */
  readonly languages: Languages
  readonly logger: Logger
  /** The observer of the engine's work, called by `callbacks/index` only. */
  readonly telemetry?: Telemetry
  readonly checkCsrf: boolean
  /** Checks whether this deployment, as a redirect proxy, sends a provider's answers on to an origin. */
  forwardsTo(origin: string): boolean
  /** The maximum milliseconds for a call to a provider, or to the developer's code that answers a request. */
  readonly timeout: number
  readonly production: boolean
}

/**
 * The adapter behind its guard. A method that fails, hangs or returns an invalid value rejects with `AdapterError`, a
 * missing method with `MissingAdapterMethods`.
 */
export interface AdapterStore {
  readonly abilities: AdapterAbilities
  /**
   * Checks the declared fields of users against the database.
   *
   * @throws {@link InvalidConfiguration} With the missing fields and the fix.
   */
  checkUserFields(): Promise<void>
  createUser(user: AdapterUser): Promise<AdapterUser>
  getUser(id: string): Promise<AdapterUser | null>
  getUserByEmail(email: string): Promise<AdapterUser | null>
  getUserByAccount(key: AccountKey): Promise<AdapterUser | null>
  updateUser(user: Partial<AdapterUser> & { id: string }): Promise<AdapterUser>
  deleteUser(id: string): Promise<void>
  listUsers(query: AdapterUserQuery): Promise<AdapterUser[]>
  linkAccount(account: AdapterAccount): Promise<void>
  unlinkAccount(key: AccountKey): Promise<void>
  getAccount(providerAccountId: string, provider: string): Promise<AdapterAccount | null>
  createSession(session: AdapterSession): Promise<void>
  /** @param remember Caches the result for {@link AdapterStore.cachedSession}, with `session.cacheFor`. */
  getSessionAndUser(sessionToken: string, remember?: boolean): Awaitable<StoredSession | null>
  /**
   * Returns a copy of a session that was read less than `session.cacheFor` ago and not changed by this process since.
   * It may have ended elsewhere, so no write may depend on it.
   */
  cachedSession(sessionToken: string): StoredSession | undefined
  /** Returns `false` if the adapter reports that there is no such session. */
  updateSession(session: Partial<AdapterSession> & { sessionToken: string }): Promise<boolean>
  deleteSession(sessionToken: string): Promise<AdapterSession | null>
  createVerificationToken(token: VerificationToken): Promise<void>
  /** Returns the token at most once for concurrent calls in this process, even if the adapter does not. */
  useVerificationToken(params: { identifier: string; token: string }): Promise<VerificationToken | null>
  deleteVerificationTokens(identifier: string): Promise<void>
  listAccounts(userId: string): Promise<AdapterAccount[]>
  listSessions(userId: string): Promise<AdapterSession[]>
  /** Returns those of these sessions that exist. @param sessionTokens At most 500. */
  findSessions(sessionTokens: readonly string[]): Promise<AdapterSession[]>
  /** Returns `false` if the data is no longer `previous`, or the session has ended. */
  writeSessionData(change: AdapterSessionData): Promise<boolean>
  linkSession(link: AdapterSessionLink): Promise<void>
  listSessionLinks(by: SessionLinkQuery): Promise<AdapterSessionLink[]>
  /** Returns the passkey with exactly this id. */
  getAuthenticator(credentialID: string): Promise<AdapterAuthenticator | null>
  createAuthenticator(authenticator: AdapterAuthenticator): Promise<void>
  listAuthenticators(userId: string): Promise<AdapterAuthenticator[]>
  updateAuthenticatorCounter(credentialID: string, counter: number, use: AuthenticatorUse): Promise<void>
  renameAuthenticator(credentialID: string, name: string): Promise<void>
  deleteAuthenticator(credentialID: string): Promise<void>
  /** Runs all or nothing if the adapter can; otherwise one after the other. */
  transaction<T>(work: (store: AdapterStore) => Promise<T>): Promise<T>
}

/** A session and its user. */
export interface StoredSession {
  readonly session: AdapterSession
  readonly user: AdapterUser
  /** JSON text. Absent if `session.data` is off; `null` if there is no data. */
  readonly data?: string | null
}

/** The optional abilities of the adapter. */
export interface AdapterAbilities {
  /** Transactions with row locks are available. */
  readonly transact: boolean
  /** Users can be listed in pages. */
  readonly listUsers: boolean
  /** Accounts can be read by key, to compare the result with the query. */
  readonly getAccounts: boolean
  readonly listAccounts: boolean
  readonly unlinkAccounts: boolean
  readonly listSessions: boolean
  /** Several sessions can be read in one query. */
  readonly findSessions: boolean
  /** A new link can end older ones of its email address, in all processes. */
  readonly deleteTokens: boolean
  /** Used passkey challenges can be stored for all processes: as tokens, which the adapter's `prune` deletes. */
  readonly noteChallenges: boolean
  readonly listPasskeys: boolean
  /** Passkeys have a name, and the times of their creation and last use. */
  readonly namePasskeys: boolean
  readonly deletePasskeys: boolean
}

/** A registry of work that continues after the response was sent, such as the sending of a mail. */
export interface Background {
  /** Keeps a promise until it settles. The caller handles its rejection. */
  run(work: Promise<unknown>): void
}

/** The input of an action. The provider is a separate argument. */
export interface AuthContext {
  readonly config: ResolvedConfig
  readonly sessions: SessionStrategy
  readonly request: AuthRequest
  readonly cookies: CookieJar
  readonly cookiePolicy: CookiePolicy
  readonly urls: AuthUrls
  readonly background: Background
  /** Present for a call by the application's code, such as a server action: there is no form, and so no token. */
  readonly ownCall?: true
}

/** The browser's cookies and their policy, from which sessions are read and to which they are written. */
export type CookieContext = Pick<AuthContext, 'config' | 'cookies' | 'cookiePolicy'>

/**
 * The placeholder for a provider's account if the application's own code identified the user (`startSession`). It is
 * not stored; callbacks and events get `null`.
 */
export interface ApplicationAccount {
  readonly type: 'application'
  readonly provider: ''
  /** The id of the user, or the email address. */
  readonly providerAccountId: string
  readonly [claim: string]: unknown
}

/** A user whose identity was proved by a flow, or by the application's own code. */
export interface Identity extends IdentitySource {
  readonly user: User
  readonly account: Account | ApplicationAccount
  readonly profile?: Profile
  readonly credentials?: Record<string, unknown>
  /** The methods of the proof (RFC 8176 §2), as far as known. The session includes them. */
  readonly amr: readonly string[]
  /** 2 if this counts as two factors. */
  readonly aal?: 2 | undefined
  /** The methods that a provider reports and that are not trusted. */
  readonly reportedAmr?: readonly string[]
  /**
   * The time at which the provider authenticated the user, in seconds since the epoch by its clock (OpenID Connect Core
   * §2, `auth_time`).
   */
  readonly authenticatedAt?: number
  /** The proofs that the application states (`startSession`), instead of `amr`, `aal` and `authenticatedAt`. */
  readonly stated?: readonly StatedProof[] | undefined
  /** `true` if an email link was the proof. An email code then adds nothing. */
  readonly byMail?: boolean
  /**
   * The state of the email address: `true` if verified, `false` if the provider reports it as unverified, absent if not
   * known.
   */
  readonly addressProved?: boolean
  /**
   * Present for credentials that the library stores. They belong to a stored user with both strategies: the one with
   * `user.id`, or the one with the verified email address.
   */
  readonly stored?: true
  /** The stamp of the user, if the flow knew the user before it verified anything. */
  readonly stamp?: SecurityStamp | undefined
  /** Writes once the user of the sign-in is known, before the session begins. If it rejects, no session begins. */
  settle?(user: AdapterUser): Promise<void>
  /** The session in which the attempt was started (`Principal.key`). Absent without a signed-in user. */
  readonly startedBy?: string
  /** Present if the provider offers to sign the user out there, too. */
  readonly providerSession?: ProviderSession
  /** Present if the provider may report sign-outs. */
  readonly providerLink?: ProviderLink
  /** The key to which the provider's tokens are bound. */
  readonly tokenKey?: DpopKey | undefined
  /** A new passkey, to be stored with the user. */
  readonly newPasskey?: Omit<AdapterAuthenticator, 'userId' | 'providerAccountId'>
}

/** The result of a flow: an identity with the URL to go to, a final response, or a question. */
export type FlowResult =
  | {
      readonly kind: 'identity'
      readonly identity: Identity
      readonly callbackUrl?: string
      /** Present if the signed-in user connected the account. No sign-in takes place. */
      readonly connection?: Connection | undefined
    }
  | { readonly kind: 'response'; readonly response: AuthResponse }
  | {
      /** The link is not used yet: the user must confirm it. */
      readonly kind: 'confirm'
      readonly address: string
      /** The hidden fields of the form. */
      readonly fields: Readonly<Record<string, string>>
      readonly effect: ConfirmEffect
    }
  | ({ readonly kind: 'change-email' } & AddressChange)

/** A change of email address that the user must confirm. */
export interface AddressChange {
  /** The new address. */
  readonly to: string
  /** Present in a session of the user with this address. No one else can confirm, or see the old address. */
  readonly ask?: {
    readonly from: string | null
    /** The hidden fields of the form. */
    readonly fields: Readonly<Record<string, string>>
  }
}

/**
 * The effect of opening an email link: it signs in; it verifies the address of the signed-in user; it signs in another
 * user; it creates a user although one is signed in.
 */
export type ConfirmEffect = 'sign-in' | 'prove' | 'other-user' | 'new-user'

/** The sign-in flow of a kind of provider. */
export interface Flow<K extends FlowKind> {
  /** Answers `POST signin/:provider`. `callbackUrl` is the allowed URL for afterwards. */
  start(context: AuthContext, provider: ResolvedProviderOf<K>, callbackUrl: SafeRedirect): Promise<AuthResponse>
  /** Answers `GET|POST callback/:provider`. */
  complete(context: AuthContext, provider: ResolvedProviderOf<K>): Promise<FlowResult>
  /** Returns the methods of the callback route for this provider. */
  callbackMethods(provider: ResolvedProviderOf<K>): ReadonlyArray<'GET' | 'POST'>
  /**
   * `true` if a POST to that route comes from a form of this library. A provider's comes from another site and has its
   * own proof.
   */
  readonly hasOwnForm: boolean
}

/** A completed sign-in, for a new session. */
export interface SignInResult {
  readonly user: User
  readonly account: Account | ApplicationAccount
  readonly profile?: Profile
  /** Absent if no user is stored. */
  readonly isNewUser?: boolean
  /** Present if the session ends with one at the provider. */
  readonly providerLink?: ProviderLink | undefined
  /** The owner of the provider tokens of the session, if no user is stored. */
  readonly tokenOwner?: string | undefined
}

/** The options for reading a session. */
export interface ReadOptions {
  /** The data of an update by the client. */
  readonly update?: { readonly data: unknown } | undefined
  /** The function with which the application's code changes the data of the session. */
  readonly change?: SessionDataUpdater | undefined
  /** The stored user's new email address, for an encrypted token. */
  readonly newEmail?: string
  /** `true` if cookies can be written. Otherwise the session is not extended. */
  readonly writable: boolean
  /** A session token from an `Authorization` header, used if there is no session cookie. */
  readonly bearer?: string | undefined
  /** `true` if the user is read from the database in any case, not from a cache or a token. */
  readonly isFresh?: boolean
}

/** The result of reading a browser's session. */
export interface SessionReading {
  /** The session, as returned by the `session` callback. */
  readonly session: Session
  /** The public id of the session. */
  readonly id: string
  /** The id of the user; if no user is stored, `sub` of the token. Absent if there is none. */
  readonly userId?: string | undefined
  /** Returns the principal without another read; `null` for a bearer token, and if the session has ended meanwhile. */
  principal(): Promise<Principal | null>
  /** The proofs of the session. */
  readonly proofs: readonly Proof[]
  /** The user who uses the session in place of its user. */
  readonly actor?: Actor | undefined
  /** The user of memberships, and the active organization. */
  readonly member: SessionMember
  /**
   * Checks whether the user may have other fields than the session shows, or no longer exists. A read with `isFresh` then
   * shows the new ones.
   */
  haveFieldsChanged(): Promise<boolean>
  /** Returns the facts by which the end of the session is found after the request. */
  watched(): WatchedSession
  /** The owner of the provider tokens and second factors. Present if the engine knows the user. */
  readonly holder?: TokenHolder | undefined
}

/**
 * The sign-out of a browser: its sessions, as they were when it was called. Each function can be called again after it
 * failed.
 */
export interface BrowserSignOut {
  /** The session in use. `sid`: its public id, if there was one. */
  readonly message: SignOutMessage & { readonly sid?: string }
  /** Present if another user used the session in place of its user. */
  readonly impersonation?: Omit<ImpersonationMessage, 'request'> | null | undefined
  /**
   * Returns the users whose other sessions may end: the user of the session in use, or of each session if it is
   * ambiguous which one is this browser's. `undefined` for a session that names no user. Empty if all had ended. The user
   * of an impersonated session is left out, because only that user may end their sessions. Call it before {@link end}.
   */
  owners(): Promise<ReadonlyArray<string | undefined>>
  /** Ends all sessions of the browser where they are stored. */
  end(): Promise<void>
}

/** The exceptions when all sessions of a user end: a session, and the sign-in that ends the others. */
export type ExceptSession = Partial<Pick<Principal, 'key' | 'sid'>> & { readonly mark?: string }

/** The storage of sessions. */
export interface SessionStrategy {
  /**
   * Returns the session of the browser's cookies, after the callbacks, and extends it when due. `null` clears invalid
   * cookies. Returns or throws synchronously if nothing is asynchronous.
   */
  read(context: CookieContext, options: ReadOptions): Awaitable<SessionReading | null>
  /**
   * Creates a session and replaces the previous one. Writes nothing if it throws.
   * @param metadata The metadata of the session.
   */
  issue(context: CookieContext, signedIn: SignInResult, metadata: SessionMetadata): Promise<IssuedSession>
  /**
   * Returns the principal of the browser's session. Calls no callback and extends nothing. @param store Of a
   * transaction.
   */
  principal(context: CookieContext, store?: AdapterStore): Promise<StoredPrincipal | null>
  /**
   * Returns the stored user and the session of a request, in a browser or not. Calls no callback and extends nothing.
   * @param bearer As in {@link ReadOptions}.
   */
  holder(context: CookieContext, bearer: string | undefined): Promise<TokenHolder | null>
  /**
   * Checks in the store whether a session of the request is still valid.
   * @param sid Its public id. If it has ended, another session of the request must not be checked instead.
   * @param bearer As in {@link ReadOptions}.
   */
  isLive(context: CookieContext, sid: string, bearer?: string): Promise<boolean>
  /** Checks in the store whether a session has not ended, by its name ({@link Principal.name}). */
  exists(config: ResolvedConfig, name: string): Promise<boolean>
  /** Ends a session by its name, or does nothing if it has ended. Rejects on failure, and can be called again. */
  endByName(config: ResolvedConfig, name: string): Promise<void>
  /**
   * Replaces the browser's session by one with an additional proof: a new token with the same data. Returns `null` if
   * there is none, or if it has ended meanwhile.
   * @throws {@link InvalidRequest} if it is ambiguous which of several sessions is this browser's.
   */
  stepUp(context: CookieContext, step: StepUp): Promise<IssuedSession | null>
  /**
   * Begins a sign-out: chooses the session in use like {@link read}, and clears the cookie, also if it rejects. Returns
   * `null` without a session cookie.
   */
  signOut(context: CookieContext): Promise<BrowserSignOut | null>
  /**
   * Ends the sessions that a provider reports as ended, in all browsers. Returns the ended sessions; with JWT sessions
   * one without id and user, because they are not known.
   */
  endProviderSessions(config: ResolvedConfig, logout: ProviderLogout): Promise<EndedSession[]>
  /**
   * Ends all current sessions of a user as far as possible: JWT sessions with `session.revocation`, stored ones if the
   * adapter lists them. Rejects on failure. Returns the ended sessions; with JWT sessions one with only the user.
   * The security stamp of the user changes, even if sessions cannot be ended.
   * @param except The session that continues. `mark`: of the sign-in that ends the others ({@link SecurityStamp.mark}).
   */
  endAllSessions(config: ResolvedConfig, userId: string, except?: ExceptSession): Promise<EndedSession[]>
  /**
   * Returns a function that does the same, and can be called again after it failed.
   * @returns With `asOf`, in milliseconds since the epoch, sessions that began later continue.
   */
  prepareEndOfAll(config: ResolvedConfig, userId: string): (asOf?: number) => Promise<EndedSession[]>
}
