/**
 * Scripts for processes of their own. Compiled once for each worker, into one file of JavaScript: a process that loads
 * `tsx` and compiles what it imports takes a second of a processor before it does anything.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'

const root = fileURLToPath(new URL('../../', import.meta.url))
/** Within the repository, so that its packages are found from there. */
const folder = join(root, `node_modules/.cache/server-auth-tests-${process.pid}`)

const compiled = new Map<string, Promise<string>>()

/**
 * Returns the path of the script as JavaScript, with all our files in it. Packages are loaded as usual.
 *
 * @example
 * ```ts
 * execFile(process.execPath, [await compileScript('lib/cli/index.ts'), 'doctor'])
 * ```
 */
export function compileScript(path: string): Promise<string> {
  const known = compiled.get(path) ?? compile(path)
  compiled.set(path, known)
  return known
}

/**
 * Starts a script in a process that can exchange messages with this one. The process uses the same version of Express, but not
 * `tsx`: `fork` would otherwise pass on the options of Node.js that the tests run with, which load a compiler.
 *
 * @param env Added to the environment of this process.
 */
export async function forkScript(path: string, env: Readonly<Record<string, string>> = {}): Promise<ChildProcess> {
  return fork(await compileScript(path), {
    env: { ...process.env, ...env },
    execArgv: ['--import', import.meta.resolve('./express-version.mjs')],
  })
}

async function compile(path: string): Promise<string> {
  if (compiled.size === 0) process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(folder, { recursive: true })
  const outfile = join(folder, `${path.replaceAll('/', '-')}.mjs`)
  const entryPoints = [join(root, path)]
  await build({
    entryPoints,
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    plugins: [ownUrls],
  })
  return outfile
}

/** Keeps `import.meta.url` that of each source file: the examples find their views and their data beside themselves. */
const ownUrls: Plugin = {
  name: 'own-urls',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]examples[\\/].*\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8')
      return { contents: text.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href)), loader: 'ts' }
    })
  },
}
