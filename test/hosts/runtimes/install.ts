/**
 * The other runtimes, which are a package of their own (`package.json` here). They are installed at their first use, without
 * scripts: the programs are in the packages for the platform.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = fileURLToPath(new URL('./', import.meta.url))
const modules = join(here, 'node_modules')

/** Installs the runtimes if they are missing. */
export function installRuntimes(): void {
  if (existsSync(join(modules, '.package-lock.json'))) return
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const words = ['ci', '--ignore-scripts', '--no-audit', '--no-fund']
  execFileSync(npm, words, { cwd: here, stdio: 'pipe', shell: process.platform === 'win32' })
}

/** Returns the program of Bun or Deno. */
export function programOf(runtime: 'bun' | 'deno'): string {
  installRuntimes()
  const scope = join(modules, runtime === 'bun' ? '@oven' : '@deno')
  for (const folder of readdirSync(scope)) {
    const found = ['bin', ''].map((inner) => join(scope, folder, inner, runtime)).find((path) => existsSync(path))
    if (found !== undefined) return found
  }
  throw new Error(`The package of ${runtime} for this platform has no program.`)
}
