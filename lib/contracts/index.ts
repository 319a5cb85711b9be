/** Nouns of the engine: the resolved configuration, and the interfaces that its rooms meet on. */

import type { Logger } from '../base/logger.js'
import type { SiteMemory } from '../base/memory.js'
import type {
  Connection,
  ProviderLink,
  ProviderLogout,
  ProviderSession,
  ResolvedFeatures,
  Revocations,
  SecurityStamp,
  SecurityStamps,
  TokenHolder,
  UsedTokens,
} from '../features/contracts.js'
import type { CookieJar } from '../http/cookies.js'
import type { AuthRequest, AuthResponse, SafeRedirect } from '../http/message.js'
import type { AuthUrls } from '../http/urls.js'
import type { Principal, Proof, StoredPrincipal } from '../principal/index.js'
import type {
  AccountKey,
  AdapterAccount,
  AdapterAuthenticator,
  AdapterSession,
  AdapterSessionData,
  AdapterSessionLink,
  AdapterUser,
  AuthenticatorUse,
  SessionLinkQuery,
  VerificationToken,
} from '../types/adapter.js'
import type { CallbacksOptions, EventCallbacks, SignOutMessage } from '../types/config.js'
import type { Account, Awaitable, Profile, User } from '../types/identity.js'
import type { JWTOptions } from '../types/jwt.js'
import type { CustomPages } from '../types/pages.js'
import type { Session } from '../types/session.js'
import type { Telemetry } from '../types/telemetry.js'
import type { Theme } from '../types/theme.js'
import type { Beginning, ChangeData, StepUp } from './beginning.js'
import type { CookiePolicy } from './cookies.js'
import type { Languages } from './languages.js'
import type { GrantKey } from './protocol.js'
import type { FlowKind, Resolved, ResolvedProvider } from './providers.js'
import type { IssuedSession, LostSession } from './told-sessions.js'

export type * from '../features/contracts.js'
export type * from './beginning.js'
export type * from './cookies.js'
export type * from './languages.js'
export type * from './protocol.js'
export type * from './providers.js'
export type * from './told-sessions.js'

/** The configuration, resolved once, frozen. Nothing in it depends on a request. */
export interface ResolvedConfig extends ResolvedFeatures {
  /** The first encrypts, all decrypt. */
  readonly secrets: readonly [string, ...string[]]
  /** For URLs outside a request. */
  readonly basePath: string
  /** What `AUTH_URL` says: the site's origin, and its path without trailing slash. */
  readonly site?: { readonly origin: string; readonly path: string }
  /** Which hosts of requests may be believed where `site` is not known (`local`: those of development), and by which rule. */
  readonly trustHost: boolean | 'local'
  readonly trustRule: string
  readonly providers: ReadonlyMap<string, ResolvedProvider>
  readonly session: {
    readonly strategy: 'jwt' | 'database'
    readonly maxAge: number
    readonly updateAge: number
    /** Seconds. Absent: a session in use does not end. */
    readonly absoluteMaxAge?: number
    /** Seconds after which an idle session ends of who wants to be kept signed in. Absent: nobody is asked. */
    readonly rememberMaxAge?: number
    readonly bearer: boolean
    /** Whether sessions have data of the application. */
    readonly data?: boolean
    /** Sessions say from which network they began. */
    readonly network?: boolean
    /** Seconds for which a stored session that was read is remembered. Absent or 0: each read asks the database. */
    readonly cacheFor?: number
    /** The developer's; `undefined` where ours makes them. */
    readonly generateSessionToken?: () => string
    /** Rows whose token was stored as it is in the cookie. `until` is milliseconds since the epoch. */
    readonly legacy?: { readonly cookieName: string; readonly until: number }
    /** What has ended before its time, also in other processes. */
    readonly revocation?: Revocations
    /** The security stamps of users. Absent where no store can hold them. */
    readonly stamps?: SecurityStamps
  }
  /** The logout tokens that were used, where there is a store for it; the process alone knows them otherwise. */
  readonly logoutTokens?: UsedTokens
  /** What the process remembers for this site, whichever configuration object asks. */
  readonly memory: SiteMemory
  /** The adapter, guarded. */
  readonly store?: Store
  /** Who proves an address for the first time comes to the user who only claimed it. */
  readonly mergeUnproved: boolean
  readonly jwt: Omit<JWTOptions, 'legacy'> & {
    /** `until` is milliseconds since the epoch. */
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
  /** Who is told of the engine's work, by `callbacks/index` only. */
  readonly telemetry?: Telemetry
  readonly checkCsrf: boolean
  /** Whether this deployment, as a redirect proxy, sends a provider's answers on to an origin. */
  forwardsTo(origin: string): boolean
  /** Milliseconds a call to a provider, or to code of the developer's that answers a request, may take. */
  readonly timeout: number
  readonly production: boolean
}

/**
 * The adapter behind its guard: a method that fails, hangs or returns nonsense rejects with `AdapterError`, one that the
 * adapter lacks with `MissingAdapterMethods`.
 */
export interface Store {
  readonly can: StoreAbilities
  createUser(user: AdapterUser): Promise<AdapterUser>
  getUser(id: string): Promise<AdapterUser | null>
  getUserByEmail(email: string): Promise<AdapterUser | null>
  getUserByAccount(key: AccountKey): Promise<AdapterUser | null>
  updateUser(user: Partial<AdapterUser> & { id: string }): Promise<AdapterUser>
  linkAccount(account: AdapterAccount): Promise<void>
  unlinkAccount(key: AccountKey): Promise<void>
  getAccount(providerAccountId: string, provider: string): Promise<AdapterAccount | null>
  createSession(session: AdapterSession): Promise<void>
  /** @param remember For {@link Store.remembered}, where `session.cacheFor` says so. */
  getSessionAndUser(sessionToken: string, remember?: boolean): Promise<StoredSession | null>
  /**
   * What was read of a session less than `session.cacheFor` ago and nobody in this process has changed since; a copy of one's own.
   * It may have ended elsewhere: nothing that is written may go by it.
   */
  remembered(sessionToken: string): StoredSession | undefined
  /** `false` when the adapter says that there is no such session. */
  updateSession(session: Partial<AdapterSession> & { sessionToken: string }): Promise<boolean>
  deleteSession(sessionToken: string): Promise<AdapterSession | null>
  createVerificationToken(token: VerificationToken): Promise<void>
  /** Of calls in this process at once for the same token one gets it at the most, whatever the adapter does. */
  useVerificationToken(params: { identifier: string; token: string }): Promise<VerificationToken | null>
  deleteVerificationTokens(identifier: string): Promise<void>
  listAccounts(userId: string): Promise<AdapterAccount[]>
  listSessions(userId: string): Promise<AdapterSession[]>
  /** `false` where the data is not `previous` any more, or the session has ended. */
  writeSessionData(change: AdapterSessionData): Promise<boolean>
  linkSession(link: AdapterSessionLink): Promise<void>
  listSessionLinks(by: SessionLinkQuery): Promise<AdapterSessionLink[]>
  /** Exactly the one with this id. */
  getAuthenticator(credentialID: string): Promise<AdapterAuthenticator | null>
  createAuthenticator(authenticator: AdapterAuthenticator): Promise<void>
  listAuthenticators(userId: string): Promise<AdapterAuthenticator[]>
  updateAuthenticatorCounter(credentialID: string, counter: number, use: AuthenticatorUse): Promise<void>
  renameAuthenticator(credentialID: string, name: string): Promise<void>
  deleteAuthenticator(credentialID: string): Promise<void>
  /** All or nothing where the adapter can; else one after the other. */
  transaction<T>(work: (store: Store) => Promise<T>): Promise<T>
}

/** A session, and whose it is. */
export interface StoredSession {
  readonly session: AdapterSession
  readonly user: AdapterUser
  /** Text of JSON. Absent where `session.data` is off; `null` where nothing was put there. */
  readonly data?: string | null
}

/** What the adapter can do beside what the features in use need. */
export interface StoreAbilities {
  /** Changes take effect together or not at all, and rows can be locked. */
  readonly transact: boolean
  /** An account can be read by its key, to compare what was found with what was asked for. */
  readonly getAccounts: boolean
  readonly listAccounts: boolean
  readonly unlinkAccounts: boolean
  readonly listSessions: boolean
  /** A newer link can end the older ones of its address, for all processes. */
  readonly deleteTokens: boolean
  /** A passkey challenge that was used can be noted for all processes: as a token, which the adapter's `prune` removes. */
  readonly noteChallenges: boolean
  readonly listPasskeys: boolean
  /** Passkeys have a name, and the times of their making and last use. */
  readonly namePasskeys: boolean
  readonly deletePasskeys: boolean
}

/** Work that goes on after the answer is out, such as a mail under way. */
export interface Background {
  /** Takes over a promise. What it rejects with is the caller's to handle. */
  run(work: Promise<unknown>): void
}

/** What an action works with. The provider is an argument of its own. */
export interface AuthContext {
  readonly config: ResolvedConfig
  readonly sessions: SessionStrategy
  readonly request: AuthRequest
  readonly cookies: CookieJar
  readonly cookiePolicy: CookiePolicy
  readonly urls: AuthUrls
  readonly background: Background
  /** The application's own code asks, such as a server action: no form comes with it, and so no token. */
  readonly ownCall?: true
}

/** What sessions are read from and written to: a browser's cookies, and what ours are called. */
export type CookieContext = Pick<AuthContext, 'config' | 'cookies' | 'cookiePolicy'>

/**
 * What stands in the place of a provider's account where the application's own code says who somebody is (`startSession`). It is
 * not stored, and callbacks and events get `null` for it.
 */
export interface OwnAccount {
  readonly type: 'application'
  readonly provider: ''
  /** The id of the user, else the address. */
  readonly providerAccountId: string
  readonly [claim: string]: unknown
}

/** Who signed in, proved by a flow, or by the application's own code. */
export interface Identity {
  readonly user: User
  readonly account: Account | OwnAccount
  readonly profile?: Profile
  readonly credentials?: Record<string, unknown>
  /** By which methods it was proved (RFC 8176 §2), as far as that is known. The session says so. */
  readonly amr: readonly string[]
  /** 2 where this counts for two factors. */
  readonly aal?: 2 | undefined
  /** The methods that a provider reports, and that it is not trusted for. */
  readonly reportedAmr?: readonly string[]
  /** When a provider says that it authenticated the person, in seconds since the epoch by its clock (OpenID Connect Core §2, `auth_time`). */
  readonly authenticatedAt?: number
  /** A mailed link was the proof: a mailed code adds nothing to it. */
  readonly byMail?: boolean
  /** What is known of the address: `true` proved, `false` the provider itself says that it is not, absent nothing. */
  readonly addressProved?: boolean
  /**
   * Credentials that the library keeps itself: they belong to a stored user with either strategy. `user.id` says to whom; without it
   * the address, which has to be proved.
   */
  readonly stored?: true
  /** The stamp of the user, where the flow knew the user before it verified anything. */
  readonly stamp?: SecurityStamp | undefined
  /** What has to be written once it is known whose sign-in it is, and before the session begins. Where it rejects, none begins. */
  settle?(user: AdapterUser): Promise<void>
  /** The session in which the attempt was started (`Principal.key`); absent when nobody was signed in. */
  readonly startedBy?: string
  /** Present where the provider offers to sign the person out there, too. */
  readonly providerSession?: ProviderSession
  /** Present where the provider may tell us of the sign-out there. */
  readonly providerLink?: ProviderLink
  /** The key that the provider's tokens are bound to. */
  readonly tokenKey?: GrantKey | undefined
  /** A passkey that was just made, to be stored with the user. */
  readonly newPasskey?: Omit<AdapterAuthenticator, 'userId' | 'providerAccountId'>
}

/** What a flow comes to: an identity, with where to go afterwards; a response that ends it; or a question. */
export type FlowResult =
  | {
      readonly kind: 'identity'
      readonly identity: Identity
      readonly callbackUrl?: string
      /** Present where nobody signs in: who is signed in has connected the account. */
      readonly connection?: Connection | undefined
    }
  | { readonly kind: 'response'; readonly response: AuthResponse }
  | {
      /** The link is not used yet: a person has to say that they want it. */
      readonly kind: 'confirm'
      readonly address: string
      /** What the form carries. */
      readonly fields: Readonly<Record<string, string>>
      readonly effect: ConfirmEffect
    }
  | ({ readonly kind: 'change-email' } & AddressChange)

/** A change of address that waits for a person's word. */
export interface AddressChange {
  /** The new address. */
  readonly to: string
  /** Present in a session of the user whose address it is; nobody else can say yes, and nobody else sees the old one. */
  readonly ask?: {
    readonly from: string | null
    /** What the form carries. */
    readonly fields: Readonly<Record<string, string>>
  }
}

/**
 * What following a mailed link does: it signs in; it proves the address of who is signed in here; it signs in somebody else
 * than who is; it makes a new user beside who is.
 */
export type ConfirmEffect = 'sign-in' | 'prove' | 'other-user' | 'new-user'

/** How a kind of provider signs a person in. */
export interface Flow<K extends FlowKind> {
  /** `POST signin/:provider`. `callbackUrl` is where the person wants to be afterwards, already allowed. */
  begin(context: AuthContext, provider: Resolved<K>, callbackUrl: SafeRedirect): Promise<AuthResponse>
  /** `GET|POST callback/:provider` */
  finish(context: AuthContext, provider: Resolved<K>): Promise<FlowResult>
  /** Methods that the callback route takes for this provider. */
  callbackMethods(provider: Resolved<K>): ReadonlyArray<'GET' | 'POST'>
  /** Whether a POST to that route comes from a form of ours. A provider's comes from another site, and proves itself. */
  readonly ownForm: boolean
}

/** A person who signed in, as a session begins. */
export interface SignedIn {
  readonly user: User
  readonly account: Account | OwnAccount
  readonly profile?: Profile
  /** Absent where no user is stored. */
  readonly isNewUser?: boolean
  /** Present where the session ends with one at the provider. */
  readonly providerLink?: ProviderLink | undefined
  /** Whose provider tokens the session uses, where no user is stored. */
  readonly tokensOf?: string | undefined
}

/** How a session is read. */
export interface ReadOptions {
  /** A client update: what the client sent. */
  readonly update?: { readonly data: unknown } | undefined
  /** The application's code changes the data of the session. */
  readonly change?: ChangeData | undefined
  /** The stored user has another address since a moment ago: an encrypted token gets it. */
  readonly newEmail?: string
  /** Whether cookies can be written. Where they cannot, nothing is extended. */
  readonly writable: boolean
  /** A session token from an `Authorization` header, looked at where there is no session cookie. */
  readonly bearer?: string | undefined
}

/** What was read of a browser's session. */
export interface SessionReading {
  /** As the `session` callback shows it. */
  readonly session: Session
  /** Whose it is; where no user is stored what `sub` of the token says. Absent where that says nothing. */
  readonly userId?: string | undefined
  /** The principal, without reading again; `null` for a bearer token, and where the session has ended meanwhile. */
  principal(): Promise<Principal | null>
  /** The proofs of the session. */
  readonly proofs: readonly Proof[]
  /** Whose provider tokens and second factors the session uses. Present where the engine knows whose session it is. */
  readonly holder?: TokenHolder | undefined
}

/** A session that was ended by who held it. `sid`: what it is called outside, where it was one. */
export type EndedSession = SignOutMessage & { readonly sid?: string }

/** What goes on when all sessions of a user end: a session, and the sign-in that ends the others. */
export type ExceptSession = Partial<Pick<Principal, 'key' | 'sid'>> & { readonly mark?: string }

/** Where a session lives. */
export interface SessionStrategy {
  /**
   * The session of the browser's cookies, after the callbacks; extends it where due. `null` clears what was invalid. At once
   * where there is nothing to wait for; then it throws at once, too.
   */
  read(context: CookieContext, options: ReadOptions): Awaitable<SessionReading | null>
  /**
   * Begins a session and replaces the one that was there. Nothing is written where it throws.
   *
   * @param began What the session says of itself.
   */
  issue(context: CookieContext, signedIn: SignedIn, began: Beginning): Promise<IssuedSession>
  /** Whose session the browser's cookies hold. Runs no callback and extends nothing. @param store Of a transaction. */
  owner(context: CookieContext, store?: Store): Promise<StoredPrincipal | null>
  /** Whether the session that was read goes on, by what the store says now. @param bearer As in {@link ReadOptions}. */
  isLive(context: CookieContext, bearer?: string): Promise<boolean>
  /**
   * Puts a session in which more was proved into the place of the browser's: another token, begun now, with the same data. `null`
   * where there is none, or it has ended meanwhile.
   *
   * @throws {@link InvalidRequest} where it is not known which of several sessions is this browser's.
   */
  stepUp(context: CookieContext, step: StepUp): Promise<IssuedSession | null>
  /** Ends the session, in the browser and where it is stored. */
  revoke(context: CookieContext): Promise<EndedSession | null>
  /**
   * Ends the sessions that a provider says have ended, in whatever browser. Resolves to what ended: with JWT sessions to one of
   * which nothing is known, since nobody knows which there are.
   */
  endLinked(config: ResolvedConfig, logout: ProviderLogout): Promise<LostSession[]>
  /**
   * Ends all sessions that a user has now, as far as they can be ended: JWT sessions with `session.revocation`, rows where the
   * adapter lists them. Rejects where that fails. Resolves to what ended: with JWT sessions to one of which only the user is known.
   *
   * The security stamp of the user changes, also where sessions cannot be ended.
   *
   * @param except The one that goes on. `mark`: of the sign-in that ends them ({@link SecurityStamp.mark}).
   */
  endAllOf(config: ResolvedConfig, userId: string, except?: ExceptSession): Promise<LostSession[]>
}
