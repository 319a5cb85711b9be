/** What a provider is (`spec.md`, "Provider configuration"). Providers are plain objects; the engine never asks for an id. */
import type { webcrypto } from 'node:crypto'
import type { customFetch } from '../symbols.js'
import type { Account, Awaitable, Profile, Theme, TokenSet, User } from '../types.js'
import type { OAuthProviderType } from './ids.js'

export type { OAuthProviderType } from './ids.js'

/** Providers that sign in through our own forms and redirects. */
export type RedirectableProviderType = 'email' | 'credentials'

/** Providers of passkeys. */
export type WebAuthnProviderType = 'webauthn' | 'passkey'

/** The kinds of providers. */
export type ProviderType = 'oidc' | 'oauth' | 'email' | 'credentials' | WebAuthnProviderType

/** Ids of the built-in providers. */
export type BuiltInProviderType = RedirectableProviderType | OAuthProviderType | WebAuthnProviderType

/** What all providers have. */
export interface CommonProviderOptions {
  /** Unique in `providers`; part of the URLs. */
  id: string
  /** Shown on the sign-in page. */
  name: string
  type: ProviderType
}

/** What `GET /auth/providers` tells of a provider. */
export interface AppProvider extends CommonProviderOptions {
  /** Absolute URL that receives the provider's answer. */
  callbackUrl: string
  /** Absolute URL that starts the sign-in. */
  signinUrl: string
}

/** Look of the provider's button on the sign-in page. */
export interface OAuthProviderButtonStyles {
  /** URL of a logo. */
  logo?: string
  /** Ours: the mark, as data of an SVG path in a square of 24; drawn in one colour on `brandColor`. */
  mark?: string
  /** Colour, as `#rgb` or `#rrggbb`. */
  brandColor?: string
  /** @deprecated Use `brandColor`. */
  bg?: string
  /** @deprecated The text colour is chosen for contrast. */
  text?: string
}

/**
 * Parameters of an endpoint's URL. `claims` may be an object: it is sent as JSON (OpenID Connect Core §5.5). Ours: a function
 * is called with `{ clientId }` at construction, for a provider that has a name of its own for the client's id.
 */
export type EndpointParams = Record<string, unknown>

/** What a hook of a provider gets: the resolved provider, and the engine's `fetch` with time-out and size cap. */
export interface ProviderHookContext {
  readonly provider: {
    readonly id: string
    readonly clientId: string
    readonly clientSecret?: string
    readonly issuer?: string
    readonly options: Readonly<Record<string, unknown>>
  }
  /** Calls the provider: time-out and size cap of the engine, no redirects followed. */
  readonly fetch: typeof fetch
}

/** The authorization endpoint (RFC 6749 §3.1). */
export interface AuthorizationEndpoint {
  url?: string
  params?: EndpointParams
  /** Parameters that a browser may add to the request by the query of `POST /auth/signin/<id>`. */
  allowedParams?: readonly string[]
}

/** The token endpoint (RFC 6749 §3.2). */
export interface TokenEndpoint {
  url?: string
  params?: EndpointParams
  /** Exchanges the code in the provider's own way. */
  request?(
    context: ProviderHookContext & {
      readonly params: { readonly code: string; readonly redirect_uri: string; readonly code_verifier?: string }
    },
  ): Awaitable<{ tokens: TokenSet }>
  /** Corrects an answer that does not follow RFC 6749 §5.1. Nothing returned: the answer stays. */
  conform?(response: Response): Awaitable<Response | undefined>
  /** Private key for `private_key_jwt` (RFC 7523 §2.2). */
  clientPrivateKey?: webcrypto.CryptoKey | { key: webcrypto.CryptoKey; kid?: string }
  /**
   * Ours: makes the client secret where none is configured, for one that ends. Called whenever the secret is needed, so keep
   * what is made for a while.
   */
  clientSecret?(client: { readonly clientId: string }): string
}

/** The userinfo endpoint (OpenID Connect Core §5.3). */
export interface UserinfoEndpoint {
  url?: string
  params?: EndpointParams
  /** Reads the profile in the provider's own way. */
  request?(context: ProviderHookContext & { readonly tokens: TokenSet }): Awaitable<Profile>
}

/** Client metadata (RFC 7591 §2) that overrides what we send. */
export interface ClientOptions {
  client_id?: string
  client_secret?: string
  token_endpoint_auth_method?:
    | 'client_secret_basic'
    | 'client_secret_post'
    | 'client_secret_jwt'
    | 'private_key_jwt'
    | 'none'
  id_token_signed_response_alg?: string
  userinfo_signed_response_alg?: string
  [metadata: string]: unknown
}

interface OAuthConfigBase<P> extends CommonProviderOptions {
  /** The issuer identifier, exactly as the provider writes it. */
  issuer?: string
  /** URL of the provider's JSON Web Key Set, where discovery does not tell it. */
  jwks_endpoint?: unknown
  clientId?: string
  clientSecret?: string
  /** Where the login starts: an URL, or URL and parameters. */
  authorization?: string | AuthorizationEndpoint
  token?: string | TokenEndpoint
  userinfo?: string | UserinfoEndpoint
  /** URL of the discovery document, where it is not `<issuer>/.well-known/openid-configuration`. */
  wellKnown?: string
  client?: ClientOptions
  /** Turns what the provider told into a user. Default: `sub` or `id`, `name`, `email`, `picture`. */
  profile?(profile: P, tokens: TokenSet): Awaitable<User>
  /**
   * Ours: whether the provider proved that the address is the person's, where it does not say so by `email_verified`.
   * `undefined` where it says nothing. Only `true` counts as a proof.
   */
  emailVerified?(profile: P): boolean | undefined
  /** Chooses what of the token set is stored with the account. */
  account?(tokens: TokenSet): Partial<Account> | undefined | void
  /**
   * Link to an existing user with the same address. Dangerous unless the provider verifies addresses. Default `false`.
   */
  allowDangerousEmailAccountLinking?: boolean
  redirectProxyUrl?: string
  style?: OAuthProviderButtonStyles
  /** Allow `http:` for a provider that is not on loopback. For tests on a closed network only. Default `false`. */
  allowInsecureIssuer?: boolean
  [customFetch]?: typeof fetch
  /** What the developer passed to the provider's function; merged over the rest. */
  options?: object
}

/** Turns what a provider told into a user. */
export type ProfileCallback<P = Profile> = NonNullable<OAuthConfigBase<P>['profile']>

/** Chooses what of the token set is stored with the account. */
export type AccountCallback = NonNullable<OAuthConfigBase<Profile>['account']>

/** An OAuth 2.0 provider (RFC 6749). */
export interface OAuth2Config<P = Profile> extends OAuthConfigBase<P> {
  type: 'oauth'
  /** Checks required on the callback, beside those that are always made. Default `['pkce']`. */
  checks?: ReadonlyArray<'none' | 'state' | 'pkce'>
}

/** An OpenID Connect provider. */
export interface OIDCConfig<P = Profile> extends OAuthConfigBase<P> {
  type: 'oidc'
  /** Checks required on the callback, beside those that are always made. Default `['pkce']`. */
  checks?: ReadonlyArray<'none' | 'state' | 'nonce' | 'pkce'>
  /** `false`: read the profile from the userinfo endpoint. An id_token must be returned all the same. Default `true`. */
  idToken?: boolean
  /** Ours: `false` for a provider whose id_tokens lack the nonce that was sent. None is sent then. Default `true`. */
  nonce?: boolean
}

/** An OAuth 2.0 or OpenID Connect provider. */
export type OAuthConfig<P = Profile> = OIDCConfig<P> | OAuth2Config<P>

/** What a developer may pass to the function of a built-in OAuth 2.0 provider. */
export type OAuthUserConfig<P = Profile> = Partial<Omit<OAuth2Config<P>, 'type' | 'options'>>

/** What a developer may pass to the function of a built-in OpenID Connect provider. */
export type OIDCUserConfig<P = Profile> = Partial<Omit<OIDCConfig<P>, 'type' | 'options'>>

/** One input of a credentials form: attributes of the HTML `input`, and its label. */
export interface CredentialInput {
  label?: string
  type?: string
  placeholder?: string
  value?: string
  required?: boolean
  autocomplete?: string
  [attribute: string]: unknown
}

/** A provider that checks what a person typed. */
export interface CredentialsConfig<C extends Record<string, CredentialInput> = Record<string, CredentialInput>>
  extends CommonProviderOptions {
  type: 'credentials'
  /** The inputs of the form. Only these fields reach `authorize`. Without them the form is not shown. */
  credentials: C
  /**
   * Checks what was typed. Returns the user, with a non-empty `id`, or `null`.
   *
   * Throw {@link CredentialsSignin} to give a reason by its `code`.
   *
   * @param credentials The declared fields of the body, unvalidated.
   * @param request The request, with its headers and (as JSON) the declared fields.
   */
  authorize(credentials: Partial<Record<keyof C, unknown>>, request: Request): Awaitable<User | null>
  options?: object
}

/** What the mail's text is made of: subject and bodies are ready, and escaped where they are HTML. */
export interface VerificationMail {
  readonly subject: string
  readonly html: string
  readonly text: string
}

/** What `sendVerificationRequest` gets. */
export interface VerificationRequest {
  /** The address, normalised: send the mail there, and to nobody else. */
  identifier: string
  /** The link. Whoever opens it and confirms is signed in, once. */
  url: string
  /** When the link ends. */
  expires: Date
  provider: EmailConfig
  /** The token in the link, for mails that build their own. */
  token: string
  theme: Theme
  /** The request that asked for the mail: its URL and headers, for a mail in the person's language. */
  request: Request
  /** Ours: a mail to send as it is. */
  mail: VerificationMail
  /** Ours: for mail services with an HTTP API: the provider's `[customFetch]`, else the global `fetch`. */
  fetch: typeof fetch
}

/** A provider that mails a link. */
export interface EmailConfig extends CommonProviderOptions {
  type: 'email'
  /** The sender, such as `Example <hello@example.com>`. */
  from?: string
  /** Seconds the link lives. Default 86400 (1 day). */
  maxAge?: number
  /** Hashes the tokens of this provider. Default: the configuration's secrets. */
  secret?: string
  /** The key of a mail service's API. Default: `AUTH_<ID>_KEY` of the environment. */
  apiKey?: string
  /** Ours: names of options that it cannot do without. Construction throws where one is missing. */
  required?: readonly string[]
  /** For SMTP: an URL such as `smtps://user:password@smtp.example.com`, or options of nodemailer. */
  server?: unknown
  /**
   * Ours: how many mails may be asked for within `window` seconds, for one address and by one client (`req.ip`). The rest
   * is answered with 429. `false`: no limit here. Default `{ perAddress: 5, perClient: 50, window: 900 }`, per process.
   */
  limit?: false | { perAddress?: number; perClient?: number; window?: number }
  /** Sends the mail. Runs after the answer is out; what it throws is logged as `EmailSignInError`. */
  sendVerificationRequest(params: VerificationRequest): Awaitable<void>
  /** Makes the token in the link. Default: 32 random bytes. */
  generateVerificationToken?(): Awaitable<string>
  /** Turns what a person typed into the address that is stored and written to; throw to refuse it. */
  normalizeIdentifier?(identifier: string): string
  style?: OAuthProviderButtonStyles
  [customFetch]?: typeof fetch
  options?: object
}

/** What a developer may pass to the function of an e-mail provider. */
export type EmailUserConfig = Partial<Omit<EmailConfig, 'type' | 'options' | 'required'>>

/** The site as authenticators know it (WebAuthn Level 3 §4, "Relying Party"). Never read from a request. */
export interface RelyingParty {
  /**
   * The domain that passkeys belong to: the site's host, or a parent domain of it for several subdomains. Changing it later
   * loses every passkey. Default: the host of `AUTH_URL`; `localhost` where that is not set outside production.
   */
  id?: string
  /** What authenticators show. Default: the id. */
  name?: string
  /**
   * Where passkeys may be used: origins such as `https://app.example.com`, and those of native apps
   * (`android:apk-key-hash:…`). Default: the origin of `AUTH_URL`; any port of `http://localhost` where that is not set
   * outside production.
   */
  origin?: string | readonly string[]
}

/** Who wants to make an account, or to be told which passkeys are theirs. */
export interface PasskeyUserInfo {
  email?: string | null
  name?: string | null
}

/** What may be asked of an authenticator when a person signs in (WebAuthn Level 3 §5.5). */
export interface PasskeyAuthenticationOptions {
  /** `required`: fingerprint, face or PIN. `preferred` and `discouraged` let a key in that was only touched. Default `required`. */
  userVerification?: 'required' | 'preferred' | 'discouraged'
  /** Client extensions (WebAuthn Level 3 §9). */
  extensions?: Readonly<Record<string, unknown>>
}

/** What may be asked of an authenticator when a passkey is made (WebAuthn Level 3 §5.4). */
export interface PasskeyRegistrationOptions {
  authenticatorSelection?: {
    authenticatorAttachment?: 'platform' | 'cross-platform'
    /** `required`: the passkey is found without a name. Default `required` (`Passkey`), `preferred` (`WebAuthn`). */
    residentKey?: 'required' | 'preferred' | 'discouraged'
    /** Default `required`. */
    userVerification?: 'required' | 'preferred' | 'discouraged'
  }
  /** Default `none`. */
  attestationType?: 'none' | 'direct' | 'enterprise'
  extensions?: Readonly<Record<string, unknown>>
  preferredAuthenticatorType?: 'securityKey' | 'localDevice' | 'remoteDevice'
  /** COSE algorithms, the best first. Default EdDSA, ES256, RS256: `[-8, -7, -257]`. */
  supportedAlgorithmIDs?: readonly number[]
}

/** What is demanded of an authenticator's answer. */
export interface PasskeyVerificationOptions {
  /** Refuse an answer without user verification. Default: true where `userVerification` is `required`. */
  requireUserVerification?: boolean
}

/** A provider of passkeys. */
export interface WebAuthnConfig extends CommonProviderOptions {
  type: WebAuthnProviderType
  relyingParty?: RelyingParty
  /** @deprecated The spelling of Auth.js. Use `relyingParty`. */
  relayingParty?: RelyingParty
  /** Offer passkeys in the browser's autofill on the sign-in page. One provider at the most. Default `true`. */
  enableConditionalUI?: boolean
  /** The inputs for making an account. Default: `email`. None: nobody makes an account with a passkey. */
  formFields?: Record<string, CredentialInput>
  authenticationOptions?: PasskeyAuthenticationOptions
  registrationOptions?: PasskeyRegistrationOptions
  verifyAuthenticationOptions?: PasskeyVerificationOptions
  verifyRegistrationOptions?: PasskeyVerificationOptions
  /** Milliseconds a browser waits for the person. Default 300000 (5 minutes). */
  timeout?: number
  /**
   * Reads who is asking from the request for options: its query has the form's fields. `null`: nobody that an account can
   * be made for. It proves nothing: the address counts as unverified. Default: `email` and `name` of the query.
   */
  getUserInfo?(request: Request): Awaitable<PasskeyUserInfo | null>
  style?: OAuthProviderButtonStyles
  options?: object
}

/** What a developer may pass to the function of a provider of passkeys. */
export type WebAuthnUserConfig = Partial<Omit<WebAuthnConfig, 'type' | 'options' | 'relayingParty'>>

/** A provider's object. */
export type ProviderConfig = OAuthConfig | CredentialsConfig | EmailConfig | WebAuthnConfig

/**
 * A provider whose profile is of its own kind, as the functions of the catalogue return it. `profile` is only an object
 * here, so that this type adds no second signature where an object written in place gets its types from.
 */
export type ConfiguredProvider = Erased<OIDCConfig<never>> | Erased<OAuth2Config<never>>

type Erased<C> = Omit<C, 'profile' | 'emailVerified'> & { profile?: object; emailVerified?: object }

/** An entry of `providers`: the object, or a function that returns it (called with what the environment tells). */
export type Provider =
  | ProviderConfig
  | ConfiguredProvider
  | ((...options: never[]) => ProviderConfig | ConfiguredProvider)
