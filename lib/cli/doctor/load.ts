/** Finds the application's configuration: loads a module, and searches its exports. */
import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isRecord } from '../../base/guards.js'
import { withConfigurationListener } from '../../config/configuration-listener.js'
import { errorClasses, toError } from '../../errors.js'
import type { FullStackAuthConfig } from '../../types/config.js'
import { UsageError } from '../terminal.js'
import { registerTypeScript } from '../typescript/register.js'
import { errorCode, reasonText } from './finding.js'
import { ownFolder } from './packages.js'
import type { Rejection } from './problems.js'

/** The result of loading a module: a configuration, or the reason why it is rejected. */
export type Loaded =
  | {
      readonly kind: 'config'
      readonly config: FullStackAuthConfig
      /** The name of the export. */
      readonly name: string
      /** True with `initAuth`, which has another default path of the routes. */
      readonly isFullStack: boolean
      /** The names of other exports with their own configuration. */
      readonly others: readonly string[]
      /** The error of the engine that stopped the module. */
      readonly thrown?: Rejection
    }
  | { readonly kind: 'refused'; readonly type: string; readonly message: string }

/** The files that may have the configuration, in this order. */
const configurationFiles = ['', 'src/', 'lib/', 'app/', 'server/'].flatMap((folder) =>
  ['auth', 'auth.config'].flatMap((name) => ['js', 'mjs', 'ts', 'mts'].map((type) => `${folder}${name}.${type}`)),
)

/** Returns the file with the configuration. @throws {@link UsageError} if there is none. */
export function findFile(given: string | undefined): string {
  const file = given ?? configurationFiles.find((place) => existsSync(place))
  if (file === undefined) {
    throw new UsageError('No configuration was found: there is no auth.js here, and none in src. Pass --config <file>.')
  }
  if (existsSync(file)) return resolve(file)
  throw new UsageError(`There is no file ${file}.`)
}

/**
 * Loads the module and finds the configuration in it.
 *
 * @throws {Error} If the module cannot be loaded, or exports no configuration.
 */
export async function loadConfiguration(file: string): Promise<Loaded> {
  const reported: Array<{ readonly config: FullStackAuthConfig; readonly isFullStack: boolean }> = []
  const listener = (config: unknown, isFullStack: boolean) => {
    if (isConfiguration(config)) reported.push({ config, isFullStack })
  }
  const exported = await withConfigurationListener(listener, () => withoutOutput(() => importModule(file)))
  // The configuration that the engine rejects is the last one.
  const last = reported.at(-1)
  if ('refused' in exported) {
    const { refused } = exported
    return last ? { kind: 'config', name: 'auth', others: [], ...last, thrown: refused } : refused
  }
  const found = await findConfigurations(exported.module)
  const [first, ...others] = found
  if (first) return { kind: 'config', ...first, others: others.map(({ name }) => name) }
  if (last) return { kind: 'config', name: 'initAuth', others: [], ...last }
  const hint = Object.values(exported.module).some(isFullStackResult)
    ? 'The configuration of initAuth is a function. Export the configuration, too, as in `export const config = { providers: [ … ] }`.'
    : 'Export what defineAuth returns, or the object that you pass to ServerAuth.'
  throw new Error(`${file} exports no configuration. ${hint}`)
}

type Imported =
  | { readonly module: Record<string, unknown> }
  | { readonly refused: Extract<Loaded, { kind: 'refused' }> }

async function importModule(file: string): Promise<Imported> {
  try {
    const own = ownFolder()
    if (own !== undefined && !isJavaScript(file)) registerTypeScript(dirname(file), own)
    return { module: await loadApplicationFile(file) }
  } catch (error) {
    const type = ownErrorType(error)
    if (type !== undefined) return { refused: { kind: 'refused', type, message: toError(error).message } }
    throw new Error(`${file} could not be loaded: ${reasonText(error)}${loadAdvice(error)}`, { cause: error })
  }
}

const isJavaScript = (file: string) => /\.[cm]?js$/.test(file)

async function loadApplicationFile(file: string): Promise<Record<string, unknown>> {
  const applicationFile = pathToFileURL(file).href
  return { ...(await import(applicationFile)) }
}

/**
 * Returns the type of one of our errors. It does not check the class, because the application may have its own copy of
 * this package.
 */
function ownErrorType(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('type' in error) || typeof error.type !== 'string') return undefined
  return errorClasses.has(error.type) ? error.type : undefined
}

function loadAdvice(error: unknown): string {
  const isUnknownType = errorCode(error) === 'ERR_UNKNOWN_FILE_EXTENSION'
  return isUnknownType ? '. No compiler for TypeScript was found. Run npm install --save-dev tsx' : ''
}

/**
 * Redirects the output of an application to stderr while it is loaded, because stdout is for the report, which may be
 * JSON.
 */
async function withoutOutput<T>(work: () => Promise<T>): Promise<T> {
  const { write } = process.stdout
  process.stdout.write = process.stderr.write.bind(process.stderr)
  try {
    return await work()
  } finally {
    process.stdout.write = write
  }
}

interface FoundConfiguration {
  readonly name: string
  readonly config: FullStackAuthConfig
  readonly isFullStack: boolean
}

/** The usual names come first. */
const usualNames = ['auth', 'default', 'config', 'authConfig', 'authOptions']

async function findConfigurations(module: Readonly<Record<string, unknown>>): Promise<FoundConfiguration[]> {
  const isFullStack = Object.values(module).some(isFullStackResult)
  const rank = (name: string) => (usualNames.includes(name) ? usualNames.indexOf(name) : usualNames.length)
  const names = Object.keys(module).toSorted((a, b) => rank(a) - rank(b))
  const found = new Map<object, FoundConfiguration>()
  for (const name of names) {
    const value = await resolvedValue(module[name])
    // The members of `export default { auth, … }`, as in a CommonJS module, are searched too.
    const inner = isRecord(value) ? Object.entries(value) : []
    for (const [at, each] of [[name, value], ...inner.map(([key, own]) => [`${name}.${key}`, own])] as const) {
      const config = configIn(each)
      if (config && !found.has(config)) found.set(config, { name: String(at), config, isFullStack })
    }
  }
  return [...found.values()]
}

/** Returns the value of a promise; `undefined` if it rejects. */
async function resolvedValue(value: unknown): Promise<unknown> {
  return value instanceof Promise ? value.catch(() => undefined) : value
}

/** Returns the configuration itself, or that of the result of `defineAuth`. */
function configIn(value: unknown): FullStackAuthConfig | undefined {
  if (!isRecord(value)) return undefined
  if (isConfiguration(value)) return value
  return typeof value.getSession === 'function' && isConfiguration(value.config) ? value.config : undefined
}

function isConfiguration(value: unknown): value is FullStackAuthConfig {
  return isRecord(value) && Array.isArray(value.providers)
}

/** Checks for the result of `initAuth`, or for its `handlers`, which applications export separately. */
function isFullStackResult(value: unknown): boolean {
  const handlers = isRecord(value) && isRecord(value.handlers) ? value.handlers : value
  return isRecord(handlers) && typeof handlers.GET === 'function' && typeof handlers.POST === 'function'
}
