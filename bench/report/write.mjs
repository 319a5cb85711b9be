/** Writes docs/performance.md, its charts, and the measurements. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { chartOf } from './chart.mjs'
import { byJob, pageOf } from './page.mjs'

const root = new URL('../../', import.meta.url)
const folder = new URL('docs/performance/', root)
const measurements = new URL('measurements.json', folder)

export function readMeasurements() {
  return JSON.parse(readFileSync(measurements, 'utf8'))
}

export function writeReport(report) {
  mkdirSync(folder, { recursive: true })
  for (const name of readdirSync(folder)) if (name.endsWith('.svg')) rmSync(new URL(name, folder))
  writeFileSync(measurements, JSON.stringify(report))
  const biome = fileURLToPath(new URL('node_modules/@biomejs/biome/bin/biome', root))
  execFileSync(process.execPath, [biome, 'format', '--write', fileURLToPath(measurements)], { stdio: 'ignore' })
  for (const [id, results] of byJob(report.results)) writeFileSync(new URL(`${id}.svg`, folder), chartOf(results))
  writeFileSync(new URL('docs/performance.md', root), pageOf(report))
  console.log('\nwrote docs/performance.md')
}
