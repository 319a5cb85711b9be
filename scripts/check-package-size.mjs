/** What the package weighs, unpacked: every install of every application carries it. Needs `npm run build`. */
import { spawnSync } from 'node:child_process'

const limit = 2_800_000

const { stdout, stderr, status } = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
  encoding: 'utf8',
})
if (status !== 0) throw new Error(stderr)
const [{ files, unpackedSize }] = JSON.parse(stdout)
const maps = files.filter(({ path }) => path.endsWith('.map')).map(({ path }) => path)
const inMegabytes = (bytes) => `${(bytes / 1_000_000).toFixed(2)} MB`

if (!files.some(({ path }) => path === 'dist/lib/index.js')) throw new Error('run "npm run build" first')
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
