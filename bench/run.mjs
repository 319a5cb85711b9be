/**
 * `npm run bench`: CPU per request of server-auth, beside bare Express, the bare cryptography, and other libraries.
 *
 * ```
 * npm run bench                                   everything (about 20 minutes); writes docs/performance.md
 * npm run bench -- --quick                        everything in small, in about 2 minutes; writes nothing
 * npm run bench -- --only guarded,anonymous       these cases; writes nothing
 * npm run bench -- --rounds 5 --requests 3000     how much; `--warm-up 15000` before
 * npm run bench -- --write, --no-write            whether docs/performance.md is written
 * npm run bench -- --render                       writes docs/performance.md from the measurements beside it
 * npm run bench -- --against <folder or Git ref>  compares this working tree with another build; with --only and --node 20,24
 * BENCH_MILLION=1 npm run bench -- --only memory  a million requests instead of 50 000
 * ```
 *
 * Each variant has a server process of its own. What counts is the CPU time of that process, user and system, not the time on
 * the clock. PostgreSQL: `BENCH_POSTGRES`, by default `postgres://postgres@127.0.0.1:5432/test`.
 */
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { compareWith } from './against.mjs'
import { coldStart } from './cases/cold-start.mjs'
import { database } from './cases/databases.mjs'
import { nextRoute, shim } from './cases/frameworks.mjs'
import { cookies, memory, providers } from './cases/growth.mjs'
import { anonymous, doors, guarded, session } from './cases/routes.mjs'
import { credentials, oidc } from './cases/sign-ins.mjs'
import { Bench } from './harness/bench.mjs'
import { installPeers, machine } from './harness/machine.mjs'
import { majors, nodeOf } from './harness/nodes.mjs'
import { pinLoad } from './harness/servers.mjs'
import { jobs } from './jobs/index.mjs'
import { printCase } from './report/print.mjs'
import { readMeasurements, writeReport } from './report/write.mjs'

const cases = [
  guarded,
  anonymous,
  session,
  doors,
  database,
  credentials,
  oidc,
  shim,
  nextRoute,
  providers,
  cookies,
  coldStart,
  memory,
]

const { values: words } = parseArgs({
  allowNegative: true,
  options: {
    against: { type: 'string' },
    node: { type: 'string', default: majors.join(',') },
    only: { type: 'string' },
    quick: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    requests: { type: 'string' },
    'warm-up': { type: 'string' },
    write: { type: 'boolean' },
    render: { type: 'boolean', default: false },
  },
})

if (words.render) writeReport(readMeasurements())
else if (words.against !== undefined) await against(words.against)
else await measure()

async function against(where) {
  const ids = words.only?.split(',') ?? jobs.map(({ id }) => id)
  const unknown = ids.filter((id) => !jobs.some((job) => job.id === id))
  if (unknown.length > 0)
    throw new Error(`There is no job ${unknown.join(', ')}. Choose from ${jobs.map(({ id }) => id).join(', ')}.`)
  const settings = words.quick
    ? { rounds: 4, blocks: 2, slice: 30, warmUp: 1500 }
    : { rounds: 12, blocks: 5, slice: 50, warmUp: 5000 }
  if (words.rounds) settings.rounds = Number(words.rounds)
  pinLoad()
  const nodes = words.node.split(',').map(nodeOf)
  await compareWith(where, { jobs: jobs.filter(({ id }) => ids.includes(id)), nodes, settings })
}

async function measure() {
  const chosen = choose()
  const settings = {
    rounds: Number(words.rounds ?? (words.quick ? 3 : 5)),
    slices: words.quick ? 1 : 5,
    count: Number(words.requests ?? (words.quick ? 250 : 3000)),
    // Until V8 has optimised what is measured: with fewer, what is counted is its compiler.
    warmUp: Number(words['warm-up'] ?? (words.quick ? 600 : 15_000)),
    million: process.env.BENCH_MILLION ? 1_000_000 : words.quick ? 2000 : 50_000,
  }
  installPeers()
  pinLoad()
  const report = { date: new Date().toISOString(), machine: machine(), settings, load: loadavg()[0], cases: [] }
  if (report.load > 1)
    console.warn(`The machine is busy (load average ${report.load.toFixed(1)}): the spread will tell.`)
  for (const { id, title, about, run } of chosen) {
    const bench = new Bench(settings)
    try {
      report.cases.push({ id, title, about, tables: await run(bench) })
      printCase(report.cases.at(-1))
    } catch (error) {
      // The others are measured none the less.
      console.error(`\n${id}: not measured`, error)
      process.exitCode = 1
    } finally {
      await bench.end()
    }
  }
  report.loadAfter = loadavg()[0]
  if (words.write ?? (words.only === undefined && !words.quick)) writeReport(report)
}

/** Next is built first, which takes longer than a quick run. */
function choose() {
  if (words.only === undefined) return words.quick ? cases.filter((each) => each !== nextRoute) : cases
  const ids = words.only.split(',')
  const unknown = ids.filter((id) => !cases.some((each) => each.id === id))
  if (unknown.length > 0)
    throw new Error(`no case ${unknown.join(', ')}; there are ${cases.map(({ id }) => id).join(', ')}`)
  return cases.filter(({ id }) => ids.includes(id))
}
