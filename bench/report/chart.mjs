/** Charts as plain SVG, in light and in dark: the colours follow the reader's own setting. */

const width = 720
const label = 280
const bar = { height: 16, gap: 8, left: label + 10, right: width - 70 }

const style = `<style>
text{font:13px system-ui,sans-serif;fill:#24292f}.title{font-weight:600}.axis{fill:#57606a;font-size:11px}
.bar{fill:#afb8c1}.own{fill:#0969da}.spread{stroke:#24292f;stroke-width:1.5}.grid{fill:none;stroke:#d0d7de}.line{fill:none;stroke:#afb8c1;stroke-width:2}
.line.own{fill:none;stroke:#0969da}
@media(prefers-color-scheme:dark){text{fill:#e6edf3}.axis{fill:#9198a1}.bar{fill:#656c76}.own{fill:#4493f8}
.spread{stroke:#e6edf3}.grid{stroke:#3d444d}.line{stroke:#656c76}.line.own{fill:none;stroke:#4493f8}}
</style>`

/** A chart of a case: bars of its ratios (or costs, where the unit is not µs), lines of its memory. */
export function chartOf({ title, tables }) {
  const [{ points }] = tables
  return points ? lines(title, tables) : bars(title, tables)
}

function bars(title, tables) {
  const [{ unit }] = tables
  const show = unit === undefined ? ({ ratio }) => ratio : ({ cost }) => cost
  const most = Math.max(...tables.flatMap(({ rows }) => rows.map((row) => (unit ? row.cost : row.high))), unit ? 0 : 1)
  const x = (value) => bar.left + ((bar.right - bar.left) * value) / most
  const parts = []
  let y = 0
  for (const table of tables) {
    y += 28
    parts.push(text(8, y - 8, table.title, 'title'))
    for (const row of table.rows) {
      const own = row.name.startsWith('server-auth') || row.name.includes('(config)') ? ' own' : ''
      const value = show(row)
      const middle = y + bar.height / 2
      parts.push(text(label, middle + 4, row.name.replaceAll('`', ''), '', 'end'))
      parts.push(
        `<rect class="bar${own}" x="${bar.left}" y="${y}" width="${round(x(value) - bar.left)}" height="${bar.height}" rx="2"/>`,
      )
      if (!unit && row.high > row.low) {
        parts.push(`<path class="spread" d="M${round(x(row.low))} ${middle}H${round(x(row.high))}"/>`)
      }
      const end = unit ? x(value) : Math.max(x(value), x(row.high))
      parts.push(text(round(end + 6), middle + 4, unit ? `${value.toFixed(0)} ${unit}` : value.toFixed(2)))
      y += bar.height + bar.gap
    }
  }
  const explanation = unit
    ? `${unit} of CPU; less is better`
    : `1 is as cheap as ${tables[0].base ?? 'bare Express'}; the line is the spread of the rounds`
  parts.push(text(8, y + 14, explanation, 'axis'))
  return svg(title, y + 24, parts)
}

/** Heap by requests. */
function lines(title, tables) {
  const height = 240
  const [left, right, top, bottom] = [20, width - 170, 20, height - 40]
  const all = tables.flatMap(({ points }) => points)
  const [mostRequests, mostHeap] = [
    Math.max(...all.map(({ requests }) => requests)),
    Math.max(...all.map(({ heap }) => heap)),
  ]
  const x = (requests) => round(left + ((right - left) * requests) / mostRequests)
  const y = (heap) => round(bottom - ((bottom - top) * heap) / (mostHeap * 1.2))
  const parts = [`<path class="grid" d="M${left} ${top}V${bottom}H${right}"/>`]
  for (const { title: name, points } of tables) {
    const own = name === 'server-auth' ? ' own' : ''
    parts.push(
      `<path class="line${own}" d="M${points.map((point) => `${x(point.requests)} ${y(point.heap)}`).join('L')}"/>`,
    )
    const last = points.at(-1)
    parts.push(text(right + 8, y(last.heap) + 4, `${name} ${(last.heap / 2 ** 20).toFixed(1)} MB`))
  }
  parts.push(text(right, bottom + 18, `${mostRequests.toLocaleString('en')} requests`, 'axis', 'end'))
  parts.push(text(8, top - 6, 'heap after a full collection', 'axis'))
  return svg(title, height, parts)
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
