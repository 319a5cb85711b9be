/** The guide to traces, metrics, logs and the audit log: its code compiles, and does what the guide says. Needs `npm run build`. */
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'

const root = fileURLToPath(new URL('../../', import.meta.url))
const run = promisify(execFile)

const sdk = `
import { metrics, trace } from '@opentelemetry/api'
import { InMemoryMetricExporter, MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'

export const spans = new InMemorySpanExporter()
export const points = new InMemoryMetricExporter(0)
trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }))
export const meters = new MeterProvider({ readers: [new PeriodicExportingMetricReader({ exporter: points, exportIntervalMillis: 3_600_000 })] })
metrics.setGlobalMeterProvider(meters)
`

/** Begins a sign-in by each configuration of the guide, lets one fail, and prints what was seen of it. */
const program = `
import { meters, points, spans } from './sdk.js'
import express from 'express'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import pino from 'pino'
import { ServerAuth } from 'server-auth'
import { auth } from './auth.js'
import { auth as audited, stop } from './audited.js'
import { metricsText, telemetry } from './counts.js'
import { authLogger } from './logger.js'
import { recentOf } from './read.js'

const lines: string[] = []
const logger = authLogger(pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) }))
const logged = ServerAuth({ providers: [], telemetry, logger, callbacks: { redirect() { throw new Error('what led to it') } } })
const app = express().use('/auth', auth.router).use('/audited', audited.router).use('/logged', logged)
const server = app.listen(0, '127.0.0.1')
await once(server, 'listening')
const origin = 'http://127.0.0.1:' + (server.address() as AddressInfo).port
const post = (path: string, from = origin) =>
  fetch(origin + path, { method: 'POST', redirect: 'manual', headers: { origin: from, 'sec-fetch-site': from === origin ? 'same-origin' : 'cross-site' } })
await post('/auth/signin/github')
await post('/audited/signin/github', 'https://evil.example')
await audited.config.events?.userDisabled?.({ userId: 'mallory', by: 'ann' })
await fetch(origin + '/logged/signin?callbackUrl=/somewhere')
await meters.forceFlush()
const recent = await recentOf('mallory')
await stop(server)
console.log(JSON.stringify({
  spans: spans.getFinishedSpans().map(({ name }) => name),
  metrics: points.getMetrics().flatMap((each) => each.scopeMetrics.flatMap((scope) => scope.metrics.map(({ descriptor }) => descriptor.name))),
  counts: metricsText(),
  logged: lines.map((line) => JSON.parse(line)),
  recent,
}))
process.exit()
`

describe('the guide to observability', function () {
  this.timeout(120_000)
  this.slow(60_000)
  const folder = mkdtempSync(join(tmpdir(), 'server-auth-guide-'))
  after(() => rmSync(folder, { recursive: true, force: true }))

  const files = new Map(
    [
      ...readFileSync(join(root, 'docs', 'guides', 'observability.md'), 'utf8').matchAll(
        /```ts\n\/\/ (\S+\.ts)\n(.*?)```/gs,
      ),
    ].map(([, path = '', code = '']) => [path, code]),
  )

  before(() => {
    for (const [path, code] of [...files, ['src/sdk.ts', sdk] as const, ['src/main.ts', program] as const]) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), code)
    }
    mkdirSync(join(folder, 'data'))
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }))
    const compilerOptions = {
      ...{ strict: true, module: 'nodenext', target: 'es2022', skipLibCheck: true, noEmit: true, types: ['node'] },
    }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
  })

  it('is all there', () => {
    expect([...files.keys()]).to.deep.equal([
      'src/auth.ts',
      'src/counts.ts',
      'src/logger.ts',
      'src/audited.ts',
      'src/read.ts',
    ])
  })

  it('compiles, strictly', async () => {
    const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
    await run(process.execPath, [tsc, '-p', folder], { cwd: folder }).catch(({ stdout }) => {
      throw new Error(stdout)
    })
  })

  it('does what it says', async () => {
    const env = {
      ...process.env,
      ...{ AUTH_SECRET: 'a-secret-for-tests-of-32-characters', AUTH_GITHUB_ID: 'id', AUTH_GITHUB_SECRET: 'secret' },
      ...{ DATABASE_URL: 'sqlite:data/app.db', NODE_OPTIONS: '', AUTH_URL: '' },
    }
    const tsx = join(root, 'node_modules', 'tsx', 'dist', 'cli.mjs')
    const { stdout } = await run(process.execPath, [tsx, 'src/main.ts'], { cwd: folder, env })
    const seen = JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
    expect(seen.spans).to.deep.equal(['auth.signin'])
    expect(seen.metrics).to.have.members(['auth.operations', 'auth.operation.duration'])
    expect(seen.counts).to.equal('auth_operations_total{operation="signin",result="success",error=""} 1\n')
    expect(seen.recent).to.have.length(1)
    expect(seen.recent[0]).to.include({ type: 'userDisabled', userId: 'mallory', actor: 'ann' })
    const [fault] = seen.logged.filter(({ level }: { level: number }) => level === 50)
    expect(fault).to.include({ module: 'auth', type: 'CallbackRouteError' })
    expect(fault.cause.message).to.equal('what led to it')
  })
})
