/**
 * Finds all problems of a configuration. The engine throws at the first one. So the part that causes it is left out or
 * replaced, and the rest is resolved again.
 */
import type { AuthEnv } from '../../base/env.js'
import type { ResolvedConfig } from '../../contracts/index.js'
import { randomText } from '../../crypto/random.js'
import { AuthError, toError } from '../../errors.js'
import type { FullStackAuthConfig } from '../../types/config.js'

/** An error of the engine. */
export interface Rejection {
  readonly type: string
  readonly message: string
}

/** A configuration without the parts that the engine rejects. */
export interface Repaired {
  readonly config: FullStackAuthConfig
  readonly env: AuthEnv
  readonly resolved: ResolvedConfig | undefined
  readonly rejections: readonly Rejection[]
  /** The names of the options that were left out or replaced: `secret`, `AUTH_URL`, `session` … */
  readonly changed: ReadonlySet<string>
}

interface Attempt {
  readonly config: FullStackAuthConfig
  readonly env: AuthEnv
}

interface Repair extends Attempt {
  /** The name of the part that is left out or replaced. */
  readonly part: string
}

type Resolve = (attempt: Attempt) => ResolvedConfig

/** The number of problems after which the search ends. */
const mostProblems = 20

/** Resolves a configuration, and leaves out one part after each rejection until the rest is valid. */
export function findProblems(start: Attempt, resolve: Resolve): Repaired {
  const rejections: Rejection[] = []
  const changed = new Set<string>()
  let { config, env } = start
  while (rejections.length < mostProblems) {
    const result = tryToResolve({ config, env }, resolve)
    if (!('rejection' in result)) return { config, env, resolved: result, rejections, changed }
    const { rejection } = result
    if (!isConsequence(rejection, changed)) rejections.push(rejection)
    const repair = findRepair({ config, env }, rejection, resolve)
    if (!repair) break
    changed.add(repair.part)
    config = repair.config
    env = repair.env
  }
  return { config, env, resolved: undefined, rejections, changed }
}

function tryToResolve(attempt: Attempt, resolve: Resolve): ResolvedConfig | { readonly rejection: Rejection } {
  try {
    return resolve(attempt)
  } catch (error) {
    const type = error instanceof AuthError ? error.type : 'InvalidConfiguration'
    return { rejection: { type, message: toError(error).message } }
  }
}

/** Checks whether an option that was left out causes the rejection of another. */
function isConsequence({ type, message }: Rejection, changed: ReadonlySet<string>): boolean {
  if (type === 'MissingAdapter' && changed.has('adapter')) return true
  return [...changed].some((name) => message.includes(`\`${name}\``) || message.includes(`\`${name}.`))
}

/** Returns the change after which the configuration is valid; otherwise the first one that leads to another error. */
function findRepair(attempt: Attempt, rejection: Rejection, resolve: Resolve): Repair | undefined {
  let next: Repair | undefined
  for (const repair of repairsOf(attempt)) {
    const result = tryToResolve(repair, resolve)
    if (!('rejection' in result)) return repair
    if (result.rejection.message !== rejection.message) next ??= repair
  }
  return next
}

/** Returns all changes of one part. Replacements come first, because nothing else depends on them. */
function repairsOf({ config, env }: Attempt): Repair[] {
  const { providers } = config
  const { url: _url, ...withoutUrl } = env
  const { redirectProxyUrl: _proxy, ...withoutProxy } = env
  const options = Object.keys(config).filter((name) => name !== 'providers' && name !== 'adapter')
  return [
    ...(config.secret === undefined || typeof config.secret === 'string' || Array.isArray(config.secret)
      ? [{ config: { ...config, secret: randomText(32) }, env, part: 'secret' }]
      : []),
    ...(env.url === undefined ? [] : [{ config, env: withoutUrl, part: 'AUTH_URL' }]),
    ...(env.redirectProxyUrl === undefined ? [] : [{ config, env: withoutProxy, part: 'AUTH_REDIRECT_PROXY_URL' }]),
    ...(Array.isArray(providers) ? providers : []).map((_, at) => ({
      config: { ...config, providers: providers.filter((__, other) => other !== at) },
      env,
      part: 'provider',
    })),
    ...[...options, 'adapter'].map((name) => ({ config: withoutOption(config, name), env, part: name })),
  ]
}

function withoutOption(config: FullStackAuthConfig, name: string): FullStackAuthConfig {
  const copy = { ...config }
  Reflect.deleteProperty(copy, name)
  return copy
}
