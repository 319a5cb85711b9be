/** Providers, resolved. `kind` chooses the flow of each. */

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
  /** Made anew by some providers: read it when it is needed, and keep no copy. */
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
  readonly logout: {
    readonly rpInitiated: 'never' | 'ask' | 'always'
    /** The provider may tell us of sign-outs: from server to server, or by a frame in the browser. */
    readonly backchannel: boolean
    readonly frontchannel: boolean
    /** The tokens of the sign-in are revoked at the sign-out. */
    readonly revokeTokens: boolean
    /** The `end_session_endpoint`, where the developer names it. */
    readonly url?: string
  }
  readonly protocol: ResolvedProtocol
  /** `false`: no refresh token is kept. `minTtl` is seconds. */
  readonly refresh: false | { readonly minTtl: number }
  /** What may be asked for later; absent: whatever the application's code says, and nothing that a browser does. */
  readonly incrementalScopes?: readonly string[]
  /** The profile is read from the id_token; otherwise from the userinfo endpoint. */
  readonly idToken: boolean
  /** Endpoints on loopback may be http: the configured ones are, and this is not production. */
  readonly plainHttp: boolean
  /** Every endpoint may be http: the developer says so. */
  readonly allowInsecure: boolean
  readonly fetch: typeof fetch
  readonly options: Readonly<Record<string, unknown>>
  /** How many factors the provider has proved, by its verified id_token. Absent: one. */
  readonly levelOf?: (claims: Readonly<Record<string, unknown>>) => 1 | 2
  /** Which of the methods that its id_token names count as proved (`trustAmr`). Absent: none. */
  readonly trustsMethod?: (method: string) => boolean
  /** What is asked for where two are wanted. */
  readonly acrValues?: readonly string[]
  /** Link to a user who has the same address, though nobody proved that it is the same person. */
  readonly linkByEmail: boolean
  profile(profile: Profile, tokens: TokenSet): Awaitable<User>
  /** The provider's own word for `email_verified`. */
  readonly emailVerified?: (profile: Profile) => boolean | undefined
  /** What of the token set is stored. */
  account(tokens: TokenSet): Partial<Account>
}

/** A credentials provider, complete. */
export interface ResolvedCredentialsProvider extends ResolvedProviderBase {
  readonly kind: 'credentials'
  readonly type: 'credentials'
  readonly credentials: Readonly<Record<string, CredentialInput>>
  readonly authorize: CredentialsConfig['authorize']
  /** Fields may have any JSON value, where their input does not say otherwise. */
  readonly json: boolean
  /** Fields that say who it is. Attempts are counted by them. */
  readonly identifiers: readonly string[]
  /**
   * These, and all other declared fields that are no secret, such as a tenant: what a browser is known for after a sign-in. `undefined`
   * without declared fields: all that come.
   */
  readonly signInFields: readonly string[] | undefined
  /** Present where the library itself keeps the passwords. `authorize` is not asked then. */
  readonly password?: ResolvedPassword
}

/** What the provider `Password` has beside what each of credentials has. */
export interface ResolvedPassword {
  readonly store: GuardedPasswords
  /** What sends its mails. It may be no provider that anybody signs in by. */
  readonly mailer: ResolvedEmailProvider
  /** Characters. */
  readonly minLength: number
  readonly maxLength: number
  /** The developer's; absent: ours. */
  readonly hash?: PasswordHasher
  readonly imported: readonly ImportedHash[]
  readonly breached: readonly BreachCheck[]
  /** Whether strangers can sign up. */
  readonly signUp: boolean
  readonly changeRevokes: 'others' | 'none'
}

/** A provider of credentials that is `Password`. */
export type PasswordProvider = ResolvedCredentialsProvider & { readonly password: ResolvedPassword }

/** An e-mail provider, complete. */
export interface ResolvedEmailProvider extends ResolvedProviderBase {
  readonly kind: 'email'
  readonly type: 'email'
  /** Seconds a link lives. */
  readonly maxAge: number
  /** The first hashes, all are tried. */
  readonly secrets: readonly [string, ...string[]]
  /** How many mails may be asked for; `undefined` where that is checked elsewhere. */
  readonly limit?: { readonly perAddress: number; readonly perClient: number; readonly window: number }
  /** The provider's object, for its own functions. */
  readonly source: EmailConfig
  /** The developer's, or the global one. */
  readonly fetch: typeof fetch
  generateToken(): Awaitable<string>
  /** Sends mails without a link; `undefined` where only the developer's own function sends. */
  readonly sendNotice?: (notice: EmailNotice) => Awaitable<void>
  /** The developer's rule; `undefined` where ours holds. */
  readonly normalizeIdentifier?: (identifier: string) => string
}

/** A provider of passkeys, complete. */
export interface ResolvedWebAuthnProvider extends ResolvedProviderBase {
  readonly kind: 'webauthn'
  readonly type: WebAuthnProviderType
  readonly relyingParty: { readonly id: string; readonly name: string; isOrigin(origin: string): boolean }
  readonly conditionalUI: boolean
  readonly formFields: Readonly<Record<string, CredentialInput>>
  readonly residentKey: 'required' | 'preferred' | 'discouraged'
  readonly authentication: Required<Pick<PasskeyAuthenticationOptions, 'userVerification'>> &
    PasskeyAuthenticationOptions & { readonly requireUserVerification: boolean }
  readonly registration: PasskeyRegistrationOptions & {
    readonly supportedAlgorithmIDs: readonly number[]
    readonly requireUserVerification: boolean
  }
  /** Milliseconds. */
  readonly timeout: number
  /** The developer's; `undefined` where ours reads the query. */
  readonly getUserInfo?: (request: Request) => Awaitable<PasskeyUserInfo | null>
}

/** A provider, complete. `kind` chooses its flow. */
export type ResolvedProvider =
  | ResolvedOAuthProvider
  | ResolvedCredentialsProvider
  | ResolvedEmailProvider
  | ResolvedWebAuthnProvider

/** The kinds of flows. */
export type FlowKind = ResolvedProvider['kind']

/** The resolved provider of a kind. */
export type Resolved<K extends FlowKind> = Extract<ResolvedProvider, { kind: K }>
