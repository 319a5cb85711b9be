/** Nouns of the engine: the resolved configuration, and the interfaces that its rooms meet on. */
import type { CookieJar } from './http/cookies.js'
import type { AuthRequest, AuthResponse, SafeRedirect } from './http/message.js'
import type { AuthUrls } from './http/urls.js'
import type { JWT, JWTOptions } from './jwt.js'
import type { Logger } from './logger.js'
import type {
  ClientOptions,
  CredentialInput,
  CredentialsConfig,
  OAuthProviderButtonStyles,
  TokenEndpoint,
  UserinfoEndpoint,
} from './providers/types.js'
import type {
  Account,
  Awaitable,
  CallbacksOptions,
  CookieOption,
  EventCallbacks,
  PagesOptions,
  Profile,
  Session,
  SignOutMessage,
  Theme,
  TokenSet,
  User,
} from './types.js'

/** Names and attributes of our cookies on one kind of origin. */
export interface CookiePolicy {
  readonly sessionToken: CookieOption
  readonly callbackUrl: CookieOption
  readonly csrfToken: CookieOption
  /** `name` is the beginning of five names; `path` is set to the mount's when the cookie is written. */
  readonly transaction: CookieOption
}

/** What all resolved providers have. */
interface ResolvedProviderBase {
  readonly id: string
  readonly name: string
  readonly style: OAuthProviderButtonStyles
}

/** An OAuth 2.0 or OpenID Connect provider, complete. */
export interface ResolvedOAuthProvider extends ResolvedProviderBase {
  readonly kind: 'oauth'
  readonly type: 'oidc' | 'oauth'
  readonly clientId: string
  readonly clientSecret?: string
  readonly issuer?: string
  readonly wellKnown?: string
  readonly jwksUri?: string
  /** Without a slash at the end. Absent where the provider sends people straight to us. */
  readonly redirectProxyUrl?: string
  readonly authorization: {
    readonly url?: string
    readonly params: Readonly<Record<string, string>>
    readonly allowedParams: ReadonlySet<string>
  }
  readonly token: Omit<TokenEndpoint, 'params'> & { readonly params: Readonly<Record<string, string>> }
  readonly userinfo: Omit<UserinfoEndpoint, 'params'> & { readonly params: Readonly<Record<string, string>> }
  readonly pkce: boolean
  readonly nonce: boolean
  /** The answer comes as a POST from the provider's site. */
  readonly formPost: boolean
  readonly client: ClientOptions
  /** The profile is read from the id_token; otherwise from the userinfo endpoint. */
  readonly idToken: boolean
  /** Endpoints on loopback may be http: the configured ones are, and this is not production. */
  readonly plainHttp: boolean
  /** Every endpoint may be http: the developer says so. */
  readonly allowInsecure: boolean
  readonly fetch: typeof fetch
  readonly options: Readonly<Record<string, unknown>>
  profile(profile: Profile, tokens: TokenSet): Awaitable<User>
}

/** A credentials provider, complete. */
export interface ResolvedCredentialsProvider extends ResolvedProviderBase {
  readonly kind: 'credentials'
  readonly type: 'credentials'
  readonly credentials: Readonly<Record<string, CredentialInput>>
  readonly authorize: CredentialsConfig['authorize']
}

/** A provider, complete. `kind` chooses its flow. */
export type ResolvedProvider = ResolvedOAuthProvider | ResolvedCredentialsProvider

/** The kinds of flows. */
export type FlowKind = ResolvedProvider['kind']

/** The resolved provider of a kind. */
export type Resolved<K extends FlowKind> = Extract<ResolvedProvider, { kind: K }>

/** The configuration, resolved once, frozen. Nothing in it depends on a request. */
export interface ResolvedConfig {
  /** The first encrypts, all decrypt. */
  readonly secrets: readonly [string, ...string[]]
  /** For URLs outside a request. */
  readonly basePath: string
  /** What `AUTH_URL` says: the site's origin, and its path without trailing slash. */
  readonly site?: { readonly origin: string; readonly path: string }
  /** Whether the request's host may be believed where `site` is not known, and by which rule. */
  readonly trustHost: boolean
  readonly trustRule: string
  readonly providers: ReadonlyMap<string, ResolvedProvider>
  readonly session: {
    readonly strategy: 'jwt'
    readonly maxAge: number
    readonly updateAge: number
    /** Seconds. Absent: a session in use does not end. */
    readonly absoluteMaxAge?: number
    readonly bearer: boolean
  }
  readonly jwt: Omit<JWTOptions, 'legacy'> & {
    /** `until` is milliseconds since the epoch. */
    readonly legacy?: { readonly cookieName: string; readonly until: number }
  }
  readonly cookies: { readonly secure: CookiePolicy; readonly plain: CookiePolicy }
  readonly useSecureCookies?: boolean
  readonly callbacks: Required<CallbacksOptions>
  readonly events: Partial<EventCallbacks>
  readonly pages: Partial<PagesOptions>
  readonly theme: Theme
  readonly logger: Logger
  readonly checkCsrf: boolean
  /** Whether this deployment, as a redirect proxy, sends a provider's answers on to an origin. */
  forwardsTo(origin: string): boolean
  /** Milliseconds a call to a provider, or to code of the developer's that answers a request, may take. */
  readonly timeout: number
  readonly production: boolean
}

/** What an action works with. The provider is an argument of its own. */
export interface AuthContext {
  readonly config: ResolvedConfig
  readonly sessions: SessionStrategy
  readonly request: AuthRequest
  readonly cookies: CookieJar
  readonly cookiePolicy: CookiePolicy
  readonly urls: AuthUrls
}

/** Who signed in, proved by a flow. */
export interface Identity {
  readonly user: User
  readonly account: Account
  readonly profile?: Profile
  readonly credentials?: Record<string, unknown>
}

/** What a flow ends in: an identity, with where to go afterwards; or a response that ends the flow. */
export type FlowResult =
  | { readonly kind: 'identity'; readonly identity: Identity; readonly callbackUrl?: string }
  | { readonly kind: 'response'; readonly response: AuthResponse }

/** How a kind of provider signs a person in. */
export interface Flow<K extends FlowKind> {
  /** `POST signin/:provider`. `callbackUrl` is where the person wants to be afterwards, already allowed. */
  begin(context: AuthContext, provider: Resolved<K>, callbackUrl: SafeRedirect): Promise<AuthResponse>
  /** `GET|POST callback/:provider` */
  finish(context: AuthContext, provider: Resolved<K>): Promise<FlowResult>
  /** Methods that the callback route takes for this provider. */
  callbackMethods(provider: Resolved<K>): ReadonlyArray<'GET' | 'POST'>
}

/** A person who signed in, as a session begins. */
export interface SignedIn {
  readonly user: User
  readonly account: Account
  readonly profile?: Profile
  readonly isNewUser?: boolean
}

/** How a session is read. */
export interface ReadOptions {
  /** A client update: what the client sent. */
  readonly update?: { readonly data: unknown }
  /** Whether cookies can be written. Where they cannot, nothing is extended. */
  readonly writable: boolean
  /** A session token from an `Authorization` header, looked at where there is no session cookie. */
  readonly bearer?: string
}

/** Where a session lives. */
export interface SessionStrategy {
  /** The session of the jar's cookies, after the callbacks; extends it where due. `null` clears what was invalid. */
  read(jar: CookieJar, policy: CookiePolicy, options: ReadOptions): Promise<Session | null>
  /** Begins a session and replaces the one that was there. Nothing is written where it throws. */
  issue(jar: CookieJar, policy: CookiePolicy, signedIn: SignedIn): Promise<{ token?: JWT } | null>
  /** Ends the session, in the browser and where it is stored. */
  revoke(jar: CookieJar, policy: CookiePolicy): Promise<SignOutMessage | null>
}
