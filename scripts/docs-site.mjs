/**
 * The documentation site: `node scripts/docs-site.mjs [build|dev|preview]`. Its tools are a package of their own (`docs/package.json`), which
 * is installed where it is missing or not as its lock file says.
 */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installPackages } from './install-packages.mjs'

const docs = fileURLToPath(new URL('../docs/', import.meta.url))
const [command = 'build', ...options] = process.argv.slice(2)

const run = (program, args) =>
  execFileSync(program, args, { cwd: docs, stdio: 'inherit', shell: process.platform === 'win32' })

installPackages(docs)
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
