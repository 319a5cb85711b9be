/** What a provider is. Providers are plain objects; the engine never asks for an id. */
import type { webcrypto } from 'node:crypto'
import type { Account, Awaitable, Profile, TokenSet, User } from './identity.js'
import type { WebAuthnConfig } from './passkey.js'
import type { PrivateJwk, ProtocolOptions } from './protocol.js'
import type { CommonProviderOptions, CredentialInput, OAuthProviderButtonStyles } from './provider-parts.js'
import type { customFetch } from './symbols.js'
import type { Theme } from './theme.js'

/** What `GET /auth/providers` tells of a provider. */
export interface AppProvider extends CommonProviderOptions {
  /** Absolute URL that receives the provider's answer. */
  callbackUrl: string
  /** Absolute URL that starts the sign-in. */
  signinUrl: string
}

/**
 * Parameters of an endpoint's URL. `claims` may be an object: it is sent as JSON (OpenID Connect Core §5.5). Ours: a function
 * is called with `{ clientId }` at construction, for a provider that has a name of its own for the client's id.
 */
export type EndpointParams = Record<string, unknown>

/** What a hook of a provider gets: the resolved provider, and the engine's `fetch` with time-out and size cap. */
export interface ProviderHookContext {
  /** The provider, with the environment and all defaults in it. */
  readonly provider: {
    /** Its id in the configuration. */
    readonly id: string
    /** The id of the client at the provider. */
    readonly clientId: string
    /** The client's secret. Absent for a public client. */
    readonly clientSecret?: string
    /** The issuer identifier, where there is one. */
    readonly issuer?: string
    /** What the developer passed to the provider's function. */
    readonly options: Readonly<Record<string, unknown>>
  }
  /** Calls the provider: time-out and size cap of the engine, no redirects followed. */
  readonly fetch: typeof fetch
}

/** The authorization endpoint (RFC 6749 §3.1). */
export interface AuthorizationEndpoint {
  /** URL of the endpoint. Default: by discovery from `issuer`. */
  url?: string
  /** Parameters of the request, such as `{ scope: 'openid email', prompt: 'consent' }`. */
  params?: EndpointParams
  /** Parameters that a browser may add to the request by the query of `POST /auth/signin/<id>`. */
  allowedParams?: readonly string[]
}

/** The token endpoint (RFC 6749 §3.2). */
export interface TokenEndpoint {
  /** URL of the endpoint. Default: by discovery from `issuer`. */
  url?: string
  /** Further parameters of the token request. */
  params?: EndpointParams
  /** Exchanges the code in the provider's own way. */
  request?(
    context: ProviderHookContext & {
      /** What the callback brought, and what was sent before. */
      readonly params: {
        /** The authorization code (RFC 6749 §4.1.2). */
        readonly code: string
        /** The callback URL, exactly as it was in the authorization request (RFC 6749 §4.1.3). */
        readonly redirect_uri: string
        /** The PKCE verifier (RFC 7636 §4.1). Absent where `checks` leave PKCE out. */
        readonly code_verifier?: string
      }
    },
  ): Awaitable<{
    /** The answer in the names of RFC 6749 §5.1. */
    tokens: TokenSet
  }>
  /** Corrects an answer that does not follow RFC 6749 §5.1. Nothing returned: the answer stays. */
  conform?(response: Response): Awaitable<Response | undefined>
  /**
   * Private key for `private_key_jwt` (RFC 7523 §2.2). As JSON Web Keys: the first signs, and all are published at `GET <mount>/jwks`, so that
   * the next one is known there before it is used.
   */
  clientPrivateKey?:
    | webcrypto.CryptoKey
    | {
        /** The private key that signs. */
        key: webcrypto.CryptoKey
        /** Its name, for the header of the signed assertion (RFC 7515 §4.1.4). */
        kid?: string
      }
    | readonly PrivateJwk[]
  /**
   * Ours: makes the client secret where none is configured, for one that ends. Called whenever the secret is needed, so keep
   * what is made for a while.
   */
  clientSecret?(client: {
    /** The id of the client at the provider. */
    readonly clientId: string
  }): string
}

/** The userinfo endpoint (OpenID Connect Core §5.3). */
export interface UserinfoEndpoint {
  /** URL of the endpoint. Default: by discovery from `issuer`. */
  url?: string
  /** Parameters for the query of its URL. */
  params?: EndpointParams
  /** Reads the profile in the provider's own way. */
  request?(
    context: ProviderHookContext & {
      /** The tokens of this sign-in. */
      readonly tokens: TokenSet
    },
  ): Awaitable<Profile>
}

/**
 * Client metadata (RFC 7591 §2) that overrides what we send. Names that are not listed here are not supported, and refused
 * at construction.
 */
export interface ClientOptions {
  /** The client's id. `clientId` goes before it. */
  client_id?: string
  /** The client's secret. `clientSecret` goes before it. */
  client_secret?: string
  /** How the client authenticates at the token endpoint (RFC 6749 §2.3, RFC 7523, RFC 8705). `none`: a public client. */
  token_endpoint_auth_method?:
    | 'client_secret_basic'
    | 'client_secret_post'
    | 'client_secret_jwt'
    | 'private_key_jwt'
    | 'tls_client_auth'
    | 'self_signed_tls_client_auth'
    | 'none'
  /** The algorithm of id_tokens: another one is refused. */
  id_token_signed_response_alg?: string
  /** The algorithm of signed userinfo answers. Absent: they are plain JSON. */
  userinfo_signed_response_alg?: string
  /** The algorithm of signed answers (JARM, `responseMode`). Default `RS256`. */
  authorization_signed_response_alg?: string
  /** id_tokens must be encrypted with it (`decryptionKeys`). Default: both are taken. */
  id_token_encrypted_response_alg?: string
  /** Userinfo answers must be encrypted with it (`decryptionKeys`). Default: both are taken. */
  userinfo_encrypted_response_alg?: string
  /** The `max_age` that is registered at the provider, in seconds: an older authentication is refused. */
  default_max_age?: number
  /** An id_token without `auth_time` is refused. */
  require_auth_time?: boolean
  [metadata: string]: unknown
}

/** What happens at the provider when a person signs out here, and here when they sign out there. OpenID Connect only. */
export interface ProviderLogoutOptions {
  /**
   * Whether a sign-out here also signs out at the provider (OpenID Connect RP-Initiated Logout 1.0), where the provider has an
   * endpoint for it. `ask`: where the person says so, by a second button of the built-in page or the field `federated`.
   * `always`: each time. Default `ask`.
   */
  rpInitiated?: 'never' | 'ask' | 'always'
  /**
   * Take the provider's word that a person has signed out there (OpenID Connect Back-Channel Logout 1.0), at
   * `POST <mount>/backchannel-logout/<id>`. Needs database sessions, or `session.revocation`. Default `false`.
   */
  backchannel?: boolean
  /**
   * The same by a frame in the person's browser (OpenID Connect Front-Channel Logout 1.0), at
   * `GET <mount>/frontchannel-logout/<id>`, for a provider that knows nothing better. Needs database sessions, or `session.revocation`. Default `false`.
   */
  frontchannel?: boolean
  /**
   * Revoke the tokens of the sign-in at each sign-out here, in the background (RFC 7009): the refresh token, else the access
   * token, which waits for that in a sealed cookie. Default `false`.
   */
  revokeTokens?: boolean
  /** URL of the provider's `end_session_endpoint`, where discovery does not tell it. */
  url?: string
}

/** How access tokens of a provider are renewed, where the option `tokens` keeps them. */
export interface ProviderRefreshOptions {
  /** Seconds: a token that ends sooner is renewed before it is used. Default 30. */
  minTtl?: number
}

/** What providers of OAuth 2.0 and of OpenID Connect have in common. */
interface OAuthCommonOptions extends CommonProviderOptions, ProtocolOptions {
  /** The issuer identifier, exactly as the provider writes it. */
  issuer?: string
  /** URL of the provider's JSON Web Key Set, where discovery does not tell it. */
  jwks_endpoint?: unknown
  /** The id that the provider gave your application. Default: `AUTH_<ID>_ID` of the environment. */
  clientId?: string
  /** The secret that belongs to it. Default: `AUTH_<ID>_SECRET` of the environment. */
  clientSecret?: string
  /**
   * Where the login starts: an URL, or URL and parameters. Those in the URL's query count as `params`, which win. A text
   * replaces URL and parameters of a built-in provider.
   */
  authorization?: string | AuthorizationEndpoint
  /** The token endpoint: an URL, or URL and more. Default: by discovery from `issuer`. */
  token?: string | TokenEndpoint
  /** The userinfo endpoint: an URL, or URL and more. Default: by discovery from `issuer`. */
  userinfo?: string | UserinfoEndpoint
  /** URL of the discovery document, where it is not `<issuer>/.well-known/openid-configuration`. */
  wellKnown?: string
  /** Client metadata that override what we send (RFC 7591 §2). */
  client?: ClientOptions
  /** Signing out at the provider, too. */
  logout?: ProviderLogoutOptions
  /** Renewing access tokens (`auth.tokens.get`). `false`: no refresh token is kept. Default: where the provider gives one. */
  refresh?: false | ProviderRefreshOptions
  /**
   * Scopes that may be asked for later, beyond those of each sign-in: `auth.tokens.connectUrl` takes no others then, and a page may ask for them by
   * the query of `POST /auth/signin/<id>?scope=…`. Default: `auth.tokens.connectUrl` takes any, and pages none.
   */
  incrementalScopes?: readonly string[]
  /** Chooses what of the token set is stored with the account. */
  account?(tokens: TokenSet): Partial<Account> | undefined | void
  /**
   * Link to an existing user with the same address. Dangerous unless the provider verifies addresses. Default `false`.
   */
  allowDangerousEmailAccountLinking?: boolean
  /** URL of the instance that receives this provider's callbacks for this one. Default: that of the configuration. */
  redirectProxyUrl?: string
  /** Look of the button on the built-in page. */
  style?: OAuthProviderButtonStyles
  /** Allow `http:` for a provider that is not on loopback. For tests on a closed network only. Default `false`. */
  allowInsecureIssuer?: boolean
  /** Replaces `fetch` for all requests to this provider. */
  [customFetch]?: typeof fetch
  /** What the developer passed to the provider's function; merged over the rest. */
  options?: object
}

/** Functions that read what a provider tells of a person. */
interface ProfileHooks<P> {
  /** Turns what the provider told into a user. Default: `sub` or `id`, `name`, `email`, `picture`. */
  profile?(profile: P, tokens: TokenSet): Awaitable<User>
  /**
   * Ours: whether the provider proved that the address is the person's, where it does not say so by `email_verified`.
   * `undefined` where it says nothing. Only `true` counts as a proof.
   */
  emailVerified?(profile: P): boolean | undefined
  /**
   * Ours, with OpenID Connect: when the provider has proved two factors itself, so that no second one is asked for here. A list of values of
   * the claim `acr` of its id_token, such as `['urn:mfa']`, which are asked for (`acr_values`) where a guard wants two; or a function of
   * the claims. Take values whose meaning the provider documents. Default: none.
   */
  trustAcr?: readonly string[] | ((claims: Readonly<Record<string, unknown>>) => 1 | 2)
  /**
   * Ours, with OpenID Connect: which of the methods in the claim `amr` of its id_token (RFC 8176) count as proved, for guards with `amr`.
   * `true` for all of them, or a list such as `['hwk']`. The others, and without this option all, are only reported. A sign-in that `trustAcr`
   * accepts at level 2 brings its methods, too. Default: none.
   */
  trustAmr?: true | readonly string[]
}

/** Turns what a provider told into a user. */
export type ProfileCallback<P = Profile> = NonNullable<ProfileHooks<P>['profile']>

/** Chooses what of the token set is stored with the account. */
export type AccountCallback = NonNullable<OAuthCommonOptions['account']>

/** Options of a provider of OAuth 2.0. */
interface OAuth2Options extends OAuthCommonOptions {
  /** OAuth 2.0: who signed in is asked at the userinfo endpoint. */
  type: 'oauth'
  /** Checks required on the callback, beside those that are always made. Default `['pkce']`. */
  checks?: ReadonlyArray<'none' | 'state' | 'pkce'>
}

/** An OAuth 2.0 provider (RFC 6749). */
export interface OAuth2Config<P = Profile> extends OAuth2Options, ProfileHooks<P> {}

/** Options of a provider of OpenID Connect. */
interface OIDCOptions extends OAuthCommonOptions {
  /** OpenID Connect: who signed in stands in a signed id_token. */
  type: 'oidc'
  /** Checks required on the callback, beside those that are always made. Default `['pkce']`. */
  checks?: ReadonlyArray<'none' | 'state' | 'nonce' | 'pkce'>
  /** `false`: read the profile from the userinfo endpoint. An id_token must be returned all the same. Default `true`. */
  idToken?: boolean
  /** Ours: `false` for a provider whose id_tokens lack the nonce that was sent. None is sent then. Default `true`. */
  nonce?: boolean
}

/** The claims of an id_token that many providers send (OpenID Connect Core §5.1). */
export interface OIDCProfile {
  /** The subject identifier: never reassigned by the provider. */
  sub: string
  /** The full name. */
  name?: string
  /** The given name, or several. */
  given_name?: string
  /** The family name, or several. */
  family_name?: string
  /** The casual name. */
  nickname?: string
  /** The user name at the provider. Neither unique nor permanent. */
  preferred_username?: string
  /** The email address. */
  email?: string
  /** Whether the provider has verified the email address. */
  email_verified?: boolean
  /** The URL of a picture. */
  picture?: string
  /** The language, as a BCP 47 tag. */
  locale?: string
  /** Other claims. */
  [claim: string]: unknown
}

/** An OpenID Connect provider. */
export interface OIDCConfig<P = Profile> extends OIDCOptions, ProfileHooks<P> {}

/** An OAuth 2.0 or OpenID Connect provider. */
export type OAuthConfig<P = Profile> = OIDCConfig<P> | OAuth2Config<P>

/** What a developer may pass to the function of a built-in OAuth 2.0 provider. */
export type OAuthUserConfig<P = Profile> = Partial<Omit<OAuth2Config<P>, 'type' | 'options'>>

/** What a developer may pass to the function of a built-in OpenID Connect provider. */
export type OIDCUserConfig<P = Profile> = Partial<Omit<OIDCConfig<P>, 'type' | 'options'>>

/** A provider that checks what a person typed. */
export interface CredentialsConfig<C extends Record<string, CredentialInput> = Record<string, CredentialInput>>
  extends CommonProviderOptions {
  type: 'credentials'
  /** The inputs of the form. Only these fields reach `authorize`. Without them the form is not shown. */
  credentials: C
  /** Ours: all fields may have any JSON value, for clients that send no form. An input's own `json` wins. Default `false`. */
  json?: boolean
  /**
   * Ours: the field that says who it is. Failed attempts are counted by it (`rateLimit`). Default: each of `email`,
   * `username`, `userName`, `user`, `login`, `identifier`, `name` and `phone`, else the first field that is no password and no code.
   */
  identifier?: keyof C & string
  /**
   * Checks what was typed. Returns the user, with an `id` (with database sessions an `email` is enough), or `null`.
   *
   * Throw {@link CredentialsSignin} to give a reason by its `code`.
   *
   * @param credentials The declared fields of the body that were sent. Each is text, unless `json` lets other values in.
   * @param request The request, with its headers and (as JSON) the declared fields.
   */
  authorize(credentials: Partial<Record<keyof C, unknown>>, request: Request): Awaitable<User | null>
  /** What the developer passed to the provider's function; merged over the rest. */
  options?: object
}

/** What the mail's text is made of: subject and bodies are ready, and escaped where they are HTML. */
export interface VerificationMail {
  /** The subject line, without line breaks. */
  readonly subject: string
  /** The body as HTML, complete and escaped. */
  readonly html: string
  /** The body as plain text. */
  readonly text: string
}

/** What `sendNotice` gets. */
export interface EmailNotice {
  /** The address to write to. */
  identifier: string
  /** The provider that sends, with the environment and all defaults in it. */
  provider: EmailConfig
  /** Name, logo and colours of the site, as the configuration has them. */
  theme: Theme
  /** The language that {@link EmailNotice.mail} is in, as a BCP 47 tag. */
  locale: string
  /** The request that led to the notice: its URL and headers, for a mail in the person's language. */
  request: Request
  /** A mail to send as it is. It has no link that signs in. */
  mail: VerificationMail
  /** For mail services with an HTTP API: the provider's `[customFetch]`, else the global `fetch`. */
  fetch: typeof fetch
}

/** What `sendVerificationRequest` gets. */
export interface VerificationRequest {
  /**
   * Ours: what the link does. `sign-in`: it signs in. `change-email`: it makes `identifier` the address of the user who asked,
   * in a session of theirs, and signs nobody in. `second-factor`: there is none, but `token`, a code of six digits that the person types
   * where they are signing in; `url` is that page. With the provider `Password`: `sign-up`: it makes a new user, and signs in;
   * `reset-password`: whoever opens it sets a new password; `have-account`: somebody tried to sign up with the address of a user, and it
   * leads to the sign-in page only.
   */
  purpose: 'sign-in' | 'change-email' | 'second-factor' | 'sign-up' | 'reset-password' | 'have-account'
  /** The address, normalised: send the mail there, and to nobody else. */
  identifier: string
  /** The link. With `purpose: 'sign-in'` whoever opens it and confirms is signed in, once. */
  url: string
  /** When the link ends. */
  expires: Date
  /** The provider that sends, with the environment and all defaults in it. */
  provider: EmailConfig
  /** The token in the link, for mails that build their own. Empty where the link has none. */
  token: string
  /** Name, logo and colours of the site, as the configuration has them. */
  theme: Theme
  /** Ours: the language that {@link VerificationRequest.mail} is in, as a BCP 47 tag. */
  locale: string
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
  /** Ours: names of options that its own sender cannot do without. Construction throws where one is missing. */
  required?: readonly string[]
  /** For SMTP: an URL such as `smtps://user:password@smtp.example.com`, or options of nodemailer. */
  server?: unknown
  /**
   * Ours: how many mails may be asked for within `window` seconds, for one address and by one client (`req.ip`). The rest
   * is answered with 429. `false`: no limit here. Default `{ perAddress: 5, perClient: 50, window: 900 }`, per process.
   */
  limit?:
    | false
    | {
        /** Mails to one address within `window`. Default 5. */
        perAddress?: number
        /** Mails that one client (`req.ip`) may ask for within `window`. Default 50. */
        perClient?: number
        /** Seconds in which they are counted. Default 900 (15 minutes). */
        window?: number
      }
  /** Sends the mail. Runs after the answer is out; what it throws is logged as `EmailSignInError`. */
  sendVerificationRequest(params: VerificationRequest): Awaitable<void>
  /**
   * Ours: sends a mail that only tells something, such as to a user's old address that they have another one. Runs after the
   * answer is out. Default: as our own links are sent; with a `sendVerificationRequest` of yours nothing is sent.
   */
  sendNotice?(notice: EmailNotice): Awaitable<void>
  /**
   * Makes the token in the link. Default: 32 random bytes. One of fewer than 20 characters is a short code: it lives ten
   * minutes at the most, and is good only in the browser that asked, until five wrong ones.
   */
  generateVerificationToken?(): Awaitable<string>
  /** Turns what a person typed into the address that is stored and written to; throw to refuse it. */
  normalizeIdentifier?(identifier: string): string
  /** Look of the button on the built-in page. */
  style?: OAuthProviderButtonStyles
  /** Replaces `fetch` for mail services with an HTTP API. */
  [customFetch]?: typeof fetch
  /** What the developer passed to the provider's function; merged over the rest. */
  options?: object
}

/** What a developer may pass to the function of an e-mail provider. */
export type EmailUserConfig = Partial<Omit<EmailConfig, 'type' | 'options' | 'required'>>

/** Options of a provider whose mails the developer's own function sends: it needs none of what ours would. */
export type OwnMailSender = Required<Pick<EmailUserConfig, 'sendVerificationRequest'>>

/** A provider's object. */
export type ProviderConfig = OAuthConfig | CredentialsConfig | EmailConfig | WebAuthnConfig

/**
 * A provider whose profile is of its own kind, as the functions of the catalogue return it. `profile` is only an object
 * here, so that this type adds no second signature where an object written in place gets its types from.
 */
export type ConfiguredProvider = ConfiguredOIDC | ConfiguredOAuth2

/** What only the provider's own kind of profile can be given to. */
interface OwnProfile {
  profile?: object
  emailVerified?: object
}

/** An OpenID Connect provider with a profile of its own kind. */
interface ConfiguredOIDC extends OIDCOptions, OwnProfile {}
/** An OAuth 2.0 provider with a profile of its own kind. */
interface ConfiguredOAuth2 extends OAuth2Options, OwnProfile {}

/** An entry of `providers`: the object, or a function that returns it (called with what the environment tells). */
export type Provider =
  | ProviderConfig
  | ConfiguredProvider
  | ((...options: never[]) => ProviderConfig | ConfiguredProvider)
