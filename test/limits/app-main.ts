/** An application in a process of its own, forked by `processes.test.ts`, which counts attempts where the environment says. */
import type { AddressInfo } from 'node:net'
import express from 'express'
import { createClient } from 'redis'
import { redisLimits } from '../../lib/adapters/redis/index.js'
import { connect, sqlLimits } from '../../lib/adapters/sql/index.js'
import { type AuthError, ServerAuth } from '../../lib/index.js'
import Credentials from '../../lib/providers/credentials.js'

/** What the application stands on. */
export interface LimitSettings {
  readonly secret: string
  readonly databaseUrl?: string
  readonly redis?: { readonly url: string; readonly prefix: string }
}

const { secret, databaseUrl, redis }: LimitSettings = JSON.parse(process.env.APP_SETTINGS ?? '{}')
const store = databaseUrl
  ? sqlLimits(connect(databaseUrl))
  : redisLimits(await createClient({ url: redis?.url ?? '' }).connect(), { prefix: redis?.prefix ?? '' })

const app = express()
app.use(
  '/auth',
  ServerAuth({
    secret,
    // Without a delay: on a busy machine a hundred guesses take longer than the first second.
    rateLimit: { store, rules: { credentials: { perAccount: 5, perClient: 1000, window: 900 } } },
    logger: { error: (error) => process.send?.({ error: `${error.message} ${(error as AuthError).cause?.err}` }) },
    providers: [
      Credentials({
        credentials: { username: {}, password: { type: 'password' } },
        authorize({ username, password }) {
          process.send?.({ evaluated: true })
          return password === 'right' ? { id: String(username) } : null
        },
      }),
    ],
  }),
)
const server = app.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
