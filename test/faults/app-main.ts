/**
 * An application in a process of its own, for tests that kill it: forked by `app-process.ts`, which passes the
 * databases to it in the environment.
 */

import type { AddressInfo } from 'node:net'
import express from 'express'
import { createClient } from 'redis'
import { combine } from '../../lib/adapters/index.js'
import { redisSessions, redisStore } from '../../lib/adapters/redis/index.js'
import { connect, migrate, sqlAdapter, sqlStore } from '../../lib/adapters/sql/index.js'
import { expressFunctions } from '../../lib/functions/on-express.js'
import { getSession, ServerAuth, type ServerAuthConfig } from '../../lib/index.js'
import Credentials from '../../lib/providers/credentials.js'
import type { Adapter } from '../../lib/types/adapter.js'
import type { Store } from '../../lib/types/store.js'
import type { AppSettings, Order } from './app-process.js'

const settings: AppSettings = JSON.parse(process.env.APP_SETTINGS ?? '{}')
/** The method after which this process ends itself, as a power cut would. */
const orders: { dieAfter?: string } = {}

const db = connect(settings.databaseUrl)
await migrate(db)
const sql = sqlAdapter(db)
const ends = settings.revocation && (await openRevocations(settings.revocation.redis))
const redis = settings.redis && (await createClient({ url: settings.redis.url, disableOfflineQueue: true }).connect())
if (redis) redis.on('error', () => {})
const stored = redis ? combine(sql, { sessions: redisSessions(redis, { prefix: settings.redis?.prefix ?? '' }) }) : sql

const config: ServerAuthConfig = {
  secret: settings.secret,
  adapter: mortal(stored),
  ...(ends && {
    // With each read the cookie is due to be renewed: what an answer brings back is brought back.
    session: {
      strategy: 'jwt',
      updateAge: 0,
      revocation: { store: ends, maxStale: settings.revocation?.maxStale ?? 1 },
    },
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
const router = ServerAuth(config)
app.use('/auth', router)
app.get('/me', async (req, res) => {
  res.json(await getSession(req, config))
})
/** Adds a long poll: it reads the session at once, and answers later. */
app.get('/poll', async (req, res) => {
  const session = await getSession(req, config)
  await new Promise((resolve) => setTimeout(resolve, Number(req.query.milliseconds)))
  res.json(session)
})
app.post('/end-all-of/:id', async (req, res) => {
  await expressFunctions(config).sessions.endAll(req.params.id)
  res.end()
})
app.use(((error, _req, res, _next) => {
  res.status(500).json({ error: error.name })
}) as express.ErrorRequestHandler)
const server = app.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
process.on('SIGTERM', () => {
  server.close(async () => {
    await router.close()
    await db.destroy()
    process.exit(0)
  })
})
process.on('message', (order: Order) => {
  orders.dieAfter = order.dieAfter
  process.send?.({ done: true })
})

async function openRevocations(elsewhere: { url: string; prefix: string } | undefined): Promise<Pick<Store, 'log'>> {
  if (!elsewhere) return sqlStore(db)
  const client = await createClient({ url: elsewhere.url, disableOfflineQueue: true }).connect()
  client.on('error', () => {})
  return redisStore(client, { prefix: elsewhere.prefix })
}

/** Returns the adapter, with a death after one of its methods, inside of transactions too. */
function mortal(adapter: Adapter): Adapter {
  const { store, ...methods } = adapter
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
  return { ...Object.fromEntries(entries), ...(store && { store }) }
}
