/** Charts as plain SVG, in light and in dark: the colours follow the reader's own setting. */
import { differenceOf } from '../harness/statistics.mjs'
import { digitsOf } from './numbers.mjs'

const width = 720
const label = 280
const bar = { height: 16, gap: 8, left: label + 10, right: width - 70 }

const style = `<style>
text{font:13px system-ui,sans-serif;fill:#24292f}.title{font-weight:600}.axis{fill:#57606a;font-size:11px}
.bar{fill:#afb8c1}.own{fill:#0969da}.interval{stroke:#24292f;stroke-width:1.5}
@media(prefers-color-scheme:dark){text{fill:#e6edf3}.axis{fill:#9198a1}.bar{fill:#656c76}.own{fill:#4493f8}.interval{stroke:#e6edf3}}
</style>`

/** Draws the extra cost of each lane over the floor, by version of Node.js. `results` are all results of one job. */
export function chartOf(results) {
  const [{ title, unit, floor }] = results
  const groups = results.map(({ version, lanes: [lowest, ...others] }) => ({
    version,
    rows: others.map(({ name, costs }) => ({ name, ...differenceOf(costs, lowest.costs) })),
  }))
  const most = Math.max(1e-9, ...groups.flatMap(({ rows }) => rows.map(({ high }) => high)))
  const x = (value) => round(bar.left + ((bar.right - bar.left) * Math.max(0, value)) / most)
  const show = digitsOf(unit)
  const parts = []
  let y = 0
  for (const { version, rows } of groups) {
    y += 28
    parts.push(text(8, y - 8, `Node.js ${version}`, 'title'))
    for (const { name, mean, low, high } of rows) {
      const own = name === 'server-auth' ? ' own' : ''
      const middle = y + bar.height / 2
      parts.push(text(label, middle + 4, name, '', 'end'))
      parts.push(
        `<rect class="bar${own}" x="${bar.left}" y="${y}" width="${round(x(mean) - bar.left)}" height="${bar.height}" rx="2"/>`,
        `<path class="interval" d="M${x(low)} ${middle}H${x(high)}"/>`,
        text(x(high) + 6, middle + 4, show(mean)),
      )
      y += bar.height + bar.gap
    }
  }
  parts.push(text(8, y + 14, `extra ${unit} over the floor (${floor}); the line is the 95 % interval`, 'axis'))
  return svg(title, y + 24, parts)
}

function svg(title, height, parts) {
  const name = escaped(title.replaceAll('`', ''))
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${name}">
<title>${name}</title>
${style}
${parts.join('\n')}
</svg>
`
}

function text(x, y, words, kind = '', anchor = 'start') {
  const attributes = `${kind ? ` class="${kind}"` : ''}${anchor === 'start' ? '' : ` text-anchor="${anchor}"`}`
  return `<text x="${x}" y="${y}"${attributes}>${escaped(words)}</text>`
}

const round = (number) => Number(number.toFixed(1))
const escaped = (words) => words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
