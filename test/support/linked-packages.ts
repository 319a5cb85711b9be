/** Puts packages of this repository into the `node_modules` of another folder, without a network. */
import { copyFileSync, existsSync, linkSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))

interface Package {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

/** A folder's `package.json`. */
export function readPackage(folder: string): Package {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}

/** The packages with all that they depend on, as far as it is there: what is optional may be made for another machine. */
export function closureOf(names: readonly string[]): Set<string> {
  const found = new Set<string>()
  const open = [...names]
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const folder = join(root, 'node_modules', name)
    if (found.has(name) || !existsSync(folder)) continue
    found.add(name)
    for (const { dependencies, optionalDependencies } of packagesIn(folder)) {
      open.push(...Object.keys({ ...dependencies, ...optionalDependencies }))
    }
  }
  return found
}

/** A package, and those that it brings in a `node_modules` of its own. */
function packagesIn(folder: string): Package[] {
  const inner = join(folder, 'node_modules')
  const names = existsSync(inner) ? readdirSync(inner).filter((name) => /^[\w-]/.test(name)) : []
  const nested = names.filter((name) => existsSync(join(inner, name, 'package.json')))
  return [readPackage(folder), ...nested.flatMap((name) => packagesIn(join(inner, name)))]
}

/** Copies a file or a folder, as hard links: Next.js alone is 300 MB. */
export function link(from: string, to: string): void {
  if (!statSync(from).isDirectory()) {
    linkFile(from, to)
    return
  }
  mkdirSync(to, { recursive: true })
  for (const name of readdirSync(from)) link(join(from, name), join(to, name))
}

function linkFile(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch {
    // Another disk.
    copyFileSync(from, to)
  }
}
