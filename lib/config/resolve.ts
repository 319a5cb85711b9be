/** Resolves the developer's configuration into a frozen one, once. Invalid options throw only here. */

import type { AuthEnv } from '../base/env.js'
import { definedOnly, isRecord } from '../base/guards.js'
import { createLogger, type Logger } from '../base/logger.js'
import { siteMemory } from '../base/memory.js'
import type { ResolvedConfig } from '../contracts/index.js'
import { InvalidConfiguration } from '../errors.js'
import { mailLimitOf } from '../features/limits/option.js'
import { featureChecks, resolveFeatures } from '../features/options.js'
import { resolveLogoutTokens, resolveRevocation } from '../features/revocation/option.js'
import { isLocalOrigin } from '../http/ip-addresses.js'
import type { EventCallbacks, FullStackCallbacksOptions, ServerAuthConfig } from '../types/config.js'
import type { LoggerInstance } from '../types/logger.js'
import { skipCSRFCheck } from '../types/symbols.js'
import type { Telemetry } from '../types/telemetry.js'
import { reportConfiguration } from './configuration-listener.js'
import { quoteOption } from './reject-option.js'
import { resolveAdapter } from './resolve-adapter.js'
import { checkPages, i18nSetting, pagesShape, resolveLanguages, themeShape } from './resolve-appearance.js'
import { resolveProviders } from './resolve-provider.js'
import { assertOwnOrigin, originPatterns, proxyUrl } from './resolve-redirect-proxy.js'
import { resolveSecrets } from './resolve-secrets.js'
import { assertCallbacks, jwtShape, resolveJwt, resolveSession, sessionShape } from './resolve-session.js'
import { withOwnStores } from './resolve-store.js'
import { resolveTrustedOrigins, trustedOriginList, trustedRedirect } from './resolve-trusted-origins.js'
import { resolveUserFields } from './resolve-user-fields.js'
import { explainedByPreset, presetOf, withPreset } from './security.js'
import {
  anyValue,
  boolean,
  type Check,
  functionOf,
  nonEmptyText,
  nullable,
  optional,
  ownObject,
  seconds,
  shape,
} from './shape.js'
import {
  defaultAdapterTimeout,
  defaultCallbacks,
  defaultTimeout,
  readEnvOf,
  resolveBasePath,
  resolveCookies,
  resolveSite,
  resolveTrust,
  sessionPrefixOf,
} from './site.js'

/** Returns the check of an object's functions, bound as its methods: instances of a class need `this`. */
function boundMethods<M extends object>(...known: ReadonlyArray<keyof M & string>): Check<Partial<M>> {
  const functions = shape(Object.fromEntries(known.map((key) => [key, functionOf<() => unknown>()])))
  return (name, value) => {
    const bound = Object.entries(functions(name, value)).map(([key, method]) => [key, method?.bind(value)])
    return Object.freeze(Object.fromEntries(bound)) as Partial<M>
  }
}

/** The checks of {@link ServerAuthConfig}. Options with `anyValue` are checked in their own file. */
const configShape = shape({
  providers: anyValue,
  adapter: anyValue,
  allowDangerousUnprovedAddressMerge: boolean,
  basePath: nonEmptyText,
  callbacks: boundMethods<FullStackCallbacksOptions>('signIn', 'redirect', 'jwt', 'session', 'authorized'),
  cookies: anyValue,
  debug: boolean,
  events: boundMethods<EventCallbacks>(
    'signIn',
    'signOut',
    'createUser',
    'updateUser',
    'linkAccount',
    'unlinkAccount',
    'passkeyRemoved',
    'factorAdded',
    'factorRemoved',
    'sessionEnded',
    'userDisabled',
    'userEnabled',
    'beforeDeleteUser',
    'userDeleted',
    'passwordLinkSent',
    'passwordChanged',
    'impersonationBegan',
    'impersonationEnded',
    'apiKeyCreated',
    'apiKeyRevoked',
    'organizationChanged',
    'session',
    'failure',
    'denied',
  ),
  ...featureChecks,
  experimental: shape({ enableWebAuthn: boolean }),
  i18n: i18nSetting,
  jwt: jwtShape,
  logger: ownObject<Partial<LoggerInstance>>({ error: functionOf(), warn: functionOf(), debug: functionOf() }),
  pages: pagesShape,
  redirectProxyUrl: proxyUrl,
  redirectProxyOrigins: originPatterns,
  secret: anyValue,
  security: anyValue,
  session: sessionShape,
  skipCSRFCheck: optional<typeof skipCSRFCheck>(
    (value) => value === skipCSRFCheck,
    'takes only the symbol that server-auth exports under this name.',
  ),
  telemetry: optional<Telemetry>(
    (value) => isRecord(value) && typeof value.observe === 'function',
    'must be the result of `openTelemetry({ tracer, meter })` of server-auth/telemetry, not {kind}.',
  ),
  theme: themeShape,
  timeout: nullable(seconds(0.001)),
  trustHost: boolean,
  trustedOrigins: trustedOriginList,
  useSecureCookies: boolean,
} satisfies Record<keyof ServerAuthConfig, Check<unknown>>)

/** Returns the resolved configuration. Throws an `AuthError` that says what to change. Does not modify `config`. */
export function resolveConfig(config: ServerAuthConfig, env = readEnvOf(config), fullStack = false): ResolvedConfig {
  reportConfiguration(config, fullStack)
  return withOwnStores(config, () => resolveOptions(config, env, fullStack))
}

function resolveOptions(config: ServerAuthConfig, env: AuthEnv, fullStack: boolean): ResolvedConfig {
  const options = checkConfig(config, fullStack)
  const { adapter, callbacks, events, pages, timeout, useSecureCookies } = options
  const logger = createLogger(options.logger, options.debug ?? false)
  const { production } = env
  const { linkMaxAge, sessionPrefix } = presetOf(config)
  const cookies = resolveCookies(options.cookies, sessionPrefixOf(config, sessionPrefix))
  const secrets = resolveSecrets(options.secret, env, logger)
  const site = resolveSite(env)
  const trustedOrigins = resolveTrustedOrigins(options, { cookies, production, site })
  const adapterTimeout = (timeout ?? defaultAdapterTimeout) * 1000
  const session = resolveSession(options.session, adapter !== undefined, logger)
  assertCallbacks(callbacks, session)
  const userFields = resolveUserFields(options.session.userFields, adapter)
  const [trustHost, trustRule] = resolveTrust(options.trustHost, env)
  const providers = resolveAllProviders(options, { env, logger, production, secrets, site, linkMaxAge, adapterTimeout })
  const revocationContext = { session, providers, timeout: adapterTimeout, logger }
  const { revocation, stamps } = explainedByPreset(config, () =>
    resolveRevocation(options.session.revocation, adapter, revocationContext),
  )
  const forwardOrigins = options.redirectProxyOrigins
  assertOwnOrigin({ site, trustHost, providers }, { isProxy: forwardOrigins.length > 0, platform: env.platform })
  const memory = siteMemory(secrets[0], cookies.plain.sessionToken.name)
  const shared = { logger, memory, timeout: adapterTimeout }
  const storeOptions = { ...shared, cacheFor: (session.cacheFor ?? 0) * 1000, hasData: session.data ?? false }
  const resolved: ResolvedConfig = definedOnly({
    secrets,
    basePath: resolveBasePath(options.basePath, site?.path),
    site,
    trustHost,
    trustRule,
    trustedOrigins,
    providers,
    session: Object.freeze(definedOnly({ ...session, revocation, stamps, userFields })),
    logoutTokens: resolveLogoutTokens(options, { providers, timeout: adapterTimeout }),
    memory,
    store: resolveAdapter(adapter, { providers, strategy: session.strategy, revocation }, storeOptions),
    ...resolveFeatures(options, { ...shared, adapter, providers, production, session, revocation }),
    mergeUnverified: options.allowDangerousUnprovedAddressMerge ?? false,
    jwt: resolveJwt(options.jwt, session, logger),
    cookies,
    useSecureCookies,
    callbacks: { ...defaultCallbacks, ...trustedRedirect(trustedOrigins), ...callbacks },
    events,
    ...resolveAppearance(options, logger),
    logger,
    telemetry: options.telemetry,
    checkCsrf: options.skipCSRFCheck === undefined,
    forwardsTo: (origin: string) => forwardOrigins.some((pattern) => pattern.test(origin)),
    timeout: (timeout ?? defaultTimeout) * 1000,
    production,
  })
  checkPages(pages, resolved)
  warnAboutOptions(options, resolved)
  for (const part of [secrets, site, resolved.jwt, resolved.callbacks, resolved.theme]) Object.freeze(part)
  return Object.freeze(resolved)
}

type ProviderContextOfConfig = Parameters<typeof resolveProviders>[1]

/** Returns the providers, with the options of the configuration that apply to all of them. */
function resolveAllProviders(
  { adapter, experimental, providers, rateLimit, redirectProxyUrl }: ReturnType<typeof configShape>,
  known: Omit<ProviderContextOfConfig, 'adapter' | 'enableWebAuthn' | 'mailLimit' | 'redirectProxyUrl'>,
): ResolvedConfig['providers'] {
  return resolveProviders(providers, {
    ...known,
    adapter,
    enableWebAuthn: experimental.enableWebAuthn ?? false,
    mailLimit: mailLimitOf(rateLimit),
    redirectProxyUrl: redirectProxyUrl ?? proxyUrl('AUTH_REDIRECT_PROXY_URL', known.env.redirectProxyUrl),
  })
}

/** Returns the options of pages and languages. */
function resolveAppearance({ pages, theme, i18n }: ReturnType<typeof configShape>, logger: Logger) {
  return { pages, theme: { colorScheme: 'auto' as const, ...theme }, languages: resolveLanguages(i18n, logger) }
}

/** Checks whether Express called it with a request: `app.use(ServerAuth)` compiles. */
function isCalledByExpress(config: unknown): boolean {
  return isRecord(config) && 'socket' in config && 'headers' in config
}

function checkConfig(config: ServerAuthConfig, fullStack: boolean): ReturnType<typeof configShape> {
  if (config === undefined) {
    throw new InvalidConfiguration('No configuration. Call ServerAuth({ providers: [ … ] }).')
  }
  if (isCalledByExpress(config)) {
    throw new InvalidConfiguration(
      "ServerAuth was called by Express, and not by you: it takes your configuration. Write `app.use('/auth', ServerAuth({ providers: [ … ] }))`.",
    )
  }
  // Only the full-stack integration calls `authorized`. Elsewhere it would look like a guard without being one.
  const callbacks: FullStackCallbacksOptions | undefined = config?.callbacks
  if (!fullStack && callbacks?.authorized !== undefined) {
    throw new InvalidConfiguration(
      `There is no option ${quoteOption('callbacks.authorized')} here: it belongs to initAuth of server-auth/shim and server-auth/next. Guard routes of Express with requireSession.`,
    )
  }
  return configShape('', withPreset(config))
}

/** Warns about options that the developer should know, and logs the rule by which hosts are trusted. */
function warnAboutOptions(
  options: ReturnType<typeof configShape>,
  { logger, trustHost, trustRule, providers, site, production }: ResolvedConfig,
) {
  if (production && site?.origin.startsWith('http:') && !isLocalOrigin(site.origin)) {
    logger.warn(
      'insecure-url',
      'AUTH_URL begins with http://, so anyone on the network can read session cookies. Set it to the https:// URL of your site.',
    )
  }
  if (options.experimental.enableWebAuthn) {
    logger.warn('experimental-webauthn', 'Passkeys are experimental: their options may change.')
  }
  if (options.allowDangerousUnprovedAddressMerge) {
    logger.warn(
      'dangerous-merge',
      "A user who signed up with another user's email address shares the account of its owner, who verifies it later (`allowDangerousUnprovedAddressMerge`).",
    )
  }
  if (options.skipCSRFCheck) {
    logger.warn('csrf-disabled', 'The CSRF check is off. Keep it on unless your framework has an equal one.')
  }
  if (options.debug) {
    logger.warn(
      'debug-enabled',
      'Debug messages are on. They contain no secrets, but they are many. Turn them off in production.',
    )
  }
  logger.debug('configuration resolved', { trustHost, rule: trustRule, providers: [...providers.keys()] })
}
