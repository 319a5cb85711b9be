/**
 * Builds where `dist/` is missing or older than a source, for `npm start` and the tests. Not a `prestart` script: `.npmrc`
 * keeps scripts that npm would run by itself from running.
 */
import { spawnSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = new URL('../', import.meta.url)

/** Returns the time at which a file was written, in milliseconds, or 0 for a missing one. */
const writtenAt = (path) => statSync(new URL(path, root), { throwIfNoEntry: false })?.mtimeMs ?? 0

function sources() {
  // Folders too: they change when a file goes.
  const inside = ['lib', 'shim'].flatMap((folder) =>
    readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  )
  const settings = ['tsconfig.build.json', 'tsconfig.build.client.json', 'tsconfig.json', 'package.json']
  const steps = ['bundle', 'commonjs-providers', 'trim-types'].map((name) => `scripts/${name}.mjs`)
  return ['lib', 'shim', ...steps, ...settings, ...inside]
}

const builtAt = writtenAt('dist/lib/index.js')
if (sources().some((path) => writtenAt(path) > builtAt)) {
  const { status } = spawnSync('npm', ['run', '--silent', 'build'], {
    cwd: fileURLToPath(root),
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  process.exitCode = status ?? 1
}
