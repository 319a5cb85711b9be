/** The input of the checks: the environment, the packages, and the resolved configuration. */
import { type AuthEnv, type EnvVariable, listVariables, readEnv } from '../../base/env.js'
import { isRecord } from '../../base/guards.js'
import { resolveConfig } from '../../config/resolve.js'
import type { ResolvedConfig } from '../../contracts/index.js'
import { isLocalOrigin } from '../../http/ip-addresses.js'
import { AuthUrls } from '../../http/urls.js'
import type { FullStackAuthConfig } from '../../types/config.js'
import type { Loaded } from './load.js'
import { installedVersion, type OwnPackage, readOwnPackage } from './packages.js'
import { findProblems, type Rejection } from './problems.js'

/** The input of the checks. */
export interface DoctorContext {
  readonly env: AuthEnv
  readonly variables: readonly EnvVariable[]
  readonly node: string
  readonly own: OwnPackage
  /** Returns the version of a package; `undefined` if it is not installed. */
  installed(name: string): string | undefined
  readonly loaded: Loaded
  /** The original configuration. Absent if the module could not be loaded. */
  readonly config?: FullStackAuthConfig
  /** The resolved configuration, without the rejected parts. Absent if nothing of it is valid. */
  readonly resolved?: ResolvedConfig
  /** The errors of the engine, in the order in which it throws them. */
  readonly rejections: readonly Rejection[]
  /** The names of the rejected options, which were left out or replaced. */
  readonly changed: ReadonlySet<string>
  /** The warnings of the engine. */
  readonly warnings: ReadonlyArray<{ readonly code: string; readonly text: string }>
  /** The URL of the running site, if given. */
  readonly url?: URL
}

/** The input with a valid configuration. */
export type ValidDoctorContext = DoctorContext & {
  readonly config: FullStackAuthConfig
  readonly resolved: ResolvedConfig
}

/** Creates the input. @param url The URL of the running site. */
export function createDoctorContext(loaded: Loaded, options: { file?: string; url?: URL | undefined }): DoctorContext {
  const read = readEnv()
  // A public site is checked by the rules of production, even if the doctor runs elsewhere.
  const production = read.production || (options.url !== undefined && !isLocalOrigin(options.url.origin))
  const env: AuthEnv = { ...read, production }
  return {
    variables: listVariables(),
    node: process.versions.node,
    own: readOwnPackage(),
    installed: (name) => installedVersion(name, options.file),
    loaded,
    ...(options.url && { url: options.url }),
    ...resolveIn(env, loaded),
  }
}

type Resolution = Pick<DoctorContext, 'config' | 'resolved' | 'rejections' | 'changed' | 'warnings' | 'env'>

function resolveIn(env: AuthEnv, loaded: Loaded): Resolution {
  if (loaded.kind === 'refused') return { env, rejections: [loaded], changed: new Set(), warnings: [] }
  const { config } = loaded
  let warnings: Array<{ code: string; text: string }> = []
  const logger = {
    error: () => {},
    warn: (code: string, ...details: unknown[]) => void warnings.push({ code, text: details.filter(isText).join(' ') }),
    debug: () => {},
  }
  const isFullStack = loaded.isFullStack || isRecord(config.callbacks?.authorized)
  const basePath = isFullStack && config.basePath === undefined && !urlPath(env.url) ? { basePath: '/api/auth' } : {}
  const found = findProblems({ config, env }, (attempt) => {
    // The warnings of the last attempt remain.
    warnings = []
    return resolveConfig({ ...attempt.config, ...basePath, logger }, attempt.env, true)
  })
  const { resolved, changed, rejections } = found
  const thrown = rejections.length === 0 && loaded.thrown ? [loaded.thrown] : []
  return {
    env: found.env,
    config: found.config,
    ...(resolved && { resolved }),
    rejections: [...rejections, ...thrown],
    changed,
    warnings,
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function urlPath(url: string | undefined): string {
  return url !== undefined && URL.canParse(url) ? new URL(url).pathname.replace(/\/+$/, '') : ''
}

/** Checks whether the configuration is valid. */
export function hasValidConfiguration(scene: DoctorContext): scene is ValidDoctorContext {
  return scene.resolved !== undefined && scene.config !== undefined
}

/** Returns the site's origin, if known without a request. */
export function siteOrigin({ resolved, url }: ValidDoctorContext): string | undefined {
  return resolved.site?.origin ?? url?.origin
}

/** Returns the URLs of the routes; `undefined` if the site is unknown. */
export function siteUrls(scene: ValidDoctorContext): AuthUrls | undefined {
  const origin = siteOrigin(scene)
  return origin === undefined ? undefined : new AuthUrls(origin, siteMount(scene))
}

/** Returns the path of the routes, by the configuration and the URLs. */
export function siteMount({ resolved, config, url }: ValidDoctorContext): string {
  const path = url?.pathname.replace(/\/+$/, '') ?? ''
  if (resolved.site?.path || config.basePath !== undefined || path === '')
    return resolved.site?.path || resolved.basePath
  return path
}
