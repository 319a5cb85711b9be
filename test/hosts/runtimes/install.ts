/**
 * The other runtimes, which are a package of their own (`package.json` here). They are installed at their first use, without
 * scripts: the programs are in the packages for the platform.
 */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installPackages } from '../../../scripts/install-packages.mjs'

const here = fileURLToPath(new URL('./', import.meta.url))
const modules = join(here, 'node_modules')

/** Installs the runtimes, unless `scripts/test.mjs` has done so before the tests, which run at the same time. */
export function installRuntimes(): void {
  installPackages(here, '--ignore-scripts')
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
