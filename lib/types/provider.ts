/** The configuration of providers. Providers are plain objects; the engine never depends on a provider's id. */
import type { webcrypto } from 'node:crypto'
import type { Account, Awaitable, Profile, TokenSet, User } from './identity.js'
import type { WebAuthnConfig } from './passkey.js'
import type { PrivateJwk, ProtocolOptions } from './protocol.js'
import type { CommonProviderOptions, CredentialInput, OAuthProviderButtonStyles } from './provider-parts.js'
import type { customFetch } from './symbols.js'
import type { Theme } from './theme.js'

/** The description of a provider in `GET /auth/providers`. */
export interface AppProvider extends CommonProviderOptions {
  /** The absolute URL that receives the provider's response. */
  callbackUrl: string
  /** The absolute URL that starts the sign-in. */
  signinUrl: string
}

/**
 * The parameters of an endpoint's URL. `claims` may be an object, which is sent as JSON (OpenID Connect Core §5.5). A function is
 * called with `{ clientId }` at construction, for providers with their own name for the client's id. Not in Auth.js.
 */
export type EndpointParams = Record<string, unknown>

/** The argument of a provider's hooks: the resolved provider, and the engine's `fetch` with timeout and size limit. */
export interface ProviderHookContext {
  /** The provider, completed with the environment and all defaults. */
  readonly provider: {
    /** The provider's id in the configuration. */
    readonly id: string
    /** The id of the client at the provider. */
    readonly clientId: string
    /** The client's secret. Absent for a public client. */
    readonly clientSecret?: string
    /** The issuer identifier, if there is one. */
    readonly issuer?: string
    /** The options that the developer passed to the provider's function. */
    readonly options: Readonly<Record<string, unknown>>
  }
  /** Calls the provider, with the engine's timeout and size limit. Redirects are not followed. */
  readonly fetch: typeof fetch
}

/** The authorization endpoint (RFC 6749 §3.1). */
export interface AuthorizationEndpoint {
  /** The URL of the endpoint. Default: by discovery from `issuer`. */
  url?: string
  /** The parameters of the request, such as `{ scope: 'openid email', prompt: 'consent' }`. */
  params?: EndpointParams
  /** The parameters that a browser may add in the query of `POST /auth/signin/<id>`. */
  allowedParams?: readonly string[]
}

/** The token endpoint (RFC 6749 §3.2). */
export interface TokenEndpoint {
  /** The URL of the endpoint. Default: by discovery from `issuer`. */
  url?: string
  /** Additional parameters of the token request. */
  params?: EndpointParams
  /** Exchanges the code in place of the standard request. */
  request?(
    context: ProviderHookContext & {
      /** The values of the callback and of the authorization request. */
      readonly params: {
        /** The authorization code (RFC 6749 §4.1.2). */
        readonly code: string
        /** The callback URL, exactly as in the authorization request (RFC 6749 §4.1.3). */
        readonly redirect_uri: string
        /** The PKCE verifier (RFC 7636 §4.1). Absent if `checks` has no PKCE. */
        readonly code_verifier?: string
      }
    },
  ): Awaitable<{
    /** The response, with the names of RFC 6749 §5.1. */
    tokens: TokenSet
  }>
  /** Corrects a response that does not follow RFC 6749 §5.1. Returns `undefined` to keep the response. */
  conform?(response: Response): Awaitable<Response | undefined>
  /**
   * The private key for `private_key_jwt` (RFC 7523 §2.2). With JSON Web Keys the first signs and all are published at `GET
   * <mount>/jwks`, so that the next key is known before it is used.
   */
  clientPrivateKey?:
    | webcrypto.CryptoKey
    | {
        /** The private key that signs. */
        key: webcrypto.CryptoKey
        /** The key's id, for the header of the signed assertion (RFC 7515 §4.1.4). */
        kid?: string
      }
    | readonly PrivateJwk[]
  /**
   * Returns the client secret if none is configured, for secrets that expire. Called each time the secret is needed, so cache it.
   * Not in Auth.js.
   */
  clientSecret?(client: {
    /** The id of the client at the provider. */
    readonly clientId: string
  }): string
}

/** The userinfo endpoint (OpenID Connect Core §5.3). */
export interface UserinfoEndpoint {
  /** The URL of the endpoint. Default: by discovery from `issuer`. */
  url?: string
  /** The parameters of the URL's query. */
  params?: EndpointParams
  /** Returns the profile in place of the standard request. */
  request?(
    context: ProviderHookContext & {
      /** The tokens of this sign-in. */
      readonly tokens: TokenSet
    },
  ): Awaitable<Profile>
}

/** The client metadata (RFC 7591 §2) that override the defaults. Other names are rejected at construction. */
export interface ClientOptions {
  /** The client's id. `clientId` has precedence. */
  client_id?: string
  /** The client's secret. `clientSecret` has precedence. */
  client_secret?: string
  /** The client's authentication method at the token endpoint (RFC 6749 §2.3, RFC 7523, RFC 8705). `none`: a public client. */
  token_endpoint_auth_method?:
    | 'client_secret_basic'
    | 'client_secret_post'
    | 'client_secret_jwt'
    | 'private_key_jwt'
    | 'tls_client_auth'
    | 'self_signed_tls_client_auth'
    | 'none'
  /** The algorithm of id_tokens. Others are rejected. */
  id_token_signed_response_alg?: string
  /** The algorithm of signed userinfo responses. Absent: they are plain JSON. */
  userinfo_signed_response_alg?: string
  /** The algorithm of signed responses (JARM, `responseMode`). Default `RS256`. */
  authorization_signed_response_alg?: string
  /** The algorithm with which id_tokens must be encrypted (`decryptionKeys`). Default: encryption is optional. */
  id_token_encrypted_response_alg?: string
  /** The algorithm with which userinfo responses must be encrypted (`decryptionKeys`). Default: encryption is optional. */
  userinfo_encrypted_response_alg?: string
  /** The `max_age` in seconds that is registered at the provider. An older authentication is rejected. */
  default_max_age?: number
  /** Rejects an id_token without `auth_time`. */
  require_auth_time?: boolean
  [metadata: string]: unknown
}

/** The options of single sign-out: at the provider after a sign-out here, and here after a sign-out there. OpenID Connect only. */
export interface ProviderLogoutOptions {
  /**
   * Signs out at the provider after a sign-out here (OpenID Connect RP-Initiated Logout 1.0), if the provider has an endpoint for
   * it. `ask`: if the user chooses it, by a second button of the built-in page or the field `federated`. `always`: each time.
   * Default `ask`.
   */
  rpInitiated?: 'never' | 'ask' | 'always'
  /**
   * Ends sessions when the provider reports a sign-out (OpenID Connect Back-Channel Logout 1.0), at `POST
   * <mount>/backchannel-logout/<id>`. Requires database sessions, or `session.revocation`. Default `false`.
   */
  backchannel?: boolean
  /**
   * Does the same through a frame in the user's browser (OpenID Connect Front-Channel Logout 1.0), at `GET
   * <mount>/frontchannel-logout/<id>`, for providers without back-channel logout. Requires database sessions, or
   * `session.revocation`. Default `false`.
   */
  frontchannel?: boolean
  /**
   * Revokes the tokens of the sign-in at each sign-out here, in the background (RFC 7009): the refresh token, or the access token,
   * which a sealed cookie keeps until then. Default `false`.
   */
  revokeTokens?: boolean
  /** The URL of the provider's `end_session_endpoint`, if discovery lacks it. */
  url?: string
}

/** The renewal of a provider's access tokens, with the option `tokens`. */
export interface ProviderRefreshOptions {
  /** The minimum remaining lifetime in seconds. A token that expires sooner is renewed before use. Default 30. */
  minTtl?: number
}

/** The options that providers of OAuth 2.0 and OpenID Connect share. */
interface OAuthCommonOptions extends CommonProviderOptions, ProtocolOptions {
  /** The issuer identifier, exactly as the provider publishes it. */
  issuer?: string
  /** The URL of the provider's JSON Web Key Set, if discovery lacks it. */
  jwks_endpoint?: unknown
  /** The client's id at the provider. Default: `AUTH_<ID>_ID` of the environment. */
  clientId?: string
  /** The client's secret. Default: `AUTH_<ID>_SECRET` of the environment. */
  clientSecret?: string
  /**
   * The authorization endpoint: a URL, or URL and parameters. Parameters in the URL's query are merged into `params`, which have
   * precedence. A text replaces URL and parameters of a built-in provider.
   */
  authorization?: string | AuthorizationEndpoint
  /** The token endpoint: a URL, or URL and other options. Default: by discovery from `issuer`. */
  token?: string | TokenEndpoint
  /** The userinfo endpoint: a URL, or URL and other options. Default: by discovery from `issuer`. */
  userinfo?: string | UserinfoEndpoint
  /** The URL of the discovery document, if it is not `<issuer>/.well-known/openid-configuration`. */
  wellKnown?: string
  /** The client metadata that override the defaults (RFC 7591 §2). */
  client?: ClientOptions
  /** The options of single sign-out. */
  logout?: ProviderLogoutOptions
  /** The renewal of access tokens (`auth.tokens.get`). `false`: no refresh token is stored. Default: if the provider issues one. */
  refresh?: false | ProviderRefreshOptions
  /**
   * The additional scopes that can be requested later. `auth.tokens.connectUrl` then accepts no others, and a page may request them
   * in the query of `POST /auth/signin/<id>?scope=…`. Default: any scope for `auth.tokens.connectUrl`, none for pages.
   */
  incrementalScopes?: readonly string[]
  /** Returns the part of the token set that is stored with the account. */
  account?(tokens: TokenSet): Partial<Account> | undefined | void
  /** Links to an existing user with the same email address. Dangerous unless the provider verifies addresses. Default `false`. */
  allowDangerousEmailAccountLinking?: boolean
  /** The URL of the instance that receives this provider's callbacks for this one. Default: that of the configuration. */
  redirectProxyUrl?: string
  /** The look of the button on the built-in page. */
  style?: OAuthProviderButtonStyles
  /** Allows `http:` for a provider that is not on loopback. Only for tests on a closed network. Default `false`. */
  allowInsecureIssuer?: boolean
  /** Replaces `fetch` for all requests to this provider. */
  [customFetch]?: typeof fetch
  /** The options that the developer passed to the provider's function, merged over the others. */
  options?: object
}

/** The functions that read a provider's profile. */
interface ProfileHooks<P> {
  /** Returns the user of a profile. Default: `sub` or `id`, `name`, `email`, `picture`. */
  profile?(profile: P, tokens: TokenSet): Awaitable<User>
  /**
   * Checks whether the provider verified the email address, for providers without `email_verified`. Only `true` is treated as
   * verified; `undefined` means unknown. Not in Auth.js.
   */
  emailVerified?(profile: P): boolean | undefined
  /**
   * The values of the id_token's claim `acr` that mean two factors, such as `['urn:mfa']`, or a function of the claims. With OpenID
   * Connect. No second factor is then requested here. A guard that requires two factors requests the values (`acr_values`). Use
   * values whose meaning the provider documents. Default: none. Not in Auth.js.
   */
  trustAcr?: readonly string[] | ((claims: Readonly<Record<string, unknown>>) => 1 | 2)
  /**
   * The methods of the id_token's claim `amr` (RFC 8176) that are accepted as proofs, for guards with `amr`: `true` for all, or a
   * list such as `['hwk']`. With OpenID Connect. The others are only reported. A sign-in that `trustAcr` accepts at level 2
   * includes its methods, too. Default: none. Not in Auth.js.
   */
  trustAmr?: true | readonly string[]
}

/** A function that returns the user of a profile. */
export type ProfileCallback<P = Profile> = NonNullable<ProfileHooks<P>['profile']>

/** A function that returns the part of the token set that is stored with the account. */
export type AccountCallback = NonNullable<OAuthCommonOptions['account']>

/** The options of an OAuth 2.0 provider. */
interface OAuth2Options extends OAuthCommonOptions {
  /** OAuth 2.0: the userinfo endpoint identifies the user. */
  type: 'oauth'
  /** The checks of the callback, in addition to those that are always made. Default `['pkce']`. */
  checks?: ReadonlyArray<'none' | 'state' | 'pkce'>
}

/** An OAuth 2.0 provider (RFC 6749). */
export interface OAuth2Config<P = Profile> extends OAuth2Options, ProfileHooks<P> {}

/** The options of an OpenID Connect provider. */
interface OIDCOptions extends OAuthCommonOptions {
  /** OpenID Connect: a signed id_token identifies the user. */
  type: 'oidc'
  /** The checks of the callback, in addition to those that are always made. Default `['pkce']`. */
  checks?: ReadonlyArray<'none' | 'state' | 'nonce' | 'pkce'>
  /** With `false` the profile is read from the userinfo endpoint. An id_token is still required. Default `true`. */
  idToken?: boolean
  /** With `false` no nonce is sent, for providers whose id_tokens lack it. Default `true`. Not in Auth.js. */
  nonce?: boolean
}

/** The claims of an id_token that many providers send (OpenID Connect Core §5.1). */
export interface OIDCProfile {
  /** The subject identifier, which the provider never reassigns. */
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
  /** `true` if the provider has verified the email address. */
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

/** The options of the function of a built-in OAuth 2.0 provider. */
export type OAuthUserConfig<P = Profile> = Partial<Omit<OAuth2Config<P>, 'type' | 'options'>>

/** The options of the function of a built-in OpenID Connect provider. */
export type OIDCUserConfig<P = Profile> = Partial<Omit<OIDCConfig<P>, 'type' | 'options'>>

/** A provider that checks submitted credentials. */
export interface CredentialsConfig<C extends Record<string, CredentialInput> = Record<string, CredentialInput>>
  extends CommonProviderOptions {
  type: 'credentials'
  /** The inputs of the form. Only these fields are passed to `authorize`. Without them there is no form. */
  credentials: C
  /**
   * Allows any JSON value in all fields, for clients that send no form. An input's own `json` has precedence. Default `false`. Not
   * in Auth.js.
   */
  json?: boolean
  /**
   * The field that identifies the user. Failed attempts are counted by it (`rateLimit`). Default: each of `email`, `username`,
   * `userName`, `user`, `login`, `identifier`, `name` and `phone`, or the first field that is neither a password nor a code. Not in
   * Auth.js.
   */
  identifier?: keyof C & string
  /**
   * Checks the credentials. Returns the user, with an `id` (with database sessions an `email` is enough), or `null`. Throw {@link
   * CredentialsSignin} to give a reason by its `code`.
   * @param credentials The declared fields of the body that were sent. Each is text, unless `json` allows other values.
   * @param request The request, with its headers and (as JSON) the declared fields.
   */
  authorize(credentials: Partial<Record<keyof C, unknown>>, request: Request): Awaitable<User | null>
  /** The options that the developer passed to the provider's function, merged over the others. */
  options?: object
}

/** The contents of a mail: the finished subject and bodies, with escaped HTML. */
export interface VerificationMail {
  /** The subject line, without line breaks. */
  readonly subject: string
  /** The body as HTML, complete and escaped. */
  readonly html: string
  /** The body as plain text. */
  readonly text: string
}

/** The argument of `sendNotice`. */
export interface EmailNotice {
  /** The email address of the recipient. */
  identifier: string
  /** The provider that sends, completed with the environment and all defaults. */
  provider: EmailConfig
  /** The name, logo and colours of the site, as configured. */
  theme: Theme
  /** The language of {@link EmailNotice.mail}, as a BCP 47 tag. */
  locale: string
  /** The request that caused the notice: its URL and headers, for example for the user's language. */
  request: Request
  /** A mail that is ready to send. It contains no link that signs in. */
  mail: VerificationMail
  /** The provider's `[customFetch]` or the global `fetch`, for mail services with an HTTP API. */
  fetch: typeof fetch
}

/** The argument of `sendVerificationRequest`. */
export interface VerificationRequest {
  /**
   * The effect of the link. `sign-in`: it signs in. `change-email`: it makes `identifier` the address of the user who requested it,
   * in one of their sessions, and signs no one in. `second-factor`: there is no link, but `token`, a code of six digits for the
   * page of a pending sign-in; `url` is that page. With the provider `Password`: `sign-up`: it creates a user and signs in;
   * `reset-password`: it allows setting a new password; `have-account`: a visitor tried to sign up with the address of a user, and
   * it leads to the sign-in page only. With `organizations.store`:
   * `invitation`: it leads to the page of an invitation. Not in Auth.js.
   */
  purpose: 'sign-in' | 'change-email' | 'second-factor' | 'sign-up' | 'reset-password' | 'have-account' | 'invitation'
  /** The normalized email address, the only recipient. */
  identifier: string
  /** The link. With `purpose: 'sign-in'` it signs in anyone who opens and confirms it, once. */
  url: string
  /** The time at which the link expires. */
  expires: Date
  /** The provider that sends, completed with the environment and all defaults. */
  provider: EmailConfig
  /** The token of the link, for custom mails. Empty if the link has none. */
  token: string
  /** The name, logo and colours of the site, as configured. */
  theme: Theme
  /** The language of {@link VerificationRequest.mail}, as a BCP 47 tag. Not in Auth.js. */
  locale: string
  /** The request that caused the mail: its URL and headers, for example for the user's language. */
  request: Request
  /** A mail that is ready to send. Not in Auth.js. */
  mail: VerificationMail
  /** The provider's `[customFetch]` or the global `fetch`, for mail services with an HTTP API. Not in Auth.js. */
  fetch: typeof fetch
}

/** A provider that sends email links. */
export interface EmailConfig extends CommonProviderOptions {
  type: 'email'
  /** The sender, such as `Example <hello@example.com>`. */
  from?: string
  /** The lifetime of the link in seconds. Default 86400 (1 day). */
  maxAge?: number
  /** The secret that hashes the tokens of this provider. Default: the configuration's secrets. */
  secret?: string
  /** The key of the mail service's API. Default: `AUTH_<ID>_KEY` of the environment. */
  apiKey?: string
  /** The names of options that the provider's own sender requires. Construction throws if one is missing. Not in Auth.js. */
  required?: readonly string[]
  /** The SMTP server: a URL such as `smtps://user:password@smtp.example.com`, or options of nodemailer. */
  server?: unknown
  /**
   * The maximum number of mails within `window` seconds, for one address and for one client (`req.ip`). Others are rejected with
   * 429. `false`: no limit here. Default `{ perAddress: 5, perClient: 50, window: 900 }`, per process. Not in Auth.js.
   */
  limit?:
    | false
    | {
        /** The maximum number of mails to one address within `window`. Default 5. */
        perAddress?: number
        /** The maximum number of mails that one client (`req.ip`) may request within `window`. Default 50. */
        perClient?: number
        /** The length of the window in seconds. Default 900 (15 minutes). */
        window?: number
      }
  /** Sends the mail. Runs after the response was sent; errors are logged as `EmailSignInError`. */
  sendVerificationRequest(params: VerificationRequest): Awaitable<void>
  /**
   * Sends a mail that only informs, for example to a user's old address after a change. Runs after the response was sent. Default:
   * sent like the built-in links; with a custom `sendVerificationRequest` nothing is sent. Not in Auth.js.
   */
  sendNotice?(notice: EmailNotice): Awaitable<void>
  /**
   * Returns the token of the link. Default: 32 random bytes. A token of fewer than 20 characters is a short code: it expires after
   * at most ten minutes, works only in the browser that requested it, and ends after five wrong attempts.
   */
  generateVerificationToken?(): Awaitable<string>
  /** Returns the normalized form of an entered email address, which is stored and receives the mail. Throw to reject it. */
  normalizeIdentifier?(identifier: string): string
  /** The look of the button on the built-in page. */
  style?: OAuthProviderButtonStyles
  /** Replaces `fetch` for mail services with an HTTP API. */
  [customFetch]?: typeof fetch
  /** The options that the developer passed to the provider's function, merged over the others. */
  options?: object
}

/** The options of the function of an email provider. */
export type EmailUserConfig = Partial<Omit<EmailConfig, 'type' | 'options' | 'required'>>

/** The options of a provider whose mails the developer's function sends. It needs none of the built-in sender's options. */
export type OwnMailSender = Required<Pick<EmailUserConfig, 'sendVerificationRequest'>>

/** The object of a provider. */
export type ProviderConfig = OAuthConfig | CredentialsConfig | EmailConfig | WebAuthnConfig

/**
 * A provider with its own profile type, as returned by the functions of the catalogue. `profile` is only an object here: a second
 * signature would prevent TypeScript from inferring the parameters of inline objects.
 */
export type ConfiguredProvider = ConfiguredOIDC | ConfiguredOAuth2

/** The members whose parameter is the provider's own profile type. */
interface OwnProfile {
  profile?: object
  emailVerified?: object
}

/** An OpenID Connect provider with its own profile type. */
interface ConfiguredOIDC extends OIDCOptions, OwnProfile {}
/** An OAuth 2.0 provider with its own profile type. */
interface ConfiguredOAuth2 extends OAuth2Options, OwnProfile {}

/** An entry of `providers`: the object, or a function that returns it (called with the options from the environment). */
export type Provider =
  | ProviderConfig
  | ConfiguredProvider
  | ((...options: never[]) => ProviderConfig | ConfiguredProvider)
