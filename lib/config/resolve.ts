/** Resolves the developer's configuration into a frozen one, once. Wrong options throw here and nowhere later. */
import type { ResolvedConfig } from '../context.js'
import { type AuthEnv, readEnv } from '../env.js'
import { InvalidConfiguration } from '../errors.js'
import { isRecord } from '../guards.js'
import { createLogger, type Logger, type LoggerInstance } from '../logger.js'
import { skipCSRFCheck } from '../symbols.js'
import type { EventCallbacks, ServerAuthConfig } from '../types.js'
import { resolveCookies } from './cookies.js'
import { defaultCallbacks, defaultTimeout } from './defaults.js'
import { resolveAdapter } from './resolve-adapter.js'
import { resolvePages, resolveTheme } from './resolve-look.js'
import { resolveProviders } from './resolve-provider.js'
import { resolveForwarding, resolveProxyUrl } from './resolve-redirect-proxy.js'
import { resolveSecrets } from './resolve-secrets.js'
import { resolveJwt, resolveSession } from './resolve-session.js'
import { resolveBasePath, resolveSite, resolveTrust } from './resolve-site.js'
import {
  assertBoolean,
  assertFunctions,
  assertKnownKeys,
  assertOptions,
  assertSeconds,
  assertText,
  describe,
  type Options,
  quote,
} from './validate.js'

const configKeys = [
  'providers',
  'adapter',
  'allowDangerousUnprovedAddressMerge',
  'basePath',
  'callbacks',
  'cookies',
  'debug',
  'events',
  'experimental',
  'jwt',
  'logger',
  'pages',
  'redirectProxyUrl',
  'redirectProxyOrigins',
  'secret',
  'session',
  'skipCSRFCheck',
  'theme',
  'timeout',
  'trustHost',
  'useSecureCookies',
] as const satisfies ReadonlyArray<keyof ServerAuthConfig>

/** `app.use(ServerAuth)` compiles, and then Express calls it with a request. */
function isCalledByExpress(config: unknown): boolean {
  return isRecord(config) && 'socket' in config && 'headers' in config
}

/** The resolved configuration. Throws an `AuthError` that says what to change. Never writes to `config`. */
export function resolveConfig(config: ServerAuthConfig, env: AuthEnv = readEnv()): ResolvedConfig {
  if (config === undefined) {
    throw new InvalidConfiguration('No configuration. Call ServerAuth({ providers: [ … ] }).')
  }
  if (isCalledByExpress(config)) {
    throw new InvalidConfiguration(
      "ServerAuth was called by Express, and not by you: it takes your configuration. Write `app.use('/auth', ServerAuth({ providers: [ … ] }))`.",
    )
  }
  const options = assertOptions('config', config)
  assertKnownKeys('', options, configKeys)
  const debug = assertBoolean('debug', options.debug) ?? false
  const logger = resolveLogger(options.logger, debug)
  const secrets = resolveSecrets(options.secret, env, logger)
  const site = resolveSite(env)
  const session = resolveSession(options.session, options.adapter !== undefined, logger)
  const trust = resolveTrust(assertBoolean('trustHost', options.trustHost), env)
  const redirectProxyUrl =
    resolveProxyUrl('redirectProxyUrl', assertText('redirectProxyUrl', options.redirectProxyUrl)) ??
    resolveProxyUrl('AUTH_REDIRECT_PROXY_URL', env.redirectProxyUrl)
  const useSecureCookies = assertBoolean('useSecureCookies', options.useSecureCookies)
  const enableWebAuthn = resolveExperimental(options.experimental, logger)
  const providers = resolveProviders(options.providers, {
    env,
    logger,
    enableWebAuthn,
    redirectProxyUrl,
    production: env.production,
    secrets,
    site,
  })
  const timeout = assertSeconds('timeout', options.timeout ?? defaultTimeout, 0.001) * 1000
  const store = resolveAdapter(options.adapter, { providers, strategy: session.strategy }, { logger, timeout })
  const resolved: ResolvedConfig = {
    secrets,
    basePath: resolveBasePath(options.basePath, site?.path),
    ...(site && { site }),
    trustHost: trust[0],
    trustRule: trust[1],
    providers,
    session,
    ...(store && { store }),
    mergeUnproved: resolveMerge(options.allowDangerousUnprovedAddressMerge, logger),
    jwt: resolveJwt(options.jwt, session.maxAge, logger),
    cookies: resolveCookies(options.cookies),
    ...(useSecureCookies !== undefined && { useSecureCookies }),
    callbacks: { ...defaultCallbacks, ...functions('callbacks', options.callbacks, callbackKeys) },
    events: functions('events', options.events, eventKeys) as Partial<EventCallbacks>,
    pages: resolvePages(options.pages, site?.origin, logger),
    theme: resolveTheme(options.theme),
    logger,
    forwardsTo: resolveForwarding(options.redirectProxyOrigins),
    checkCsrf: resolveCsrf(options.skipCSRFCheck, logger),
    timeout,
    production: env.production,
  }
  warnOfSquatting(resolved)
  tell(resolved, debug)
  return deepFreeze(resolved)
}

/** An encrypted token cannot be ended from elsewhere: whoever signs up with another's address would keep its owner out. */
function warnOfSquatting({ providers, session, logger, mergeUnproved }: ResolvedConfig): void {
  const signsUp = [...providers.values()].some(
    (each) => each.kind === 'webauthn' && Object.keys(each.formFields).length > 0,
  )
  if (!signsUp || session.strategy === 'database' || mergeUnproved) return
  logger.warn(
    'passkey-sign-up-jwt',
    'With JWT sessions the owner of an address cannot sign up any more when somebody else did with a passkey. Use database sessions, or `formFields: {}` to let nobody make an account with a passkey.',
  )
}

function tell({ logger, trustHost, trustRule, providers }: ResolvedConfig, debug: boolean): void {
  if (debug) {
    logger.warn(
      'debug-enabled',
      'Debug messages are on. They hold no secrets, but they are many: turn them off in production.',
    )
  }
  logger.debug('configuration resolved', { trustHost, rule: trustRule, providers: [...providers.keys()] })
}

const callbackKeys = ['signIn', 'redirect', 'jwt', 'session', 'authorized']
const eventKeys = ['signIn', 'signOut', 'createUser', 'updateUser', 'linkAccount', 'session', 'failure']

/** The known functions of an object, as its methods: an object of a class has them on its prototype, and needs `this`. */
function functions(name: string, value: unknown, known: readonly string[]): Options {
  const options = assertOptions(name, value)
  assertKnownKeys(name, options, known)
  const chosen = known.flatMap((key) => (options[key] === undefined ? [] : [[key, options[key]] as const]))
  assertFunctions(name, Object.fromEntries(chosen))
  return Object.fromEntries(chosen.map(([key, method]) => [key, (method as () => unknown).bind(options)]))
}

function resolveLogger(value: unknown, debug: boolean): Logger {
  const options = assertOptions('logger', value)
  for (const level of ['error', 'warn', 'debug']) {
    if (options[level] !== undefined && typeof options[level] !== 'function') {
      throw new InvalidConfiguration(`${quote(`logger.${level}`)} must be a function, not ${describe(options[level])}.`)
    }
  }
  return createLogger(options as Partial<LoggerInstance>, debug)
}

function resolveExperimental(value: unknown, logger: Logger): boolean {
  const options = assertOptions('experimental', value)
  assertKnownKeys('experimental', options, ['enableWebAuthn'])
  const enabled = assertBoolean('experimental.enableWebAuthn', options.enableWebAuthn) ?? false
  if (enabled) logger.warn('experimental-webauthn', 'Passkeys are experimental: their options may change.')
  return enabled
}

function resolveMerge(value: unknown, logger: Logger): boolean {
  const allowed = assertBoolean('allowDangerousUnprovedAddressMerge', value) ?? false
  if (allowed) {
    logger.warn(
      'dangerous-merge',
      'Who signed up with an address that was not theirs keeps access after its owner proved it (`allowDangerousUnprovedAddressMerge`).',
    )
  }
  return allowed
}

function resolveCsrf(value: unknown, logger: Logger): boolean {
  if (value === undefined) return true
  if (value !== skipCSRFCheck) {
    throw new InvalidConfiguration(
      `${quote('skipCSRFCheck')} takes only the symbol that server-auth exports under this name.`,
    )
  }
  logger.warn('csrf-disabled', 'The CSRF check is off. Keep it on unless your framework makes an equal one.')
  return false
}

/** Freezes the records that we made; functions, keys and the developer's own objects are left alone. */
function deepFreeze(config: ResolvedConfig): ResolvedConfig {
  const { secure, plain } = config.cookies
  for (const policy of [secure, plain]) {
    for (const cookie of Object.values(policy)) Object.freeze(Object.freeze(cookie).options)
    Object.freeze(policy)
  }
  for (const part of [
    config.secrets,
    config.site,
    config.session,
    config.jwt,
    config.cookies,
    config.callbacks,
    config.events,
    config.pages,
    config.theme,
  ]) {
    Object.freeze(part)
  }
  return Object.freeze(config)
}
