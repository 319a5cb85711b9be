/** The text of docs/performance.md. */
import { megabytes } from './print.mjs'
import { judge } from './targets.mjs'

/** Writes the page of a report. */
export function pageOf(report) {
  return `${[head(report), targets(report), ...report.cases.map(section), machineOf(report)].join('\n\n')}\n`
}

function head({ date, settings, load, loadAfter = 0 }) {
  // Load and server keep two processes busy by themselves.
  const isBusy = load > 1 || loadAfter > 3
  const busy = isBusy ? '\n\n**The machine was busy with other work during this run, so consider the spread.**' : ''
  return `# Performance

Written by \`npm run bench\` on ${date.slice(0, 10)}, from [these measurements](performance/measurements.json); do not edit it by hand.

The values are the CPU time of the server process per request, user and system, not elapsed time or throughput. A **ratio** is the cost of the base
(bare Express, unless the table says otherwise) divided by the cost of the variant in the same round. A ratio of 1 is as cheap as the base; 0.25 costs four times as much.

Each value is the median of ${settings.rounds} rounds of ${settings.count} requests, after a warm-up of ${settings.warmUp} (fewer where a request is a whole sign-in). The variants run interleaved.
The **spread** is the lowest and the highest ratio of a round. Differences within the spread are not significant.

All variants answer the same route with the same few bytes. In a real route, authentication is a smaller part of the work. The *bare codec* decrypts the same token with \`node:crypto\`
and a prepared key. It does nothing else that a session needs, such as rotation of secrets, extension and callbacks.${busy}

## Reproduce it

\`\`\`sh
npm ci && npm run bench                        # everything: about 20 minutes, and PostgreSQL on loopback
npm run bench -- --quick                       # a short version: about 2 minutes
npm run bench -- --only guarded,anonymous      # some cases
BENCH_MILLION=1 npm run bench -- --only memory # a million requests
npm run check:allocations                      # bytes allocated by a read and by GET routes, as in CI
\`\`\`

The first run installs the other libraries into \`bench/node_modules\`.`
}

function targets(report) {
  const judged = judge(report)
  if (judged.length === 0) return ''
  const missed = judged.filter(({ met }) => !met).length
  const verdict = missed === 0 ? 'All are met.' : `${judged.length - missed} of ${judged.length} are met in this run.`
  const rows = judged.map(
    ({ title, wanted, value, met }) => `| ${title} | ${wanted} | ${value} | ${met ? 'met' : '**not met**'} |`,
  )
  return ['## Targets', '', `${verdict}`, '', '| Ratio | Target | Measured | |', '|---|---|---|---|', ...rows].join(
    '\n',
  )
}

function section({ id, title, about, tables }) {
  const parts = [`## ${title}`, about, `![${title.replaceAll('`', '')}](performance/${id}.svg)`]
  for (const table of tables) {
    if (tables.length > 1) parts.push(`### ${title.replaceAll('`', '')}: ${table.title}`)
    parts.push(table.points ? points(table) : rows(table))
  }
  return parts.join('\n\n')
}

function rows({ rows: list, unit = 'µs', base = 'bare Express' }) {
  const own = ['requests', 'toProvider'].filter((fact) => list.some((row) => row[fact] !== undefined))
  const names = { requests: 'requests', toProvider: 'requests to the provider' }
  const columns = ['', 'CPU', `ratio to ${base}`, 'spread', ...own.map((fact) => names[fact])]
  const cells = ({ name, cost, ratio, low, high, ...facts }) => [
    name,
    `${cost.toFixed(0)} ${unit}`,
    ratio.toFixed(2),
    `${low.toFixed(2)}–${high.toFixed(2)}`,
    ...own.map((fact) => facts[fact] ?? ''),
  ]
  return grid(columns, list.map(cells))
}

function points({ points: list }) {
  const cells = ({ requests, heap, rss }) => [requests.toLocaleString('en'), megabytes(heap), megabytes(rss)]
  return grid(['requests', 'heap', 'resident'], list.map(cells))
}

function machineOf({ machine, settings, load }) {
  const { cpu, memory, system, node, pinned, versions } = machine
  return `## Machine and versions

${grid(
  ['', ''],
  [
    ['CPU', cpu],
    ['Memory', memory],
    ['System', `${system}, Node.js ${node}`],
    ['Server and load on separate CPUs', pinned ? 'yes' : 'no'],
    ['Load average before the run', load.toFixed(2)],
    ['Rounds × requests', `${settings.rounds} × ${settings.count}`],
    ...Object.entries(versions),
  ],
)}`
}

function grid(columns, lines) {
  const line = (cells) => `| ${cells.join(' | ')} |`
  return [line(columns), `|${'---|'.repeat(columns.length)}`, ...lines.map(line)].join('\n')
}
