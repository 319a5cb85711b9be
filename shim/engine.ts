/** The engine of an `initAuth`. It is resolved at the first use, because builds load modules without an environment. */
import type { AuthEnv } from '../lib/base/env.js'
import { isRecord } from '../lib/base/guards.js'
import { mapMaybePromise } from '../lib/base/maybe-promise.js'
import { perOwner } from '../lib/base/memory.js'
import { readEnvOf, resolveSite, trustsProxyHeaders } from '../lib/config/site.js'
import { InvalidConfiguration } from '../lib/errors.js'
import type { SessionReader } from '../lib/session/reader.js'
import type { FullStackAuthConfig, FullStackCallbacksOptions } from '../lib/types/config.js'
import {
  type ConfigurationSource,
  configurationFor,
  isConfigurationSource,
  type ReceivedRequest,
} from '../lib/types/configuration-source.js'
import type { Awaitable } from '../lib/types/identity.js'

/** The argument of `initAuth`: a configuration, a function that returns one for a request, or the result of `tenants`. */
export type ConfigSource =
  | FullStackAuthConfig
  | ((request: Request | undefined) => Awaitable<FullStackAuthConfig>)
  | ConfigurationSource<FullStackAuthConfig>

/** A configuration with its engine. `auth` reads sessions, and does everything else on Node. */
export interface ConfiguredEngine<A extends SessionReader = SessionReader> {
  readonly auth: A
  /** The configuration object by which the functions of both integrations find the same engine. */
  readonly config: FullStackAuthConfig
  /** `true` if `X-Forwarded-*` are trusted by the developer or the platform. Development alone does not trust them. */
  readonly trustsProxy: boolean
  readonly authorized: FullStackCallbacksOptions['authorized']
}

/** A function that returns the engine for a request. Throws or rejects at each call if the configuration is invalid. */
export type EngineResolver<A extends SessionReader = SessionReader> = (
  request?: Request,
) => Awaitable<ConfiguredEngine<A>>

/**
 * Checks a configuration's type now, and resolves it at the first call. The results of a function are compared by
 * identity.
 */
export function createEngineResolver<A extends SessionReader>(
  source: ConfigSource,
  authOf: (config: FullStackAuthConfig) => A,
  receive?: (request: Request | undefined) => Awaitable<ReceivedRequest>,
): EngineResolver<A> {
  const resolved = perOwner((config: FullStackAuthConfig): ConfiguredEngine<A> => {
    const env = readEnvOf(config)
    const withDefaults = withBasePath(config, env)
    const auth = authOf(withDefaults)
    const { authorized }: FullStackCallbacksOptions = auth.config.callbacks
    return { auth, config: withDefaults, trustsProxy: trustsProxyHeaders(config.trustHost, env), authorized }
  })
  if (isConfigurationSource<FullStackAuthConfig>(source)) {
    if (!receive) throw new InvalidConfiguration('`tenants` needs Node.js, but this is an edge runtime.')
    return (request) => mapMaybePromise(receive(request), (received) => source[configurationFor](received, resolved))
  }
  if (typeof source !== 'function') {
    assertShape(source)
    return () => resolved(source)
  }
  const seen = new WeakSet<object>()
  let objects = 0
  return async function engineOf(request) {
    const config = await source(request)
    assertShape(config)
    const engine = resolved(config)
    if (!seen.has(config)) {
      seen.add(config)
      objects += 1
      if (objects === maxConfigObjects) engine.auth.config.logger.warn('lazy-config', tooManyConfigsMessage)
    }
    return engine
  }
}

/** The number of objects at which a function seems to create a new one for each request. */
const maxConfigObjects = 100

const tooManyConfigsMessage = `The function given to initAuth has returned ${maxConfigObjects} different objects. Return the same object for the same settings. Each new one is validated again, repeats its warnings, and fetches the metadata of providers again.`

/** Checks the type of a configuration, independent of the environment. @throws {@link InvalidConfiguration} */
function assertShape(config: unknown): void {
  if (isRecord(config) && Array.isArray(config.providers)) return
  throw new InvalidConfiguration(
    'initAuth takes a configuration, `initAuth({ providers: [ … ] })`, or a function that returns one.',
  )
}

/** Returns the configuration with the default base path `/api/auth` of full-stack frameworks, instead of `/auth`. */
function withBasePath(config: FullStackAuthConfig, env: AuthEnv): FullStackAuthConfig {
  if (config.basePath !== undefined || resolveSite(env)?.path) return config
  return { ...config, basePath: '/api/auth' }
}
