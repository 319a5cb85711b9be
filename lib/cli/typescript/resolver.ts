/** Finds the file of an import as TypeScript and bundlers do: path aliases, missing extensions, `.js` for `.ts`. */
import { statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { PathAlias, ProjectOptions } from './tsconfig.js'

const extensions = ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '.json']

/** The extensions of source files that compile to an extension of JavaScript. */
const sources: Readonly<Record<string, readonly string[]>> = {
  '.js': ['.ts', '.tsx', '.jsx'],
  '.jsx': ['.tsx'],
  '.mjs': ['.mts'],
  '.cjs': ['.cts'],
}

/** Checks whether a file belongs to the application itself. */
export function isOwnFile(url: string | undefined): url is string {
  return url?.startsWith('file:') === true && !url.includes('/node_modules/')
}

/** Returns the file of a path alias; `undefined` if none matches. */
export function aliasedFile(specifier: string, { aliases, baseUrl }: ProjectOptions): string | undefined {
  if (/^(?:\.|\/|node:)/.test(specifier)) return undefined
  const places = aliases.flatMap((alias) => targetsOf(alias, specifier))
  const all = baseUrl === undefined ? places : [...places, join(baseUrl, specifier)]
  return first(all)
}

function targetsOf({ prefix, suffix, targets }: PathAlias, specifier: string): string[] {
  if (suffix === undefined) return specifier === prefix ? [...targets] : []
  const isMatch = specifier.length >= prefix.length + suffix.length
  if (!isMatch || !specifier.startsWith(prefix) || !specifier.endsWith(suffix)) return []
  const matched = specifier.slice(prefix.length, specifier.length - suffix.length)
  return targets.map((target) => target.replace('*', () => matched))
}

/** Returns the file of a relative import, which lacks its extension or names the compiled file. */
export function relatedFile(specifier: string, parent: string): string | undefined {
  if (!/^(?:\.|\/)/.test(specifier)) return undefined
  const [path = ''] = specifier.split('?')
  return first([resolve(dirname(fileURLToPath(parent)), path)])
}

function first(paths: readonly string[]): string | undefined {
  return paths.flatMap(candidates).find(isFile)
}

function candidates(path: string): string[] {
  const [, stem = path, extension = ''] = /^(.*)(\.\w+)$/.exec(path) ?? []
  return [
    path,
    ...(sources[extension] ?? []).map((each) => stem + each),
    ...extensions.map((each) => path + each),
    ...extensions.map((each) => join(path, `index${each}`)),
  ]
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
}
