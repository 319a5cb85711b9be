/** Finds the installed packages: this one, and the optional ones beside it. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isRecord } from '../../base/guards.js'
import { parentFolders } from '../parent-folders.js'

/** The contents of our own `package.json`. */
export interface OwnPackage {
  readonly version: string
  /** The range of Node.js. */
  readonly node: string
  /** Ranges by name. */
  readonly peers: Readonly<Record<string, string>>
  /** The ids of the built-in providers, by their files. */
  readonly providers: readonly string[]
}

/** Reads the nearest `package.json` of this package above this file. */
export function readOwnPackage(): OwnPackage {
  const folder = ownFolder()
  const { version, engines, peerDependencies } = readManifest(folder ?? '')
  return {
    version: String(version),
    node: isRecord(engines) ? String(engines.node) : '',
    peers: isRecord(peerDependencies) ? (peerDependencies as Record<string, string>) : {},
    providers: folder === undefined ? [] : builtInProviders(folder),
  }
}

/** Returns the folder of this package; `undefined` if its `package.json` is missing. */
export function ownFolder(): string | undefined {
  const folders = parentFolders(dirname(fileURLToPath(import.meta.url)))
  return folders.find((each) => readManifest(each).name === 'server-auth')
}

/**
 * Returns the version of an installed package: the one that this package finds, otherwise that of the application. They
 * differ with linked packages.
 */
export function installedVersion(name: string, configFile: string | undefined): string | undefined {
  const starts = [dirname(fileURLToPath(import.meta.url)), ...(configFile === undefined ? [] : [dirname(configFile)])]
  const folder = starts
    .flatMap(parentFolders)
    .find((each) => existsSync(join(each, 'node_modules', name, 'package.json')))
  if (folder === undefined) return undefined
  const { version } = readManifest(join(folder, 'node_modules', name))
  return typeof version === 'string' ? version : undefined
}

function readManifest(folder: string): Readonly<Record<string, unknown>> {
  try {
    const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    return isRecord(manifest) ? manifest : {}
  } catch {
    return {}
  }
}

function builtInProviders(folder: string): string[] {
  const places = ['dist/lib/providers', 'lib/providers'].map((place) => join(folder, place))
  const place = places.find((each) => existsSync(each))
  if (place === undefined) return []
  const files = readdirSync(place).filter((file) => /\.[jt]s$/.test(file) && !file.endsWith('.d.ts'))
  return files.map((file) => file.replace(/\.[jt]s$/, ''))
}
