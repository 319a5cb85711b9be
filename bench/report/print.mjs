/** Results on the terminal. */

export function printCase({ title, tables }) {
  console.log(`\n${title.replaceAll('`', '')}`)
  for (const table of tables) {
    if (tables.length > 1) console.log(`  ${table.title}`)
    if (table.points) for (const point of table.points) console.log(`    ${memoryOf(point)}`)
    else for (const row of table.rows) console.log(`    ${rowOf(row, table)}`)
  }
}

function memoryOf({ requests, heap, rss }) {
  return `${String(requests).padStart(9)} requests: heap ${megabytes(heap)}, resident ${megabytes(rss)}`
}

function rowOf({ name, cost, ratio, low, high, requests, toProvider }, { unit = 'µs' }) {
  const extra = [
    requests === undefined ? '' : `${requests} requests`,
    toProvider === undefined ? '' : `${toProvider} to the provider`,
  ]
  return `${name.padEnd(44)} ${cost.toFixed(0).padStart(6)} ${unit}  ${ratio.toFixed(2)} (${low.toFixed(2)}–${high.toFixed(2)})  ${extra.filter(Boolean).join(', ')}`
}

/** Bytes as a person reads them. */
export function megabytes(bytes) {
  return `${(bytes / 2 ** 20).toFixed(1)} MB`
}
