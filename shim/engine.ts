/** The engine behind an `initAuth`: resolved when it is first needed, because a build loads modules without an environment. */
import { type AuthEnv, readEnv } from '../lib/base/env.js'
import { isRecord } from '../lib/base/guards.js'
import { perOwner } from '../lib/base/memory.js'
import { resolveSite, resolveTrust } from '../lib/config/site.js'
import { InvalidConfiguration } from '../lib/errors.js'
import type { SessionReader } from '../lib/session/reader.js'
import type { FullStackAuthConfig, FullStackCallbacksOptions } from '../lib/types/config.js'
import type { Awaitable } from '../lib/types/identity.js'

/** What `initAuth` takes: a configuration, or a function that finds one for a request. */
export type ConfigSource = FullStackAuthConfig | ((request: Request | undefined) => Awaitable<FullStackAuthConfig>)

/** A configuration at work: `auth` reads sessions, and does all else where Node is. */
export interface Engine<A extends SessionReader = SessionReader> {
  readonly auth: A
  /** By this object the functions that both doors share find the same engine. */
  readonly config: FullStackAuthConfig
  /** Whether `X-Forwarded-*` count: the developer or the platform says so. That this is no production is not enough. */
  readonly trustsProxy: boolean
  readonly authorized: FullStackCallbacksOptions['authorized']
}

/** Finds the engine for a request. Throws or rejects for a configuration that cannot work, each time. */
export type EngineOf<A extends SessionReader = SessionReader> = (request?: Request) => Awaitable<Engine<A>>

/** Looks at a configuration's shape now, and resolves it at the first call. A function's results are told apart by identity. */
export function createEngineOf<A extends SessionReader>(
  source: ConfigSource,
  authOf: (config: FullStackAuthConfig) => A,
): EngineOf<A> {
  const resolved = perOwner((config: FullStackAuthConfig): Engine<A> => {
    const env = readEnv()
    const own = withBasePath(config, env)
    const auth = authOf(own)
    const { authorized }: FullStackCallbacksOptions = auth.config.callbacks
    const [trusted] = resolveTrust(config.trustHost, { ...env, url: undefined, production: true })
    return { auth, config: own, trustsProxy: trusted === true, authorized }
  })
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
      if (objects === manyObjects) engine.auth.config.logger.warn('lazy-config', lazyConfig)
    }
    return engine
  }
}

/** How many objects a function returns before it is taken for one that makes a new one for each request. */
const manyObjects = 100

const lazyConfig = `The function given to initAuth has returned ${manyObjects} different objects. Return the same object for the same settings: each one is checked and set up anew, its warnings are said again, and what providers say about themselves is fetched again.`

/** @throws {@link InvalidConfiguration} for what is no configuration, whatever the environment says. */
function assertShape(config: unknown): void {
  if (isRecord(config) && Array.isArray(config.providers)) return
  throw new InvalidConfiguration(
    'initAuth takes a configuration, `initAuth({ providers: [ … ] })`, or a function that returns one.',
  )
}

/** Elsewhere the endpoints are under `/auth`; a full-stack framework keeps them with its API. */
function withBasePath(config: FullStackAuthConfig, env: AuthEnv): FullStackAuthConfig {
  if (config.basePath !== undefined || resolveSite(env)?.path) return config
  return { ...config, basePath: '/api/auth' }
}
