/** Reads the path aliases and compiler options of the application's `tsconfig.json` or `jsconfig.json`, with `extends`. */
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { isRecord } from '../../base/guards.js'
import { parentFolders } from '../parent-folders.js'

/** A pattern of `paths`, and the places that it stands for. */
export interface PathAlias {
  readonly prefix: string
  /** Absent for a pattern without `*`. */
  readonly suffix?: string
  /** Absolute paths, with `*` for the matched text. */
  readonly targets: readonly string[]
}

/** The options that resolving and compiling depend on. */
export interface ProjectOptions {
  readonly aliases: readonly PathAlias[]
  readonly baseUrl?: string
  readonly experimentalDecorators: boolean
}

/** Reads the options of the nearest file at or above the folder. A file that cannot be read has no options. */
export function readProjectOptions(folder: string): ProjectOptions {
  const file = parentFolders(folder)
    .flatMap((each) => [join(each, 'tsconfig.json'), join(each, 'jsconfig.json')])
    .find((each) => existsSync(each))
  const { paths = {}, pathsFolder = folder, baseUrl, experimentalDecorators = false } = file ? readOptions(file) : {}
  const from = baseUrl ?? pathsFolder
  const aliases = Object.entries(paths).map(([pattern, targets]): PathAlias => {
    const [prefix = '', suffix] = pattern.split('*')
    return { prefix, ...(suffix !== undefined && { suffix }), targets: targets.map((target) => resolve(from, target)) }
  })
  // The longest prefix is used, as in TypeScript.
  const sorted = aliases.toSorted((a, b) => b.prefix.length - a.prefix.length)
  return { aliases: sorted, ...(baseUrl !== undefined && { baseUrl }), experimentalDecorators }
}

interface Options {
  paths?: Record<string, string[]>
  /** The folder of the file with `paths`. */
  pathsFolder?: string
  baseUrl?: string
  experimentalDecorators?: boolean
}

function readOptions(file: string, depth = 0): Options {
  const config = parseWithComments(file)
  const { compilerOptions = {}, extends: bases } = config
  const folder = dirname(file)
  const inherited = [bases]
    .flat()
    .filter((base) => typeof base === 'string')
    .flatMap((base) => locateBase(base, file) ?? [])
    .map((base) => (depth < 8 ? readOptions(base, depth + 1) : {}))
  const own: Options = {}
  if (isRecord(compilerOptions)) {
    if (isRecord(compilerOptions.paths))
      Object.assign(own, { paths: textLists(compilerOptions.paths), pathsFolder: folder })
    if (typeof compilerOptions.baseUrl === 'string') own.baseUrl = resolve(folder, compilerOptions.baseUrl)
    if (compilerOptions.experimentalDecorators === true) own.experimentalDecorators = true
  }
  return Object.assign({}, ...inherited, own)
}

function textLists(paths: Readonly<Record<string, unknown>>): Record<string, string[]> {
  const lists = Object.entries(paths).map(([pattern, targets]) => [
    pattern,
    Array.isArray(targets) ? targets.filter((target) => typeof target === 'string') : [],
  ])
  return Object.fromEntries(lists)
}

/** Returns the file of `extends`: a path, or a file of a package. */
function locateBase(base: string, file: string): string | undefined {
  const path = resolve(dirname(file), base)
  const near = [path, `${path}.json`].find((each) => /\.json$/.test(each) && existsSync(each))
  if (near !== undefined || base.startsWith('.')) return near
  const require = createRequire(file)
  for (const name of [base, `${base}.json`, `${base}/tsconfig.json`]) {
    try {
      return require.resolve(name)
    } catch {
      // The next name may exist.
    }
  }
  return undefined
}

/** Parses JSON with comments and commas at the end of lists. Returns an empty object for an invalid file. */
function parseWithComments(file: string): Readonly<Record<string, unknown>> {
  try {
    const text = readFileSync(file, 'utf8').replace(/^\uFEFF/, '')
    const plain = text.replace(/("(?:\\.|[^"\\])*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (_, string) => string ?? '')
    const value: unknown = JSON.parse(plain.replace(/("(?:\\.|[^"\\])*")|,(?=\s*[}\]])/g, (_, string) => string ?? ''))
    return isRecord(value) ? value : {}
  } catch {
    return {}
  }
}
