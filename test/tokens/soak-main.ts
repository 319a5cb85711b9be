/**
 * Forked by `soak.test.ts`: gets access tokens of many users, again and again, as the processes of an application do. All requests to the
 * provider go to the unruly front of it. Messages: `stop` → no further calls; it answers with a report once the last call has ended.
 */

import { monitorEventLoopDelay } from 'node:perf_hooks'
import { connect, sqlStore } from '../../lib/adapters/sql/index.js'
import { expressFunctions } from '../../lib/functions/on-express.js'
import { customFetch, type ServerAuthConfig } from '../../lib/index.js'
import { tokensIn } from '../support/stores.js'

/** The settings of a worker. */
export interface SoakSettings {
  readonly secret: string
  readonly url: string
  readonly userIds: readonly string[]
  readonly provider: { readonly issuer: string; readonly clientId: string; readonly clientSecret?: string }
  /** The origin that is called instead of the issuer's. */
  readonly front: string
  /** Seconds. */
  readonly timeout: number
}

/** The report of a worker. */
export interface SoakReport {
  readonly calls: number
  /** The number of each error: its type, and its reason or whether it is retryable. */
  readonly errors: Readonly<Record<string, number>>
  /** Milliseconds of the longest call. */
  readonly longest: number
  /** Milliseconds after its time at which a call ended at the latest, less those for which the process stood still. */
  readonly latest: number
  /** Tokens that had ended when they were given. */
  readonly ended: number
}

const settings: SoakSettings = JSON.parse(process.env.WORKER ?? '{}')
const { issuer } = settings.provider
const db = connect(settings.url)
const store = sqlStore(db)

const config: ServerAuthConfig = {
  secret: settings.secret,
  timeout: settings.timeout,
  session: { strategy: 'jwt' },
  tokens: { store },
  logger: { error: () => {}, warn: () => {} },
  providers: [
    {
      id: 'test',
      name: 'Test',
      type: 'oidc',
      ...settings.provider,
      [customFetch]: (input: string | URL | Request, init?: RequestInit) => {
        const headers = new Headers(init?.headers)
        headers.set('x-worker', String(process.pid))
        return fetch(String(input).replace(issuer, settings.front), { ...init, headers })
      },
    },
  ],
}

const lag = monitorEventLoopDelay()
lag.enable()
/** Nanoseconds, of this stretch of time and of the one before. Each is as long as a call may take. */
const lags = {
  get now() {
    return lag.max
  },
  before: 0,
}
setInterval(() => {
  lags.before = lag.max
  lag.reset()
}, settings.timeout * 1000).unref()

const report = {
  calls: 0,
  errors: {} as Record<string, number>,
  longest: 0,
  latest: Number.NEGATIVE_INFINITY,
  ended: 0,
}
let isStopped = false

/**
 * Returns the milliseconds for which this process did nothing at a stretch, in the last seconds. A busy machine is not
 * a fault of the library.
 */
function stoodStill(): number {
  return Math.max(lags.now, lags.before) / 1e6
}

async function attempt(userId: string): Promise<void> {
  const began = performance.now()
  try {
    const { expiresAt } = await expressFunctions(config).tokens.get({ userId }, { provider: 'test' })
    if (expiresAt && expiresAt.getTime() < Date.now() - 1000) report.ended += 1
  } catch (error) {
    const { type, reason, retryable, message } = error as Record<string, unknown>
    const name = `${type ?? message} ${reason ?? (retryable === undefined ? '' : retryable ? 'retryable' : message)}`
    report.errors[name] = (report.errors[name] ?? 0) + 1
  }
  report.calls += 1
  const took = performance.now() - began
  report.longest = Math.max(report.longest, took)
  report.latest = Math.max(report.latest, took - settings.timeout * 1000 - stoodStill())
}

async function work(userId: string): Promise<void> {
  while (!isStopped) {
    await attempt(userId)
    await new Promise((resolve) => setTimeout(resolve, 100 + Math.random() * 300))
  }
}

await tokensIn(store).findByUser(settings.userIds[0] ?? '')
process.send?.('ready')
const workers = settings.userIds.map(work)
process.on('message', async () => {
  isStopped = true
  await Promise.all(workers)
  process.send?.(report satisfies SoakReport)
})
