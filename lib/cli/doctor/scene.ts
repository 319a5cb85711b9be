/** What the checks look at: the environment, the packages, and the configuration as the engine reads it. */
import { type AuthEnv, type EnvVariable, listVariables, readEnv } from '../../base/env.js'
import { isRecord } from '../../base/guards.js'
import { resolveConfig } from '../../config/resolve.js'
import type { ResolvedConfig } from '../../contracts/index.js'
import { AuthError, toError } from '../../errors.js'
import { isLocalOrigin } from '../../http/addresses.js'
import { AuthUrls } from '../../http/urls.js'
import type { FullStackAuthConfig } from '../../types/config.js'
import type { Loaded } from './load.js'
import { installedVersion, type OwnPackage, readOwnPackage } from './packages.js'

/** What the checks look at. */
export interface Scene {
  readonly env: AuthEnv
  readonly variables: readonly EnvVariable[]
  readonly node: string
  readonly own: OwnPackage
  /** The version of a package; `undefined` where it is not installed. */
  installed(name: string): string | undefined
  readonly loaded: Loaded
  /** The configuration as it was written. Absent where the module did not get so far. */
  readonly config?: FullStackAuthConfig
  /** As the engine reads it, or why it cannot. */
  readonly resolved?: ResolvedConfig
  readonly refusal?: { readonly type: string; readonly message: string }
  /** What the engine warned of as it read it. */
  readonly warnings: ReadonlyArray<{ readonly code: string; readonly text: string }>
  /** The URL of the running site, where one was given. */
  readonly url?: URL
}

/** A scene whose configuration the engine takes. */
export type WorkingScene = Scene & { readonly config: FullStackAuthConfig; readonly resolved: ResolvedConfig }

/** Puts the scene together. @param url Of the running site. */
export function createScene(loaded: Loaded, options: { file?: string; url?: URL | undefined }): Scene {
  const read = readEnv()
  // A site that the public reaches is held to what holds in production, wherever the doctor runs.
  const production = read.production || (options.url !== undefined && !isLocalOrigin(options.url.origin))
  const env: AuthEnv = { ...read, production }
  return {
    env,
    variables: listVariables(),
    node: process.versions.node,
    own: readOwnPackage(),
    installed: (name) => installedVersion(name, options.file),
    loaded,
    ...(options.url && { url: options.url }),
    ...resolveIn(env, loaded),
  }
}

type Resolution = Pick<Scene, 'config' | 'resolved' | 'refusal' | 'warnings'>

function resolveIn(env: AuthEnv, loaded: Loaded): Resolution {
  if (loaded.kind === 'refused') return { refusal: loaded, warnings: [] }
  const { config } = loaded
  const warnings: Array<{ code: string; text: string }> = []
  const logger = {
    error: () => {},
    warn: (code: string, ...details: unknown[]) => void warnings.push({ code, text: details.filter(isText).join(' ') }),
    debug: () => {},
  }
  const isFullStack = loaded.isFullStack || isRecord(config.callbacks?.authorized)
  const basePath = isFullStack && config.basePath === undefined && !pathOf(env.url) ? { basePath: '/api/auth' } : {}
  try {
    return { config, resolved: resolveConfig({ ...config, ...basePath, logger }, env, true), warnings }
  } catch (error) {
    const type = error instanceof AuthError ? error.type : 'InvalidConfiguration'
    return { config, refusal: { type, message: toError(error).message }, warnings }
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function pathOf(url: string | undefined): string {
  return url !== undefined && URL.canParse(url) ? new URL(url).pathname.replace(/\/+$/, '') : ''
}

/** Whether the engine takes the configuration. */
export function isWorking(scene: Scene): scene is WorkingScene {
  return scene.resolved !== undefined && scene.config !== undefined
}

/** The site's origin, as far as it is known without a request. */
export function originOf({ resolved, url }: WorkingScene): string | undefined {
  return resolved.site?.origin ?? url?.origin
}

/** The URLs of the routes; `undefined` where the site is not known. */
export function urlsOf(scene: WorkingScene): AuthUrls | undefined {
  const origin = originOf(scene)
  return origin === undefined ? undefined : new AuthUrls(origin, mountOf(scene))
}

/** Where the routes are, as far as the configuration and the URLs say it. */
export function mountOf({ resolved, config, url }: WorkingScene): string {
  const path = url?.pathname.replace(/\/+$/, '') ?? ''
  if (resolved.site?.path || config.basePath !== undefined || path === '')
    return resolved.site?.path || resolved.basePath
  return path
}
