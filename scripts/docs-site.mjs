/**
 * The documentation site: `node scripts/docs-site.mjs [build|dev|preview]`. Its tools are a package of their own (`docs/package.json`), which
 * is installed where it is missing or not as its lock file says.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const docs = fileURLToPath(new URL('../docs/', import.meta.url))
const [command = 'build', ...options] = process.argv.slice(2)
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'

/**
 * Checks whether npm has installed the packages, by the lock file that it wrote, without the entry of the package
 * itself.
 */
function isInstalled() {
  const lock = JSON.parse(readFileSync(join(docs, 'package-lock.json'), 'utf8'))
  try {
    const installed = JSON.parse(readFileSync(join(docs, 'node_modules', '.package-lock.json'), 'utf8')).packages
    return Object.entries(installed).every(([path, { version }]) => lock.packages[path]?.version === version)
  } catch {
    return false
  }
}

const run = (program, args) =>
  execFileSync(program, args, { cwd: docs, stdio: 'inherit', shell: process.platform === 'win32' })

if (!isInstalled()) run(npm, ['ci', '--no-audit', '--no-fund'])
// Where the library's own tools are installed, too.
const tsc = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url))
if (command === 'build' && existsSync(tsc)) run(process.execPath, [tsc, '-p', docs])
// The built-in pages in every state, where the library's own tools are there to make them.
if (command === 'build' && existsSync(tsc)) {
  const root = fileURLToPath(new URL('../', import.meta.url))
  execFileSync(process.execPath, ['--import', 'tsx', join(root, 'scripts/docs-gallery.mjs')], {
    cwd: root,
    stdio: 'inherit',
  })
}
run(process.execPath, [join(docs, 'node_modules', 'vitepress', 'bin', 'vitepress.js'), command, ...options])
