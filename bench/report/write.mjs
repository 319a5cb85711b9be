/** docs/performance.md, its charts, and the measurements they are made from. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { chartOf } from './chart.mjs'
import { pageOf } from './page.mjs'

const root = new URL('../../', import.meta.url)
const folder = new URL('docs/performance/', root)
const measurements = new URL('measurements.json', folder)

export function readMeasurements() {
  return JSON.parse(readFileSync(measurements, 'utf8'))
}

export function writeReport(report) {
  mkdirSync(folder, { recursive: true })
  writeFileSync(measurements, JSON.stringify(report))
  const biome = fileURLToPath(new URL('node_modules/@biomejs/biome/bin/biome', root))
  execFileSync(process.execPath, [biome, 'format', '--write', fileURLToPath(measurements)], { stdio: 'ignore' })
  for (const each of report.cases) writeFileSync(new URL(`${each.id}.svg`, folder), chartOf(each))
  writeFileSync(new URL('docs/performance.md', root), pageOf(report))
  console.log('\nwrote docs/performance.md')
}
