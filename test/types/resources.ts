/** Type tests: the resources of the interface, under its names and with its fields. Compiled, never run. */

import type {
  Account,
  AccountCallback,
  AppProvider,
  AuthorizationDetails,
  Awaitable,
  BuiltInProviderType,
  CallbacksOptions,
  CommonProviderOptions,
  CookiesOptions,
  CredentialInput,
  CredentialsConfig,
  CustomPages,
  DefaultSession,
  DefaultUser,
  EmailConfig,
  EmailUserConfig,
  EventCallbacks,
  LoggerInstance,
  OAuth2Config,
  OAuthProviderButtonStyles,
  OAuthProviderType,
  OIDCConfig,
  PagesOptions,
  Profile,
  ProfileCallback,
  Provider,
  ProviderType,
  RedirectableProviderType,
  ReturnedSession,
  ServerAuthConfig,
  Session,
  SessionOptions,
  SessionUser,
  skipCSRFCheck,
  Theme,
  TokenSet,
  User,
} from '../../lib/index.js'
import { AuthError, type CredentialsSignin, ServerAuth } from '../../lib/index.js'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
type IsAny<T> = 0 extends 1 & T ? true : false
/** Names of the fields that may be left out. */
type OptionalKeys<T> = { [K in keyof T]-?: object extends Pick<T, K> ? K : never }[keyof T]
/** The fields, without an index signature. */
type Known<T> = { [K in keyof T as string extends K ? never : symbol extends K ? never : K]: T[K] }
type Text = string | null | undefined
function assertType<T extends true>(_proof?: T): void {}

export function session(): void {
  // Session: `expires` is required, `user` is not; Session has what DefaultSession has.
  assertType<Equal<keyof DefaultSession, 'expires' | 'user'>>()
  assertType<Equal<OptionalKeys<DefaultSession>, 'user'>>()
  assertType<Equal<Session['expires'], string>>()
  assertType<Equal<Session['user'], SessionUser | undefined>>()
  // The id is always there, unless the `session` callback removes it.
  assertType<Equal<SessionUser['id'], string>>()
  assertType<SessionUser extends User ? true : false>()
  assertType<Session extends DefaultSession ? true : false>()
}

export function user(): void {
  // User: id, name, email, image, all optional.
  assertType<Equal<keyof DefaultUser, 'id' | 'name' | 'email' | 'image'>>()
  assertType<Equal<OptionalKeys<DefaultUser>, keyof DefaultUser>>()
  assertType<Equal<User['id'], string | undefined>>()
  assertType<Equal<User['name'] | User['email'] | User['image'], Text>>()
  assertType<User extends DefaultUser ? true : false>()
}

export function account(): void {
  // Account: provider, providerAccountId and type are required; userId and the token set are not.
  assertType<Equal<Account['provider'], string>>()
  assertType<Equal<Account['providerAccountId'], string>>()
  assertType<Equal<Account['type'], ProviderType>>()
  assertType<Equal<Account['userId'], string | undefined>>()
  assertType<Account extends TokenSet ? true : false>()
  assertType<Equal<OptionalKeys<TokenSet>, keyof TokenSet>>()
  // Token set: access_token, refresh_token, id_token, scope are texts.
  type Texts = TokenSet['access_token'] | TokenSet['refresh_token'] | TokenSet['id_token'] | TokenSet['scope']
  assertType<Equal<Texts, string | undefined>>()
  // token_type is lower-case text.
  assertType<Equal<TokenSet['token_type'], Lowercase<string> | undefined>>()
  // @ts-expect-error: not lower-case
  const wrong: TokenSet = { token_type: 'Bearer' }
  // expires_in and expires_at are numbers.
  assertType<Equal<TokenSet['expires_in'] | TokenSet['expires_at'], number | undefined>>()
  assertType<Equal<TokenSet['authorization_details'], AuthorizationDetails[] | undefined>>()
  const tokens: Account = { provider: 'p', providerAccountId: '1', type: 'oidc', access_token: 'a' }
  // @ts-expect-error: the token set is read-only
  tokens.access_token = String(wrong)
}

export function profile(): void {
  // Profile: all claims optional, any further claim unknown.
  assertType<Equal<OptionalKeys<Known<Profile>>, keyof Known<Profile>>>()
  assertType<Equal<Profile['sub'] | Profile['id'], Text>>()
  type Texts =
    | Profile['name']
    | Profile['given_name']
    | Profile['family_name']
    | Profile['middle_name']
    | Profile['nickname']
    | Profile['preferred_username']
    | Profile['profile']
    | Profile['website']
    | Profile['gender']
    | Profile['birthdate']
    | Profile['zoneinfo']
    | Profile['locale']
    | Profile['phone_number']
    | Profile['email']
  assertType<Equal<Texts, Text>>()
  assertType<Equal<Profile['email_verified'], boolean | null | undefined>>()
  // picture is anything: unknown, not any.
  assertType<Equal<Profile['picture'], unknown>>()
  assertType<Equal<Profile['updated_at'], Date | string | number | null | undefined>>()
  type Address = NonNullable<Profile['address']>
  assertType<Equal<keyof Address, 'country' | 'formatted' | 'locality' | 'postal_code' | 'region' | 'street_address'>>()
  assertType<Equal<Address[keyof Address], Text>>()
  assertType<Equal<Profile['of_the_application'], unknown>>()
}

export function providers(): void {
  // Common to all providers: id, name, type.
  assertType<Equal<keyof CommonProviderOptions, 'id' | 'name' | 'type'>>()
  assertType<Equal<OptionalKeys<CommonProviderOptions>, never>>()
  assertType<Equal<ProviderType, 'oidc' | 'oauth' | 'email' | 'credentials' | 'webauthn' | 'passkey'>>()
  assertType<Equal<RedirectableProviderType, 'email' | 'credentials'>>()
  assertType<RedirectableProviderType extends BuiltInProviderType ? true : false>()
  assertType<OAuthProviderType extends BuiltInProviderType ? true : false>()
  // OAuthProviderType: lower-case ids, `webauthn` and `passkey` among them.
  assertType<'webauthn' | 'passkey' | 'github' | 'google' extends OAuthProviderType ? true : false>()
  assertType<Equal<OAuthProviderType, Lowercase<OAuthProviderType>>>()
  assertType<Equal<string extends OAuthProviderType ? true : false, false>>()
  // AppProvider adds callbackUrl and signinUrl.
  assertType<Equal<keyof AppProvider, keyof CommonProviderOptions | 'callbackUrl' | 'signinUrl'>>()
  assertType<Equal<AppProvider['callbackUrl'] | AppProvider['signinUrl'], string>>()
}

export function oauth(): void {
  assertType<Equal<OAuth2Config['type'], 'oauth'>>()
  assertType<Equal<OIDCConfig['type'], 'oidc'>>()
  type Texts = OAuth2Config['issuer'] | OAuth2Config['clientId'] | OAuth2Config['clientSecret']
  assertType<Equal<Texts | OAuth2Config['wellKnown'] | OAuth2Config['redirectProxyUrl'], string | undefined>>()
  // jwks_endpoint is anything: unknown, and may be left out (the interface's `any` is required).
  assertType<Equal<OAuth2Config['jwks_endpoint'], unknown>>()
  // authorization, token, userinfo: an URL, or an endpoint.
  assertType<string extends OAuth2Config['authorization'] ? true : false>()
  assertType<string extends OAuth2Config['token'] ? true : false>()
  assertType<string extends OAuth2Config['userinfo'] ? true : false>()
  // checks: nonce for OpenID Connect only.
  assertType<Equal<NonNullable<OAuth2Config['checks']>[number], 'none' | 'state' | 'pkce'>>()
  assertType<Equal<NonNullable<OIDCConfig['checks']>[number], 'none' | 'state' | 'nonce' | 'pkce'>>()
  assertType<Equal<OIDCConfig['idToken'], boolean | undefined>>()
  assertType<Equal<OAuth2Config['allowDangerousEmailAccountLinking'], boolean | undefined>>()
  // profile gets profile and token set, and returns a user.
  assertType<Equal<Parameters<ProfileCallback>, [profile: Profile, tokens: TokenSet]>>()
  assertType<Equal<Parameters<ProfileCallback<{ login: string }>>[0], { login: string }>>()
  assertType<Equal<ReturnType<ProfileCallback>, Awaitable<User>>>()
  assertType<Equal<OAuth2Config['profile'], ProfileCallback | undefined>>()
  // account gets the token set, and returns a part of the account.
  assertType<Equal<Parameters<AccountCallback>, [tokens: TokenSet]>>()
  assertType<Partial<Account> extends ReturnType<AccountCallback> ? true : false>()
  // style: brandColor and logo, bg and text deprecated.
  assertType<Equal<keyof OAuthProviderButtonStyles, 'brandColor' | 'logo' | 'mark' | 'bg' | 'text'>>()
  assertType<Equal<OAuth2Config['style'], OAuthProviderButtonStyles | undefined>>()
  // Fields that a provider must have.
  type Required = Exclude<keyof OAuth2Config, OptionalKeys<OAuth2Config>>
  assertType<Equal<Required, 'id' | 'name' | 'type'>>()
}

export function formProviders(): void {
  assertType<Equal<CredentialsConfig['type'], 'credentials'>>()
  assertType<Equal<CredentialsConfig['credentials'], Record<string, CredentialInput>>>()
  assertType<Equal<Awaited<ReturnType<CredentialsConfig['authorize']>>, User | null>>()
  assertType<Equal<CredentialInput['label'], string | undefined>>()
  assertType<Equal<EmailConfig['type'], 'email'>>()
  assertType<Equal<OptionalKeys<EmailUserConfig>, keyof EmailUserConfig>>()
}

export function configuration(): void {
  type Names =
    | 'providers'
    | 'adapter'
    | 'basePath'
    | 'callbacks'
    | 'cookies'
    | 'debug'
    | 'events'
    | 'experimental'
    | 'jwt'
    | 'logger'
    | 'pages'
    | 'redirectProxyUrl'
    | 'secret'
    | 'session'
    | 'skipCSRFCheck'
    | 'theme'
    | 'trustHost'
    | 'useSecureCookies'
  // The interface's fields, and ours beside them.
  assertType<
    Equal<
      keyof ServerAuthConfig,
      | Names
      | 'allowDangerousUnprovedAddressMerge'
      | 'apiKeys'
      | 'apps'
      | 'connections'
      | 'deletion'
      | 'factors'
      | 'i18n'
      | 'impersonation'
      | 'organizations'
      | 'rateLimit'
      | 'redirectProxyOrigins'
      | 'security'
      | 'telemetry'
      | 'timeout'
      | 'tokens'
      | 'trustedOrigins'
    >
  >()
  assertType<Equal<Exclude<keyof ServerAuthConfig, OptionalKeys<ServerAuthConfig>>, 'providers'>>()
  assertType<Equal<ServerAuthConfig['providers'], Provider[]>>()
  assertType<Equal<ServerAuthConfig['secret'], string | string[] | undefined>>()
  assertType<Equal<ServerAuthConfig['callbacks'], CallbacksOptions | undefined>>()
  assertType<Equal<ServerAuthConfig['events'], Partial<EventCallbacks> | undefined>>()
  assertType<Equal<ServerAuthConfig['cookies'], CookiesOptions | undefined>>()
  assertType<Equal<ServerAuthConfig['logger'], Partial<LoggerInstance> | undefined>>()
  assertType<Equal<ServerAuthConfig['pages'], CustomPages | undefined>>()
  assertType<Partial<PagesOptions> extends Pick<CustomPages, keyof PagesOptions> ? true : false>()
  assertType<Equal<ServerAuthConfig['session'], SessionOptions | undefined>>()
  assertType<Equal<ServerAuthConfig['theme'], Theme | undefined>>()
  assertType<Equal<ServerAuthConfig['skipCSRFCheck'], typeof skipCSRFCheck | undefined>>()
  assertType<Equal<keyof PagesOptions, 'signIn' | 'signOut' | 'error' | 'verifyRequest' | 'newUser'>>()
  assertType<Equal<keyof LoggerInstance, 'error' | 'warn' | 'debug'>>()
  assertType<Equal<SessionOptions['strategy'], 'jwt' | 'database' | undefined>>()
  assertType<Equal<SessionOptions['maxAge'] | SessionOptions['updateAge'], number | undefined>>()
  assertType<Equal<SessionOptions['generateSessionToken'], (() => string) | undefined>>()
}

export function callbacks(): void {
  // @ts-expect-error: `initAuth` has it
  ServerAuth({ providers: [], callbacks: { authorized: () => true } })
  type Of<K extends keyof CallbacksOptions> = Parameters<NonNullable<CallbacksOptions[K]>>[0]
  type Result<K extends keyof CallbacksOptions> = Awaited<ReturnType<NonNullable<CallbacksOptions[K]>>>
  assertType<Equal<keyof Of<'signIn'>, 'user' | 'account' | 'profile' | 'email' | 'credentials'>>()
  assertType<Equal<Of<'signIn'>['account'], Account | null>>()
  assertType<Equal<Of<'signIn'>['email'], { verificationRequest?: boolean } | undefined>>()
  assertType<Equal<Result<'signIn'>, boolean | string>>()
  assertType<Equal<Of<'redirect'>, { url: string; baseUrl: string }>>()
  assertType<Equal<Result<'redirect'>, string>>()
  type JwtKeys = 'token' | 'user' | 'account' | 'profile' | 'trigger' | 'isNewUser' | 'session'
  assertType<Equal<keyof Of<'jwt'>, JwtKeys>>()
  assertType<Equal<Of<'jwt'>['trigger'], 'signIn' | 'signUp' | 'update' | undefined>>()
  assertType<null extends Result<'jwt'> ? true : false>()
  type SessionKeys = 'session' | 'token' | 'user' | 'authentication' | 'newSession' | 'trigger'
  assertType<Equal<keyof Of<'session'>, SessionKeys>>()
  assertType<Equal<Of<'session'>['trigger'], 'update' | undefined>>()
  assertType<Equal<Result<'session'>, Session | ReturnedSession>>()
}

export function events(): void {
  type Of<K extends keyof EventCallbacks> = Parameters<EventCallbacks[K]>[0]
  assertType<
    Equal<
      keyof EventCallbacks,
      | 'signIn'
      | 'signOut'
      | 'createUser'
      | 'updateUser'
      | 'linkAccount'
      | 'unlinkAccount'
      | 'passkeyRemoved'
      | 'factorAdded'
      | 'factorRemoved'
      | 'sessionEnded'
      | 'beforeDeleteUser'
      | 'userDeleted'
      | 'userDisabled'
      | 'userEnabled'
      | 'passwordLinkSent'
      | 'passwordChanged'
      | 'impersonationBegan'
      | 'impersonationEnded'
      | 'apiKeyCreated'
      | 'apiKeyRevoked'
      | 'organizationChanged'
      | 'session'
      | 'failure'
      | 'denied'
    >
  >()
  assertType<Equal<keyof Of<'signIn'>, 'user' | 'account' | 'isNewUser' | 'profile' | 'app' | 'sid' | 'request'>>()
  assertType<Equal<keyof Of<'signOut'>, 'session' | 'token' | 'sid' | 'by' | 'request'>>()
  type Administration = 'administered' | 'by' | 'sid' | 'request'
  assertType<Equal<keyof Of<'createUser'>, 'user' | Administration>>()
  assertType<Equal<keyof Of<'updateUser'>, 'user' | 'firstProof' | 'lostAddress' | 'previousEmail' | Administration>>()
  assertType<Equal<keyof Of<'linkAccount'>, 'user' | 'account' | 'profile'>>()
  assertType<Equal<keyof Of<'unlinkAccount'>, 'user' | 'account' | 'sid' | 'request'>>()
  assertType<Equal<keyof Of<'passkeyRemoved'>, 'user' | 'credentialID' | 'sid' | 'request'>>()
  type SessionEndedKeys = 'reason' | 'sid' | 'userId' | 'provider' | 'endedBy' | 'by' | 'request'
  assertType<Equal<keyof Of<'sessionEnded'>, SessionEndedKeys>>()
  assertType<Equal<keyof Of<'userDisabled'>, 'userId' | 'by' | 'sid' | 'request'>>()
  assertType<Equal<Of<'userDisabled'>, Of<'userEnabled'>>>()
  assertType<Equal<keyof Of<'passwordLinkSent'>, 'userId' | 'by' | 'sid' | 'request'>>()
  assertType<Equal<keyof Of<'impersonationBegan'>, 'userId' | 'by' | 'reason' | 'sid' | 'request'>>()
  assertType<Equal<Of<'impersonationBegan'>, Of<'impersonationEnded'>>>()
  type ApiKeyCreatedKeys = 'userId' | 'keyId' | 'scopes' | 'organization' | 'expires' | 'sid' | 'request'
  assertType<Equal<keyof Of<'apiKeyCreated'>, ApiKeyCreatedKeys>>()
  assertType<Equal<keyof Of<'apiKeyRevoked'>, 'userId' | 'keyId' | 'by' | 'sid' | 'request'>>()
  type Changed = 'organizationId' | 'change' | 'userId' | 'role' | 'by' | 'sid' | 'request'
  assertType<Equal<keyof Of<'organizationChanged'>, Changed>>()
  assertType<Equal<keyof Of<'session'>, 'session' | 'token'>>()
}

export function errors(): void {
  assertType<AuthError extends Error ? true : false>()
  assertType<CredentialsSignin extends AuthError ? true : false>()
  assertType<Equal<CredentialsSignin['code'], string>>()
  assertType<Equal<NonNullable<AuthError['cause']>['err'], Error | undefined>>()
  assertType<Equal<IsAny<AuthError['type']>, false>>()
  // The static kind and type.
  assertType<Equal<IsAny<(typeof CredentialsSignin)['kind']>, false>>()
  new AuthError()
  new AuthError('message', { provider: 'p' })
  new AuthError({ provider: 'p' })
  // @ts-expect-error: a message is text
  new AuthError(5)
}
