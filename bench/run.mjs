/**
 * `npm run bench`: the extra CPU time of server-auth and of other libraries over the least code that does the same.
 *
 * ```
 * npm run bench                                    everything (about an hour); writes docs/performance.md
 * npm run bench -- --quick --no-peers              everything in small, without other libraries; writes nothing
 * npm run bench -- --only guarded,anonymous        these jobs; writes nothing
 * npm run bench -- --node 24 --rounds 20           one version of Node.js, and more rounds for narrower intervals
 * npm run bench -- --against <folder or Git ref>   compares this working tree with another build; writes nothing
 * npm run bench -- --write, --no-write             whether docs/performance.md is written
 * npm run bench -- --render                        writes docs/performance.md from the measurements beside it
 * ```
 *
 * It needs Linux. PostgreSQL: `BENCH_POSTGRES`, by default `postgres://postgres@127.0.0.1:5432/test`.
 */
import { parseArgs } from 'node:util'
import { packageAt } from './harness/builds.mjs'
import { installPeers, machine } from './harness/machine.mjs'
import { majors, nodeOf } from './harness/nodes.mjs'
import { runJob } from './harness/run-job.mjs'
import { pinLoad } from './harness/servers.mjs'
import { jobsOf } from './jobs/index.mjs'
import { checkIdentical, printResult } from './report/print.mjs'
import { readMeasurements, writeReport } from './report/write.mjs'

const { values: words } = parseArgs({
  allowNegative: true,
  options: {
    against: { type: 'string' },
    node: { type: 'string', default: majors.join(',') },
    only: { type: 'string' },
    peers: { type: 'boolean', default: true },
    quick: { type: 'boolean', default: false },
    render: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    write: { type: 'boolean' },
  },
})

const root = new URL('../', import.meta.url).href
const settings = {
  // Until V8 has optimised the measured code. Fewer requests measure its compiler.
  ...(words.quick
    ? { rounds: 4, blocks: 2, slice: 30, warmUp: 1500 }
    : { rounds: 12, blocks: 5, slice: 50, warmUp: 5000 }),
  ...(words.rounds && { rounds: Number(words.rounds) }),
}

if (words.render) writeReport(readMeasurements())
else {
  const results = await measureAll(words.against === undefined ? floorPlan() : changePlan(words.against))
  const isWhole = words.only === undefined && !words.quick && words.peers
  if (words.against === undefined && (words.write ?? isWhole)) {
    writeReport({ date: new Date().toISOString(), machine: machine(), settings, results })
  }
}

/** Compares this package and other libraries with the floor, beside a second process of the floor. */
function floorPlan() {
  return {
    roots: [root],
    async choose({ floor, own, peers }) {
      const others = words.peers ? ((await peers?.()) ?? []) : []
      return [['floor', floor], ['floor again (A/A)', floor], ['server-auth', own[0]], ...others]
    },
    compare: ({ lanes }) =>
      lanes.slice(1).map(({ name }, at) => [name, at + 1, 0, at === 0 ? checkIdentical : undefined]),
  }
}

/** Compares this package with another build, beside a second process of the other build. */
function changePlan(where) {
  const before = packageAt(where)
  console.log(`before: ${where}; after: this working tree`)
  const judge = ({ low, high }) => (high < 0 ? 'less' : low > 0 ? 'more' : 'undecided')
  return {
    roots: [before, before, root],
    choose: ({ floor, own }) => [
      ['floor', floor],
      ['before', own[0]],
      ['before again', own[1]],
      ['after', own[2]],
    ],
    compare: () => [
      ['before, over the floor', 1, 0],
      ['after, over the floor', 3, 0],
      ['before again, over before (A/A)', 2, 1, checkIdentical],
      ['after, over before', 3, 1, judge],
    ],
  }
}

async function measureAll({ roots, choose, compare }) {
  const jobs = jobsOf(words.only?.split(','))
  installPeers()
  const nodes = words.node.split(',').map(nodeOf)
  pinLoad()
  const results = []
  for (const job of jobs) {
    for (const node of nodes) {
      try {
        results.push(await runJob(job, { node, roots, settings, choose }))
        printResult(results.at(-1), compare(results.at(-1)))
      } catch (error) {
        // The other jobs are measured nevertheless.
        console.error(`\n${job.id} on Node.js ${node.version}: not measured`, error)
        process.exitCode = 1
      }
    }
  }
  return results
}
