/** The application in which `init` runs: its framework and its files. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join, posix } from 'node:path'
import { isRecord } from '../../base/guards.js'
import { toError } from '../../errors.js'
import { UsageError } from '../terminal.js'

export const frameworks = ['express', 'next', 'hono'] as const

export type Framework = (typeof frameworks)[number]

/** The known facts of an application. */
export interface Project {
  readonly root: string
  /** The versions by package, of all in `package.json`. */
  readonly packages: ReadonlyMap<string, string>
  readonly scripts: ReadonlyMap<string, string>
  readonly main: string | undefined
  /** `"type": "module"` */
  readonly isModule: boolean
  readonly hasTypes: boolean
  /** Returns the text of a file; `undefined` if it does not exist. */
  read(path: string): string | undefined
  has(path: string): boolean
}

/** Reads the project. @throws {UsageError} without `package.json`. {@link Error} if it cannot be read. */
export function readProject(root: string): Project {
  const has = (path: string) => existsSync(join(root, path))
  const isFile = (path: string) => statSync(join(root, path), { throwIfNoEntry: false })?.isFile() === true
  const read = (path: string) => (isFile(path) ? readFileSync(join(root, path), 'utf8') : undefined)
  const text = read('package.json')
  if (text === undefined)
    throw new UsageError('There is no package.json here: call it in the folder of your application.')
  const manifest = parseManifest(text)
  const packages = new Map([...textEntries(manifest.devDependencies), ...textEntries(manifest.dependencies)])
  return {
    root,
    packages,
    scripts: new Map(textEntries(manifest.scripts)),
    main: mainFile(manifest),
    isModule: manifest.type === 'module',
    hasTypes: has('tsconfig.json') || packages.has('typescript'),
    read,
    has,
  }
}

/** Returns the main file in `package.json`. Files outside of the project are never read or written. */
function mainFile({ main }: Record<string, unknown>): string | undefined {
  const path = typeof main === 'string' ? posix.normalize(main.replaceAll('\\', '/')) : '..'
  return path.split('/')[0] === '..' ? undefined : path
}

function parseManifest(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : {}
  } catch (error) {
    throw new Error(`Cannot read package.json: ${toError(error).message}`, { cause: error })
  }
}

function textEntries(value: unknown): [string, string][] {
  const entries: [string, unknown][] = isRecord(value) ? Object.entries(value) : []
  return entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string')
}

/** Returns the frameworks in `package.json`. With several or none, the developer has to choose. */
export function frameworksOf({ packages }: Project): readonly Framework[] {
  return frameworks.filter((name) => packages.has(name))
}

/** The file of an application that contains a line, and its module system. */
export interface SourceFile {
  readonly path: string
  readonly text: string
  /** The line without indentation. */
  readonly line: string
  /** The name of the application's variable. */
  readonly name: string
  /** True for `import`; false for `require`. */
  readonly isEsm: boolean
  /** `.js`, `.ts`, `.mjs` … */
  readonly extension: string
}

const names = ['app', 'server', 'index', 'main']
const extensions = ['.ts', '.mts', '.cts', '.js', '.mjs', '.cjs', '.tsx', '.jsx']

/** Searches the files that usually create the application. @param line A pattern with one group: the name. */
export function findSource({ main, isModule, read }: Project, line: RegExp): SourceFile | undefined {
  const usual = ['src/', ''].flatMap((folder) =>
    names.flatMap((name) => extensions.map((each) => folder + name + each)),
  )
  for (const path of [...(main === undefined ? [] : [main]), ...usual]) {
    const text = read(path)
    const [found, name] = (text !== undefined && line.exec(text)) || []
    if (text === undefined || found === undefined || name === undefined) continue
    const extension = /\.\w+$/.exec(path)?.[0] ?? '.js'
    const isEsm = /^\.m/.test(extension) || (!/^\.c/.test(extension) && (/^import\s/m.test(text) || isModule))
    return { path, text, line: found.trim(), name, isEsm, extension }
  }
  return undefined
}

/** Returns the path of a file beside this one, from the root. */
export function siblingPath({ path }: Pick<SourceFile, 'path'>, name: string): string {
  return path.includes('/') ? `${path.slice(0, path.lastIndexOf('/'))}/${name}` : name
}
