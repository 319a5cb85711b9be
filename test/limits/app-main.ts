/**
 * An application in a process of its own, forked by `processes.test.ts`, which counts attempts in the stores that the
 * environment names.
 */
import type { AddressInfo } from 'node:net'
import express from 'express'
import { createClient } from 'redis'
import { redisStore } from '../../lib/adapters/redis/index.js'
import { connect, sqlStore } from '../../lib/adapters/sql/index.js'
import { type AuthError, ServerAuth } from '../../lib/index.js'
import Credentials from '../../lib/providers/credentials.js'
import type { Store } from '../../lib/types/store.js'

/** The stores of the application: databases by their name, and Redis. */
export interface LimitSettings {
  readonly secret: string
  readonly databases: Readonly<Record<string, string>>
  readonly redis?: { readonly url: string; readonly prefix: string }
}

const { secret, databases, redis }: LimitSettings = JSON.parse(process.env.APP_SETTINGS ?? '{}')
const stores: Record<string, Pick<Store, 'counter'>> = {}
for (const [name, url] of Object.entries(databases)) stores[name] = sqlStore(connect(url))
if (redis) stores.redis = redisStore(await createClient({ url: redis.url }).connect(), { prefix: redis.prefix })

const app = express()
for (const [name, store] of Object.entries(stores)) {
  app.use(
    `/${name}`,
    ServerAuth({
      secret,
      basePath: `/${name}`,
      cookies: { sessionToken: { name } },
      // Without a delay: on a busy machine a hundred guesses take longer than the first second.
      rateLimit: { store, rules: { credentials: { perAccount: 5, perClient: 1000, window: 900 } } },
      logger: {
        error: (error) => process.send?.({ error: `${error.message} ${(error as AuthError).cause?.err}` }),
        warn: () => {},
      },
      providers: [
        Credentials({
          credentials: { username: {}, password: { type: 'password' } },
          authorize({ username, password }) {
            process.send?.({ evaluated: name })
            return password === 'right' ? { id: String(username) } : null
          },
        }),
      ],
    }),
  )
}
const server = app.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
