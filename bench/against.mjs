/** `npm run bench -- --against …`: compares this working tree with another build of the package, in each job. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Bench } from './harness/bench.mjs'
import { measure } from './harness/lanes.mjs'
import { differenceOf, intervalOf } from './harness/statistics.mjs'
import { machineLoad } from './harness/thread.mjs'

const root = new URL('../', import.meta.url)

/**
 * Measures each job in four lanes: its floor, the other package twice (the A/A lane), and this package.
 * @param where a folder with a working tree, or a Git ref
 */
export async function compareWith(where, { jobs, nodes, settings }) {
  const other = otherPackage(where)
  console.log(
    `before: ${where}; after: this working tree. Extra µs of the main thread per request, with 95 % intervals.`,
  )
  for (const { id, title, floor, prepare } of jobs) {
    for (const { program, version } of nodes) {
      const bench = new Bench({ ...settings, node: program })
      try {
        const { floor: lowest, own } = await prepare(bench, [other, other, root.href])
        const load = machineLoad()
        const { costs, disturbance } = await measure([lowest, ...own], settings)
        console.log(`\n${title} (${id}), Node.js ${version}\n  ${quietness(load, machineLoad(), disturbance)}`)
        print(costs, floor)
      } finally {
        await bench.end()
      }
    }
  }
}

function print([floor, before, again, after], floorName) {
  const line = (name, { mean, low, high }, verdict = '') =>
    console.log(
      `  ${name.padEnd(30)} ${mean.toFixed(1).padStart(7)}  [${low.toFixed(1)}, ${high.toFixed(1)}]  ${verdict}`,
    )
  line(`floor`, intervalOf(floor), floorName)
  line('before, over the floor', differenceOf(before, floor))
  line('after, over the floor', differenceOf(after, floor))
  line('A/A: before − before', differenceOf(again, before), 'must contain 0')
  const change = differenceOf(after, before)
  line('after − before', change, change.high < 0 ? 'faster' : change.low > 0 ? 'slower' : 'undecided')
}

/** Describes how far other programs disturbed the measurement. */
function quietness(before, after, { cpu, waited, interruptions }) {
  const stolen = (after.stolen - before.stolen) / Math.max(1, after.ticks - before.ticks)
  const share = (part) => `${(100 * part).toFixed(1)} %`
  return `load average ${before.average.toFixed(1)}, steal ${share(stolen)}, waited ${share(waited / cpu)} of its time for a CPU, ${(interruptions / (cpu / 1e9)).toFixed(0)} interruptions a second`
}

/** Returns the URL of the folder of a built package. */
function otherPackage(where) {
  const folder = existsSync(where) ? resolve(where) : checkout(where)
  build(folder)
  return pathToFileURL(`${folder}/`).href
}

function build(folder) {
  execFileSync(process.execPath, [join(folder, 'scripts/build-if-needed.mjs')], { cwd: folder, stdio: 'inherit' })
}

/** Copies a commit into a temporary folder and builds it there, once. It shares the installed packages of this working tree. */
function checkout(ref) {
  const git = (...words) => execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim()
  const commit = git('rev-parse', '--verify', `${ref}^{commit}`)
  const folder = join(tmpdir(), 'server-auth-bench', commit)
  if (existsSync(folder)) return folder
  const draft = `${folder}.${process.pid}`
  mkdirSync(draft, { recursive: true })
  try {
    const archive = join(draft, 'archive.tar')
    git('archive', `--output=${archive}`, commit)
    execFileSync('tar', ['-xf', archive], { cwd: draft })
    rmSync(archive)
    symlinkSync(fileURLToPath(new URL('node_modules', root)), join(draft, 'node_modules'))
    build(draft)
    if (!existsSync(folder)) renameSync(draft, folder)
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
  return folder
}
