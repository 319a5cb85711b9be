/** Resolves the developer's configuration into a frozen one, once. Wrong options throw here and nowhere later. */

import { type AuthEnv, readEnv } from '../base/env.js'
import { isRecord } from '../base/guards.js'
import { createLogger, type Logger } from '../base/logger.js'
import { siteMemory } from '../base/memory.js'
import type { ResolvedConfig } from '../contracts/index.js'
import { InvalidConfiguration } from '../errors.js'
import type { EventCallbacks, ServerAuthConfig } from '../types/config.js'
import type { LoggerInstance } from '../types/logger.js'
import { skipCSRFCheck } from '../types/symbols.js'
import { resolveCookies } from './cookies.js'
import { defaultAdapterTimeout, defaultCallbacks, defaultTimeout } from './defaults.js'
import { resolveAdapter } from './resolve-adapter.js'
import { resolvePages, resolveTheme } from './resolve-look.js'
import { resolveProviders } from './resolve-provider.js'
import { assertOwnOrigin, resolveForwarding, resolveProxyUrl } from './resolve-redirect-proxy.js'
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
export function resolveConfig(config: ServerAuthConfig, env: AuthEnv = readEnv(), fullStack = false): ResolvedConfig {
  const options = readOptions(config)
  const debug = assertBoolean('debug', options.debug) ?? false
  const logger = resolveLogger(options.logger, debug)
  const resolved: ResolvedConfig = { ...resolveParts(options, env, logger), ...resolveRest(options, logger, fullStack) }
  tell(resolved, debug)
  return deepFreeze(resolved)
}

function readOptions(config: ServerAuthConfig): Options {
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
  return options
}

/** What depends on each other, or on the environment. */
function resolveParts(options: Options, env: AuthEnv, logger: Logger) {
  const { production } = env
  const secrets = resolveSecrets(options.secret, env, logger)
  const site = resolveSite(env)
  const session = resolveSession(options.session, options.adapter !== undefined, logger)
  const [trustHost, trustRule] = resolveTrust(assertBoolean('trustHost', options.trustHost), env)
  const redirectProxyUrl = resolveProxy(options, env)
  const enableWebAuthn = resolveExperimental(options.experimental, logger)
  const surroundings = { env, logger, enableWebAuthn, redirectProxyUrl, production, secrets, site }
  const providers = resolveProviders(options.providers, surroundings)
  const { timeout, adapter } = resolveTimeouts(options.timeout)
  const { lends, forwardsTo } = resolveForwarding(options.redirectProxyOrigins)
  assertOwnOrigin({ ...(site && { site }), trustHost, providers }, { lends, platform: env.platform })
  const cookies = resolveCookies(options.cookies)
  const memory = siteMemory(secrets[0], cookies.plain.sessionToken.name)
  const store = resolveAdapter(
    options.adapter,
    { providers, strategy: session.strategy },
    { logger, memory, ...adapter },
  )
  return {
    secrets,
    basePath: resolveBasePath(options.basePath, site?.path),
    ...(site && { site }),
    trustHost,
    trustRule,
    providers,
    session,
    memory,
    ...(store && { store }),
    jwt: resolveJwt(options.jwt, session.maxAge, logger),
    cookies,
    pages: resolvePages(options.pages, site?.origin, logger),
    forwardsTo,
    timeout,
    production,
  }
}

/** What stands for itself. */
function resolveRest(options: Options, logger: Logger, fullStack: boolean) {
  const useSecureCookies = assertBoolean('useSecureCookies', options.useSecureCookies)
  return {
    mergeUnproved: resolveMerge(options.allowDangerousUnprovedAddressMerge, logger),
    ...(useSecureCookies !== undefined && { useSecureCookies }),
    callbacks: { ...defaultCallbacks, ...resolveCallbacks(options.callbacks, fullStack) },
    events: functions('events', options.events, eventKeys) as Partial<EventCallbacks>,
    theme: resolveTheme(options.theme),
    logger,
    checkCsrf: resolveCsrf(options.skipCSRFCheck, logger),
  }
}

function resolveProxy({ redirectProxyUrl }: Options, env: AuthEnv): string | undefined {
  return (
    resolveProxyUrl('redirectProxyUrl', assertText('redirectProxyUrl', redirectProxyUrl)) ??
    resolveProxyUrl('AUTH_REDIRECT_PROXY_URL', env.redirectProxyUrl)
  )
}

/** Milliseconds for calls in general, and for the adapter: one value of the developer's is meant for both. */
function resolveTimeouts(value: unknown): { timeout: number; adapter: { timeout: number } } {
  const milliseconds = (preset: number) => assertSeconds('timeout', value ?? preset, 0.001) * 1000
  return { timeout: milliseconds(defaultTimeout), adapter: { timeout: milliseconds(defaultAdapterTimeout) } }
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

/** `authorized` is asked by the full-stack integration alone: a guard that nobody asks must not look like one. */
function resolveCallbacks(value: unknown, fullStack: boolean): Options {
  const options = assertOptions('callbacks', value)
  if (!fullStack && options.authorized !== undefined) {
    throw new InvalidConfiguration(
      `There is no option ${quote('callbacks.authorized')} here: it belongs to initAuth of server-auth/shim and server-auth/next. Guard routes of Express with requireSession.`,
    )
  }
  return functions('callbacks', options, callbackKeys)
}

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
      'Who signed up with an address that was not theirs shares the account of its owner, who proves it later (`allowDangerousUnprovedAddressMerge`).',
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
