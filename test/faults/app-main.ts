/**
 * An application in a process of its own, for tests that kill it: forked by `app-process.ts`, which tells it by the
 * environment what it stands on.
 */
import type { AddressInfo } from 'node:net'
import express from 'express'
import { createClient } from 'redis'
import { combine } from '../../lib/adapters/index.js'
import { redisSessions } from '../../lib/adapters/redis/index.js'
import { connect, migrate, sqlAdapter, sqlRevocations } from '../../lib/adapters/sql/index.js'
import { getSession, ServerAuth, type ServerAuthConfig } from '../../lib/index.js'
import Credentials from '../../lib/providers/credentials.js'
import type { Adapter } from '../../lib/types/adapter.js'
import type { AppSettings, Order } from './app-process.js'

const settings: AppSettings = JSON.parse(process.env.APP_SETTINGS ?? '{}')
/** The method after which this process ends itself, as a power cut would. */
const orders: { dieAfter?: string } = {}

const db = connect(settings.databaseUrl)
await migrate(db)
const sql = sqlAdapter(db)
const redis = settings.redis && (await createClient({ url: settings.redis.url, disableOfflineQueue: true }).connect())
if (redis) redis.on('error', () => {})
const stored = redis ? combine(sql, { sessions: redisSessions(redis, { prefix: settings.redis?.prefix ?? '' }) }) : sql

const config: ServerAuthConfig = {
  secret: settings.secret,
  adapter: mortal(stored),
  ...(settings.revocation && {
    session: { strategy: 'jwt', revocation: { store: sqlRevocations(db), ...settings.revocation } },
  }),
  logger: { error: (error) => process.send?.({ error: `${error.name}: ${error.message}` }), warn: () => {} },
  providers: [
    { id: 'test', name: 'Test', type: 'oidc', ...settings.provider },
    { id: 'other', name: 'Other', type: 'oidc', ...settings.provider },
    Credentials({
      credentials: { username: {} },
      authorize: ({ username }) => ({ id: `id-of-${username}`, email: `${username}@example.com` }),
    }),
    {
      id: 'email',
      name: 'Email',
      type: 'email',
      limit: false,
      sendVerificationRequest: ({ identifier, url }) => void process.send?.({ mail: { identifier, url } }),
    },
  ],
}

const app = express()
app.use('/auth', ServerAuth(config))
app.get('/me', async (req, res) => {
  res.json(await getSession(req, config))
})
app.use(((error, _req, res, _next) => {
  res.status(500).json({ error: error.name })
}) as express.ErrorRequestHandler)
const server = app.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
process.on('message', (order: Order) => {
  orders.dieAfter = order.dieAfter
  process.send?.({ done: true })
})

/** The adapter, with a death after one of its methods, inside of transactions too. */
function mortal(adapter: Adapter): Adapter {
  const { revocationStore, ...methods } = adapter
  const entries = Object.entries(methods).map(([name, method]) => [
    name,
    async (...args: unknown[]) => {
      const [work] = args
      const given =
        name === 'transaction' ? [(inside: Adapter) => (work as (inside: Adapter) => unknown)(mortal(inside))] : args
      const outcome: unknown = await Reflect.apply(method as (...args: unknown[]) => unknown, adapter, given)
      if (orders.dieAfter === name) process.kill(process.pid, 'SIGKILL')
      return outcome
    },
  ])
  return { ...Object.fromEntries(entries), ...(revocationStore && { revocationStore }) }
}
