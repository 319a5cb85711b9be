/** The text of docs/performance.md. */
import { isQuiet } from '../harness/run-job.mjs'
import { differenceOf, intervalOf } from '../harness/statistics.mjs'
import { digitsOf, intervalText, shareOf } from './numbers.mjs'
import { judge } from './targets.mjs'

/** Writes the page of a report. */
export function pageOf(report) {
  const jobs = [...byJob(report.results).values()]
  return `${[head(report), targetsOf(report), ...jobs.map(section), machineOf(report)].join('\n\n')}\n`
}

/** Groups results of the same job, which ran on several versions of Node.js. */
export function byJob(results) {
  const groups = new Map()
  for (const result of results) groups.set(result.id, [...(groups.get(result.id) ?? []), result])
  return groups
}

function head({ date, settings, results }) {
  const { rounds, blocks, slice, warmUp } = settings
  return `# Performance

Written by \`npm run bench\` on ${date.slice(0, 10)}, from [these measurements](performance/measurements.json). Do not edit this page by hand.

Each job is compared with its **floor**: the least code that sends the same answer. The tables show how much a request costs **more than the floor**, in microseconds of the server's main thread.
The brackets are the 95 % interval. A difference is only known to be inside its interval.

${quietText(results)} ${identicalText(results)}

## Method

- The cost is the CPU time of the main thread, as the scheduler of Linux counts it in \`/proc\`. It is neither elapsed time nor throughput. A cold start is the CPU time of all threads of a process, and memory is the heap after a garbage collection.
- Each lane has its own server process. Another process sends the requests, over 8 connections. It never sleeps, because to wake it would cost the servers time.
- The lanes get their requests in slices of ${slice} ms, ${2 * blocks} slices a round, in a random order that each block repeats backwards.
- All servers are started again in each of ${rounds} rounds, and receive ${warmUp.toLocaleString('en')} requests before the measurement. A round is one value of the statistics: Student's t of the paired differences.
- The *A/A lane* runs the code of the floor in a second process. Its difference is 0, so its interval shows the resolution of the measurement.
- All libraries answer the same route with the same few bytes. The *codec* decrypts the same token with \`node:crypto\` and a prepared key. It does nothing else that a session needs.

## Reproduce it

\`\`\`sh
npm ci && npm run bench                           # everything, on Linux with PostgreSQL on loopback: about an hour
npm run bench -- --quick --no-peers               # a short version with wide intervals: a few minutes
npm run bench -- --only guarded,anonymous         # some jobs
npm run bench -- --against main --only guarded    # compares the working tree with another commit or folder
npm run check:allocations                         # bytes allocated by a read and by GET routes, as in CI
\`\`\`

The first run installs the other libraries and both versions of Node.js into \`bench/node_modules\`.`
}

function quietText(results) {
  const busy = results.filter(({ machine }) => !isQuiet(machine)).length
  return busy === 0
    ? 'The machine was quiet during the run.'
    : `**Other programs used the machine during ${busy} of ${results.length} measurements, so intervals are wider.**`
}

function identicalText(results) {
  const intervals = results.map(({ lanes: [floor, again] }) => differenceOf(again.costs, floor.costs))
  const contain = intervals.filter(({ low, high }) => low <= 0 && high >= 0).length
  return `In ${contain} of ${intervals.length} measurements the interval of the A/A lane contains 0; about 95 % should.`
}

function targetsOf({ results }) {
  const judged = judge(results)
  if (judged.length === 0) return ''
  const count = (word) => judged.filter(({ verdict }) => verdict === word).length
  const rows = judged.map(({ title, floor, unit, node, difference, most, verdict }) => [
    title,
    floor,
    node,
    `${intervalText(difference, unit)} ${unit}`,
    `at most ${most} ${unit}`,
    verdict === 'missed' ? '**missed**' : verdict,
  ])
  return `## Targets

${count('met')} of ${judged.length} targets are met, ${count('missed')} are missed. ${count('undecided')} are undecided: the target is inside the interval.

${grid(['Job', 'Floor', 'Node.js', 'More than the floor', 'Target', ''], rows)}`
}

function section(results) {
  const [{ id, title, floor, unit, lanes }] = results
  const show = digitsOf(unit)
  const names = lanes.map(({ name }) => name)
  const columns = ['', ...results.flatMap(({ version }) => [`Node.js ${version}`, 'more than the floor'])]
  const rows = names.map((name, at) => [
    name,
    ...results.flatMap((result) => {
      const { costs } = result.lanes[at]
      const total = `${show(intervalOf(costs).mean)} ${unit}`
      return [total, at === 0 ? '' : intervalText(differenceOf(costs, result.lanes[0].costs), unit)]
    }),
  ])
  return `## ${title}

Floor: ${floor}.

![${title.replaceAll('`', '')}](performance/${id}.svg)

${grid(columns, rows)}`
}

function machineOf({ machine, results }) {
  const { cpu, memory, system, pinned, versions } = machine
  const of = (pick) => Math.max(...results.map((result) => pick(result.machine)))
  return `## Machine and versions

${grid(
  ['', ''],
  [
    ['CPU', cpu],
    ['Memory', memory],
    ['System', system],
    ['Node.js', [...new Set(results.map(({ version }) => version))].join(', ')],
    ['Server and load on separate CPUs', pinned ? 'yes' : 'no'],
    ['Highest load average before a measurement', of(({ load }) => load).toFixed(1)],
    ['Most time stolen by the host', shareOf(of(({ stolen }) => stolen))],
    ['Longest wait for a CPU, of the time on the CPU', shareOf(of(({ waited }) => waited))],
    ['Most interruptions by other threads, a second', of(({ interruptions }) => interruptions).toFixed(0)],
    ...Object.entries(versions),
  ],
)}`
}

function grid(columns, lines) {
  const line = (cells) => `| ${cells.join(' | ')} |`
  return [line(columns), `|${'---|'.repeat(columns.length)}`, ...lines.map(line)].join('\n')
}
