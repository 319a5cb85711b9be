/**
 * Checks the package as it would be published: its entry points by publint and attw, and its size, since every install of every
 * application carries it. It is packed once, without its scripts: the caller has built it.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const limit = 3_800_000
const root = fileURLToPath(new URL('../', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'server-auth-package-'))

/** Runs a program of npm's. @returns Its status. */
function run(program, ...options) {
  return spawnSync(join(root, 'node_modules/.bin', program), options, { cwd: root, stdio: 'inherit' }).status
}

const { stdout, stderr, status } = spawnSync(
  'npm',
  ['pack', '--json', '--ignore-scripts', '--pack-destination', folder],
  { cwd: root, encoding: 'utf8' },
)
if (status !== 0) throw new Error(stderr)
const [{ files, unpackedSize, filename }] = JSON.parse(stdout)
const tarball = join(folder, filename)
if (run('publint', 'run', tarball, '--strict') !== 0) process.exitCode = 1
// A `.d.cts` of a provider describes what `require()` of the ES module returns. attw expects a CommonJS file beside it.
if (run('attw', tarball, '--profile', 'esm-only', '--ignore-rules', 'false-cjs') !== 0) process.exitCode = 1
rmSync(folder, { recursive: true })

const maps = files.filter(({ path }) => path.endsWith('.map')).map(({ path }) => path)
const inMegabytes = (bytes) => `${(bytes / 1_000_000).toFixed(2)} MB`

if (maps.length > 0 || unpackedSize > limit) {
  // The heaviest folders say where to look.
  const weights = new Map()
  for (const { path, size } of files) {
    const folder = path.split('/').slice(0, 3).join('/')
    weights.set(folder, (weights.get(folder) ?? 0) + size)
  }
  const heaviest = [...weights].sort(([, a], [, b]) => b - a).slice(0, 10)
  console.error(`The package unpacks to ${inMegabytes(unpackedSize)}, with ${maps.length} source maps.`)
  console.error(`${inMegabytes(limit)} and no source map is allowed. The heaviest parts:`)
  for (const [folder, size] of heaviest) console.error(`  ${inMegabytes(size)}  ${folder}`)
  process.exitCode = 1
} else {
  console.log(`The package unpacks to ${inMegabytes(unpackedSize)} of ${inMegabytes(limit)}.`)
}
