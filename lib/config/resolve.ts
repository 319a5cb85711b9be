/** Resolves the developer's configuration into a frozen one, once. Wrong options throw here and nowhere later. */
import type { ResolvedConfig } from '../context.js'
import { randomText } from '../crypto/random.js'
import { type AuthEnv, readEnv } from '../env.js'
import { InvalidConfiguration, MissingAdapter, MissingSecretError, UnsupportedStrategy } from '../errors.js'
import * as jwt from '../jwt.js'
import { createLogger, type Logger, type LoggerInstance } from '../logger.js'
import { skipCSRFCheck } from '../symbols.js'
import type { EventCallbacks, PagesOptions, ServerAuthConfig, Theme } from '../types.js'
import { resolveCookies } from './cookies.js'
import { defaultCallbacks, defaultMaxAge, defaultTimeout, defaultUpdateAge } from './defaults.js'
import { resolveProviders } from './resolve-provider.js'
import {
  assertBoolean,
  assertFunctions,
  assertKnownKeys,
  assertOptions,
  assertSeconds,
  assertText,
  assertUrl,
  describe,
  type Options,
  quote,
} from './validate.js'

const configKeys = [
  'providers',
  'adapter',
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
  'secret',
  'session',
  'skipCSRFCheck',
  'theme',
  'timeout',
  'trustHost',
  'useSecureCookies',
] as const satisfies ReadonlyArray<keyof ServerAuthConfig>

/** The resolved configuration. Throws an `AuthError` that says what to change. Never writes to `config`. */
export function resolveConfig(config: ServerAuthConfig, env: AuthEnv = readEnv()): ResolvedConfig {
  if (config === undefined) {
    throw new InvalidConfiguration('No configuration. Call ServerAuth({ providers: [ … ] }).')
  }
  const options = assertOptions('config', config)
  assertKnownKeys('', options, configKeys)
  const debug = assertBoolean('debug', options.debug) ?? false
  const logger = resolveLogger(options.logger, debug)
  const secrets = resolveSecrets(options.secret, env, logger)
  const site = resolveSite(env)
  const session = resolveSession(options.session, options.adapter)
  const trust = resolveTrust(assertBoolean('trustHost', options.trustHost), env)
  const useSecureCookies = assertBoolean('useSecureCookies', options.useSecureCookies)
  const enableWebAuthn = resolveExperimental(options.experimental, logger)
  const resolved: ResolvedConfig = {
    secrets,
    basePath: resolveBasePath(options.basePath, site?.path),
    ...(site && { site }),
    trustHost: trust[0],
    trustRule: trust[1],
    providers: resolveProviders(options.providers, { env, logger, enableWebAuthn, production: env.production }),
    session,
    jwt: resolveJwt(options.jwt, session.maxAge),
    cookies: resolveCookies(options.cookies),
    ...(useSecureCookies !== undefined && { useSecureCookies }),
    callbacks: { ...defaultCallbacks, ...functions('callbacks', options.callbacks, callbackKeys) },
    events: functions('events', options.events, eventKeys) as Partial<EventCallbacks>,
    pages: resolvePages(options.pages, site?.origin, logger),
    theme: resolveTheme(options.theme),
    logger,
    checkCsrf: resolveCsrf(options.skipCSRFCheck, logger),
    timeout: assertSeconds('timeout', options.timeout ?? defaultTimeout, 0.001) * 1000,
    production: env.production,
  }
  if (debug)
    logger.warn(
      'debug-enabled',
      'Debug messages are on. They hold no secrets, but they are many: turn them off in production.',
    )
  logger.debug('configuration resolved', {
    trustHost: trust[0],
    rule: trust[1],
    providers: [...resolved.providers.keys()],
  })
  return deepFreeze(resolved)
}

const callbackKeys = ['signIn', 'redirect', 'jwt', 'session', 'authorized']
const eventKeys = ['signIn', 'signOut', 'createUser', 'updateUser', 'linkAccount', 'session']

function functions(name: string, value: unknown, known: readonly string[]): Options {
  const options = assertOptions(name, value)
  assertKnownKeys(name, options, known)
  assertFunctions(name, options)
  return Object.fromEntries(Object.entries(options).filter(([, entry]) => entry !== undefined))
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

const howToMakeASecret = 'Make one with `npx server-auth secret` and put it into AUTH_SECRET.'

function resolveSecrets(value: unknown, env: AuthEnv, logger: Logger): readonly [string, ...string[]] {
  const given: unknown[] = value === undefined ? env.secrets : Array.isArray(value) ? value : [value]
  for (const secret of given) {
    if (typeof secret === 'string' && secret !== '') continue
    throw new MissingSecretError(`${quote('secret')} must not be ${describe(secret)}. ${howToMakeASecret}`)
  }
  const [first, ...others] = given as string[]
  if (first === undefined) {
    if (value !== undefined) throw new MissingSecretError(`${quote('secret')} is an empty array. ${howToMakeASecret}`)
    if (env.production) throw new MissingSecretError(`There is no secret. ${howToMakeASecret}`)
    return [developmentSecret(logger)]
  }
  if (first.length < 32) {
    logger.warn('short-secret', `The secret has fewer than 32 characters and may be guessed. ${howToMakeASecret}`)
  }
  return [first, ...others]
}

/** One random secret for this process, so that all configurations in it read each other's sessions. */
const processSecret: string[] = []

function developmentSecret(logger: Logger): string {
  const [known] = processSecret
  if (known !== undefined) return known
  const secret = randomText(32)
  processSecret.push(secret)
  logger.warn(
    'missing-secret',
    `There is no secret, so sessions end when this process does. Run \`npx server-auth secret --write\` for a lasting one. In production this is an error.`,
  )
  return secret
}

function resolveSite(env: AuthEnv): { origin: string; path: string } | undefined {
  if (env.url === undefined) return undefined
  const url = assertUrl('AUTH_URL', env.url)
  if (url.search || url.hash) {
    throw new InvalidConfiguration(
      '`AUTH_URL` must have no query and no fragment: it is the URL of your site, such as "https://app.example.com".',
    )
  }
  return { origin: url.origin, path: url.pathname.replace(/\/+$/, '') }
}

function resolveBasePath(value: unknown, sitePath: string | undefined): string {
  const path = assertText('basePath', value) ?? (sitePath || '/auth')
  if (!path.startsWith('/') || /[?#\s]|\/\//.test(path)) {
    throw new InvalidConfiguration(`${quote('basePath')} must be a path that begins with one slash, such as "/auth".`)
  }
  return path.replace(/\/$/, '')
}

function resolveTrust(option: boolean | undefined, env: AuthEnv): [trusted: boolean, rule: string] {
  if (env.url !== undefined) return [option ?? true, 'AUTH_URL is the site: the Host header is not used']
  if (option !== undefined) return [option, '`trustHost` in the configuration']
  if (env.trustHost !== undefined) return [env.trustHost, 'AUTH_TRUST_HOST']
  if (env.platform !== undefined) return [true, `running on ${env.platform}`]
  return env.production
    ? [false, 'production without AUTH_URL, AUTH_TRUST_HOST or `trustHost`']
    : [true, 'not production']
}

function resolveSession(value: unknown, adapter: unknown): ResolvedConfig['session'] {
  const options = assertOptions('session', value)
  assertKnownKeys('session', options, ['strategy', 'maxAge', 'updateAge', 'generateSessionToken', 'bearer'])
  const { strategy } = options
  if (strategy !== undefined && strategy !== 'jwt' && strategy !== 'database') {
    throw new InvalidConfiguration(`${quote('session.strategy')} must be "jwt" or "database".`)
  }
  if (adapter !== undefined) {
    throw new UnsupportedStrategy(
      '`adapter`: this version keeps sessions in encrypted cookies and has no adapters yet. Remove the option.',
    )
  }
  if (strategy === 'database') {
    throw new MissingAdapter('`session.strategy` "database" needs an `adapter`. Set one, or use "jwt".')
  }
  return {
    strategy: 'jwt',
    maxAge: assertSeconds('session.maxAge', options.maxAge ?? defaultMaxAge, 1),
    updateAge: assertSeconds('session.updateAge', options.updateAge ?? defaultUpdateAge, 0),
    bearer: assertBoolean('session.bearer', options.bearer) ?? false,
  }
}

function resolveJwt(value: unknown, sessionMaxAge: number): ResolvedConfig['jwt'] {
  const options = assertOptions('jwt', value)
  assertKnownKeys('jwt', options, ['maxAge', 'encode', 'decode'])
  assertFunctions('jwt', { encode: options.encode, decode: options.decode })
  if (options.encode !== undefined && options.decode === undefined) {
    throw new InvalidConfiguration('`jwt.encode` needs a `jwt.decode` that reads what it writes.')
  }
  return {
    maxAge: assertSeconds('jwt.maxAge', options.maxAge ?? sessionMaxAge, 1),
    encode: (options.encode as typeof jwt.encode | undefined) ?? jwt.encode,
    decode: (options.decode as typeof jwt.decode | undefined) ?? jwt.decode,
  }
}

function resolvePages(value: unknown, origin: string | undefined, logger: Logger): Partial<PagesOptions> {
  const options = assertOptions('pages', value)
  assertKnownKeys('pages', options, ['signIn', 'signOut', 'error', 'verifyRequest', 'newUser'])
  for (const [key, page] of Object.entries(options)) {
    const path = assertText(`pages.${key}`, page)
    if (path === undefined || (path.startsWith('/') && !path.startsWith('//'))) continue
    const url = assertUrl(`pages.${key}`, path)
    if (url.origin !== origin) {
      logger.warn(
        'foreign-page',
        `\`pages.${key}\` leads to another origin, ${url.origin}. A path such as "/sign-in" is usual.`,
      )
    }
  }
  return Object.fromEntries(Object.entries(options).filter(([, page]) => page !== undefined))
}

const colour = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i

function resolveTheme(value: unknown): Theme {
  const options = assertOptions('theme', value)
  assertKnownKeys('theme', options, ['colorScheme', 'logo', 'brandColor', 'buttonText'])
  const { colorScheme = 'auto', logo, brandColor, buttonText } = options
  if (colorScheme !== 'auto' && colorScheme !== 'light' && colorScheme !== 'dark') {
    throw new InvalidConfiguration(`${quote('theme.colorScheme')} must be "auto", "light" or "dark".`)
  }
  for (const [name, chosen] of Object.entries({ brandColor, buttonText })) {
    if (chosen !== undefined && (typeof chosen !== 'string' || !colour.test(chosen))) {
      throw new InvalidConfiguration(`${quote(`theme.${name}`)} must be a colour such as "#3366ff".`)
    }
  }
  const image = assertText('theme.logo', logo)
  if (image !== undefined && !(image.startsWith('/') && !image.startsWith('//'))) assertUrl('theme.logo', image)
  return Object.fromEntries(Object.entries({ ...options, colorScheme }).filter(([, entry]) => entry !== undefined))
}

function resolveExperimental(value: unknown, logger: Logger): boolean {
  const options = assertOptions('experimental', value)
  assertKnownKeys('experimental', options, ['enableWebAuthn'])
  const enabled = assertBoolean('experimental.enableWebAuthn', options.enableWebAuthn) ?? false
  if (enabled) logger.warn('experimental-webauthn', 'Passkeys are experimental: their options may change.')
  return enabled
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
