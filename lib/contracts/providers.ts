/** The resolved providers. `kind` determines the flow of each. */

import type { ConnectionIdentity, ProviderConnection } from '../features/connections/contract.js'
import type { GuardedPasswords } from '../features/passwords/contract.js'
import type { BreachCheck, ImportedHash, PasswordHasher } from '../features/passwords/types.js'
import type { Account, Awaitable, Profile, TokenSet, User } from '../types/identity.js'
import type { PasskeyAuthenticationOptions, PasskeyRegistrationOptions, PasskeyUserInfo } from '../types/passkey.js'
import type {
  ClientOptions,
  CredentialsConfig,
  EmailConfig,
  EmailNotice,
  TokenEndpoint,
  UserinfoEndpoint,
} from '../types/provider.js'
import type { WebAuthnProviderType } from '../types/provider-ids.js'
import type { CredentialInput, OAuthProviderButtonStyles } from '../types/provider-parts.js'
import type { ResolvedProtocol } from './protocol.js'

/** The members of all resolved providers. */
interface ResolvedProviderBase {
  readonly id: string
  readonly name: string
  readonly style: OAuthProviderButtonStyles
}

/** A resolved OAuth 2.0 or OpenID Connect provider. */
export interface ResolvedOAuthProvider extends ResolvedProviderBase {
  readonly kind: 'oauth'
  readonly type: 'oidc' | 'oauth'
  readonly clientId: string
  /** The client secret. Some providers generate it: read it when it is needed, and do not keep a copy. */
  readonly clientSecret?: string
  readonly issuer?: string
  /** Present if it is the provider of a connection, and not one of the configuration. */
  readonly connection?: ProviderConnection
  readonly wellKnown?: string
  readonly jwksUri?: string
  /**
   * The URL of the redirect proxy, without a trailing slash. Absent if the provider redirects directly to this
   * instance.
   */
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
  /** `true` if the response is a POST from the provider's site. */
  readonly formPost: boolean
  readonly client: ClientOptions
  readonly logout: {
    readonly rpInitiated: 'never' | 'ask' | 'always'
    /**
     * `true` if the provider may report sign-outs: from server to server (`backchannel`), or by a frame in the browser
     * (`frontchannel`).
     */
    readonly backchannel: boolean
    readonly frontchannel: boolean
    /** `true` if a sign-out revokes the tokens of the sign-in. */
    readonly revokeTokens: boolean
    /** The `end_session_endpoint`, if the developer sets it. */
    readonly url?: string
  }
  readonly protocol: ResolvedProtocol
  /** The renewal of tokens. `false`: no refresh token is stored. `minTtl` is in seconds. */
  readonly refresh: false | { readonly minTtl: number }
  /** The scopes that can be requested later. Absent: any for the application's code, and none for a browser. */
  readonly incrementalScopes?: readonly string[]
  /** `true` if the profile is read from the id_token; otherwise from the userinfo endpoint. */
  readonly idToken: boolean
  /** `true` if endpoints on loopback may use http: the configured ones do, and this is not production. */
  readonly plainHttp: boolean
  /** `true` if every endpoint may use http (`allowInsecureIssuer`). */
  readonly allowInsecure: boolean
  readonly fetch: typeof fetch
  readonly options: Readonly<Record<string, unknown>>
  /** Returns the number of factors that the provider verified, from its verified id_token. Absent: one. */
  readonly levelOf?: (claims: Readonly<Record<string, unknown>>) => 1 | 2
  /** Checks whether a method from the id_token is accepted as a proof (`trustAmr`). Absent: none is. */
  readonly trustsMethod?: (method: string) => boolean
  /** The `acr_values` to request if two factors are required. */
  readonly acrValues?: readonly string[]
  /** `true` to link to a user with the same email address, although it may be another user. */
  readonly linkByEmail: boolean
  profile(profile: Profile, tokens: TokenSet): Awaitable<User>
  /** Checks whether the profile's email address is verified, in the provider's own way. */
  readonly emailVerified?: (profile: Profile) => boolean | undefined
  /** Returns the part of the token set that is stored. */
  account(tokens: TokenSet): Partial<Account>
}

/** The provider that proved an identity. */
export interface IdentitySource {
  /** Present if it is one of OAuth 2.0 or OpenID Connect. */
  readonly source?: ResolvedOAuthProvider
  /** Present if it is that of a connection, once its email address was judged. */
  readonly via?: ConnectionIdentity
}

/** A resolved credentials provider. */
export interface ResolvedCredentialsProvider extends ResolvedProviderBase {
  readonly kind: 'credentials'
  readonly type: 'credentials'
  readonly credentials: Readonly<Record<string, CredentialInput>>
  readonly authorize: CredentialsConfig['authorize']
  /** `false` if `authorize` certainly cannot read its second argument. No `Request` is created then. */
  readonly readsRequest: boolean
  /** `true` if fields may have any JSON value, unless their input has its own `json`. */
  readonly json: boolean
  /** The fields that identify the user. Attempts are counted by them. */
  readonly identifiers: readonly string[]
  /**
   * The identifiers and all other declared fields that are not secret, such as a tenant. A browser is known by their
   * values after a sign-in. `undefined` without declared fields: all that are sent.
   */
  readonly signInFields: readonly string[] | undefined
  /** The options of stored passwords, if the library stores them. `authorize` is then not called. */
  readonly password?: ResolvedPassword
}

/** The options of the provider `Password`, in addition to those of all credentials providers. */
export interface ResolvedPassword {
  readonly store: GuardedPasswords
  /** The provider that sends its mails. It may not be a sign-in method. */
  readonly mailer: ResolvedEmailProvider
  /** The minimum number of characters. */
  readonly minLength: number
  readonly maxLength: number
  /** The developer's hasher. Absent: the built-in one. */
  readonly hash?: PasswordHasher
  readonly importedHashes: readonly ImportedHash[]
  readonly breachChecks: readonly BreachCheck[]
  /** `true` if visitors can sign up. */
  readonly signUp: boolean
  readonly changeRevokes: 'others' | 'none'
}

/** A credentials provider that is `Password`. */
export type PasswordProvider = ResolvedCredentialsProvider & { readonly password: ResolvedPassword }

/** A resolved email provider. */
export interface ResolvedEmailProvider extends ResolvedProviderBase {
  readonly kind: 'email'
  readonly type: 'email'
  /** The lifetime of a link in seconds. */
  readonly maxAge: number
  /** The secrets. The first hashes, all are tried. */
  readonly secrets: readonly [string, ...string[]]
  /** The maximum number of mails; `undefined` if that is checked elsewhere. */
  readonly limit?: { readonly perAddress: number; readonly perClient: number; readonly window: number }
  /** The provider's object, for its own functions. */
  readonly config: EmailConfig
  /** The developer's `fetch`, or the global one. */
  readonly fetch: typeof fetch
  generateToken(): Awaitable<string>
  /** Sends mails without a link; `undefined` if only the developer's function sends mails. */
  readonly sendNotice?: (notice: EmailNotice) => Awaitable<void>
  /** Normalizes an email address, by the developer's rule; `undefined` for the built-in rule. */
  readonly normalizeIdentifier?: (identifier: string) => string
}

/** A resolved passkey provider. */
export interface ResolvedWebAuthnProvider extends ResolvedProviderBase {
  readonly kind: 'webauthn'
  readonly type: WebAuthnProviderType
  readonly relyingParty: { readonly id: string; readonly name: string; isOrigin(origin: string): boolean }
  readonly conditionalUI: boolean
  readonly offersAfterPassword: boolean
  readonly formFields: Readonly<Record<string, CredentialInput>>
  readonly residentKey: 'required' | 'preferred' | 'discouraged'
  readonly authentication: Required<Pick<PasskeyAuthenticationOptions, 'userVerification'>> &
    PasskeyAuthenticationOptions & { readonly requireUserVerification: boolean }
  readonly registration: PasskeyRegistrationOptions & {
    readonly supportedAlgorithmIDs: readonly number[]
    readonly requireUserVerification: boolean
  }
  /** The timeout in milliseconds. */
  readonly timeout: number
  /** Returns the visitor, by the developer's function; `undefined` if the query is read. */
  readonly getUserInfo?: (request: Request) => Awaitable<PasskeyUserInfo | null>
}

/** A resolved provider. `kind` determines its flow. */
export type ResolvedProvider =
  | ResolvedOAuthProvider
  | ResolvedCredentialsProvider
  | ResolvedEmailProvider
  | ResolvedWebAuthnProvider

/** The kinds of flows. */
export type FlowKind = ResolvedProvider['kind']

/** The resolved provider of a kind. */
export type ResolvedProviderOf<K extends FlowKind> = Extract<ResolvedProvider, { kind: K }>
