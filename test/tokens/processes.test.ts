/** Several processes and one real provider whose refresh tokens work once: on each database, and on Redis. */
import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { createClient } from 'redis'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import { redisStore } from '../../lib/adapters/redis/index.js'
import { migrate, sqlAdapter, sqlStore } from '../../lib/adapters/sql/index.js'
import { customFetch, type ServerAuthConfig } from '../../lib/index.js'
import { secret, startApp, target } from '../support/app.js'
import { forkScript } from '../support/child-script.js'
import { databaseKinds, requireDatabase, type TestDatabase } from '../support/databases.js'
import { extent } from '../support/extent.js'
import { type OpenIdProvider, startOpenIdProvider } from '../support/openid-provider.js'
import { skip } from '../support/skip.js'
import type { Outcome, WorkerAnswer, WorkerOrder, WorkerSettings } from './worker-main.js'

const redisUrl = process.env.TEST_REDIS_URL ?? 'redis://127.0.0.1:6379'

/** A process that gets tokens. */
interface Worker {
  ask(order: WorkerOrder): Promise<WorkerAnswer>
  /** Sends an order to a process that will not live to answer it. */
  askLast(order: WorkerOrder): Promise<void>
  stop(): Promise<void>
}

async function startWorker(settings: WorkerSettings): Promise<Worker> {
  const child: ChildProcess = await forkScript('test/tokens/worker-main.ts', {
    WORKER: JSON.stringify(settings),
  })
  await once(child, 'message')
  return {
    async ask(order) {
      const answered = once(child, 'message')
      child.send(order)
      return (await answered)[0] as WorkerAnswer
    },
    async askLast(order) {
      const ended = once(child, 'exit')
      child.send(order)
      await ended
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}

if (extent !== 'quick') {
  for (const place of [...databaseKinds, 'redis'] as const) {
    // The store decides which process is first, for two as for four.
    const count = place === 'postgres' || extent === 'all' ? 4 : 2
    describe(`${count} processes that renew together, on ${place}`, function () {
      this.timeout(120_000)
      let life = 1
      let provider: OpenIdProvider
      let database: TestDatabase | undefined
      let settings: WorkerSettings
      let given: string[]
      const workers: Worker[] = []
      const prefix = `t${randomBytes(6).toString('hex')}:`

      beforeEach(async function () {
        life = 1
        given = []
        provider = await startOpenIdProvider({
          configuration: {
            scopes: ['openid', 'offline_access'],
            rotateRefreshToken: true,
            ttl: {
              AccessToken: () => life,
              RefreshToken: 86400,
              Grant: 86400,
              IdToken: 3600,
              Session: 86400,
              Interaction: 600,
            },
          },
        })
        const redis = createClient({ url: redisUrl })
        if (place === 'redis') await redis.connect().catch(() => skip(this, 'no Redis server'))
        else {
          database = await requireDatabase(this, place)
          await migrate(database.db)
        }
        const userId = await signIn({
          adapter: database ? sqlAdapter(database.db) : memoryAdapter(),
          tokens: { store: database ? sqlStore(database.db) : redisStore(redis, { prefix }) },
        })
        if (place === 'redis') await redis.close()
        settings = { secret, url: database?.url ?? redisUrl, prefix, userId, provider: provider.settings() }
      })
      afterEach(async () => {
        await Promise.all(workers.splice(0).map((worker) => worker.stop()))
        await provider.close()
        await database?.close()
        if (place === 'redis') await forget(prefix)
      })

      /** Signs alice in, and tells the id of the user. */
      async function signIn(config: Partial<ServerAuthConfig>): Promise<string> {
        let userId = ''
        const app = await startApp({
          ...config,
          events: {
            signIn({ user }) {
              userId = user.id ?? ''
            },
          },
          providers: [
            {
              id: 'test',
              name: 'Test',
              type: 'oidc',
              ...provider.settings(),
              authorization: { params: { scope: 'openid offline_access', prompt: 'consent' } },
              [customFetch]: async (...request: Parameters<typeof fetch>) => {
                const response = await fetch(...request)
                if (String(request[0]).endsWith('/token')) {
                  const { access_token, refresh_token, id_token } = await response.clone().json()
                  given.push(access_token, refresh_token, id_token)
                }
                return response
              },
            },
          ],
        })
        const browser = app.browser()
        const start = await browser.submit('/auth/signin/test')
        await browser.get(await provider.signInAs(target(start), 'alice'))
        await app.close()
        return userId
      }

      async function start(count: number): Promise<void> {
        workers.push(...(await Promise.all(Array.from({ length: count }, () => startWorker(settings)))))
      }

      it('OA-09 RC-04 answer 200 calls at once with one grant, and the grant continues', async () => {
        await start(count)
        await new Promise((resolve) => setTimeout(resolve, 1100))
        life = 3600
        provider.requests.length = 0
        const answers = await Promise.all(workers.map((worker) => worker.ask({ calls: 200 / count })))
        const outcomes = answers.flatMap((answer) => answer.outcomes)
        expect(outcomes.filter(({ error }) => error !== undefined).slice(0, 3)).to.deep.equal([])
        expect(outcomes).to.have.length(200)
        expect(new Set(outcomes.map(({ token }) => token)).size).to.equal(1)
        expect(provider.count('/token')).to.equal(1)
        // The provider would have ended the grant for a refresh token that was used twice.
        const again = await workers[0]?.ask({ calls: 1, options: { forceRefresh: true } })
        expect(again?.outcomes[0]?.error).to.equal(undefined)
        given.push(...answers.flatMap((answer) => answer.given), ...(again?.given ?? []))
        await assertNotStored()
      })

      /** No token that was ever given is in what is stored, in any table. */
      async function assertNotStored(): Promise<void> {
        expect(given.length).to.be.at.least(5)
        const dump = await dumpOf()
        expect(dump).to.include('alice-sub')
        for (const token of given) {
          expect(dump).to.not.include(token)
          expect(dump).to.not.include(Buffer.from(token).toString('base64'))
        }
      }

      async function dumpOf(): Promise<string> {
        if (!database) return dumpRedis(prefix)
        const { db, url, kind } = database
        const tables = await db.introspection.getTables()
        const rows = await Promise.all(tables.map(({ name }) => db.selectFrom(name).selectAll().execute()))
        const file = kind === 'sqlite' ? readFileSync(url.replace(/^(file|sqlite):(\/\/)?/, '')).toString('latin1') : ''
        return JSON.stringify(rows) + file
      }

      // The kind of store makes no difference to the data that a killed process has written.
      if (place === 'sqlite' || extent === 'all') {
        it('tell honestly when one was killed between the answer and the store', async () => {
          await new Promise((resolve) => setTimeout(resolve, 1100))
          life = 3600
          settings = { ...settings, timeout: 1 }
          // Ready before the other dies: its lease lasts for some seconds.
          await start(1)
          const victim = await startWorker({ ...settings, diesAtWrite: true })
          await victim.askLast({ calls: 1 })
          const outcomes: Outcome[] = []
          const until = Date.now() + 60_000
          do {
            const answer = await workers[0]?.ask({ calls: 1 })
            outcomes.push(...(answer?.outcomes ?? []))
          } while (outcomes.at(-1)?.retryable && Date.now() < until)
          // While the lease of the dead process lasts, another process may be renewing.
          expect(outcomes[0]).to.deep.equal({ error: 'RefreshError', retryable: true })
          expect(outcomes.at(-1)).to.deep.equal({ error: 'ConsentRequired', reason: 'refused' })
        })
      }

      if (place === 'sqlite') {
        const soak = Number(process.env.TOKENS_SOAK_SECONDS ?? (extent === 'all' ? 300 : 0))
        const each = soak > 0 ? it : undefined
        each?.('lose nothing with tokens of ten seconds, in three processes', async function () {
          const seconds = soak
          this.timeout((seconds + 60) * 1000)
          life = 10
          await start(3)
          const answers = await Promise.all(workers.map((worker) => worker.ask({ soak: seconds })))
          expect(answers.flatMap(({ outcomes }) => outcomes)).to.deep.equal([])
          expect(answers.map(({ dead }) => dead)).to.deep.equal([0, 0, 0])
          expect(answers.flatMap((answer) => answer.given).length / 2).to.be.within(seconds / 12, seconds / 3)
        })
      }
    })
  }
}

async function dumpRedis(prefix: string): Promise<string> {
  const redis = await createClient({ url: redisUrl }).connect()
  const keys = await redis.keys(`${prefix}*`)
  const values = await Promise.all(
    keys.map(async (key) => ((await redis.type(key)) === 'hash' ? redis.hGetAll(key) : redis.sMembers(key))),
  )
  await redis.close()
  return JSON.stringify([keys, values])
}

async function forget(prefix: string): Promise<void> {
  const redis = await createClient({ url: redisUrl }).connect()
  const keys = await redis.keys(`${prefix}*`)
  if (keys.length > 0) await redis.del(keys)
  await redis.close()
}
