/** Four processes on one PostgreSQL, on one MariaDB and on one Redis: they count together. */
import { type ChildProcess, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { expect } from 'chai'
import { createClient } from 'redis'
import { migrate } from '../../lib/adapters/sql/index.js'
import { secret } from '../support/app.js'
import { compileScript } from '../support/child-script.js'
import { type DatabaseKind, databaseKinds, requireDatabase, type TestDatabase } from '../support/databases.js'
import { extent } from '../support/extent.js'
import { skip } from '../support/skip.js'
import type { LimitSettings } from './app-main.js'

const redisUrl = process.env.TEST_REDIS_URL ?? 'redis://127.0.0.1:6379'

/** An application in another process. */
interface Instance {
  readonly origin: string
  readonly evaluated: number
  readonly errors: readonly string[]
  stop(): Promise<void>
}

async function start(settings: LimitSettings): Promise<Instance> {
  const child: ChildProcess = fork(await compileScript('test/limits/app-main.ts'), {
    env: { ...process.env, APP_SETTINGS: JSON.stringify(settings) },
  })
  const seen = { evaluated: 0, errors: [] as string[] }
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  child.on('message', ({ evaluated, error }: { evaluated?: true; error?: string }) => {
    if (evaluated) seen.evaluated += 1
    if (error) seen.errors.push(error)
  })
  return {
    origin: `http://127.0.0.1:${port}`,
    get evaluated() {
      return seen.evaluated
    },
    errors: seen.errors,
    async stop() {
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

const places = [...databaseKinds.filter((kind) => kind !== 'sqlite'), ...(extent === 'quick' ? [] : ['redis' as const])]

for (const place of places) {
  describe(`four processes that count attempts in ${place}`, function () {
    this.timeout(30_000)
    const instances: Instance[] = []
    let database: TestDatabase | undefined
    let prefix = ''

    before(async function () {
      const settings = place === 'redis' ? await onRedis(this) : await inDatabase(this, place)
      instances.push(...(await Promise.all(Array.from({ length: 4 }, () => start({ secret, ...settings })))))
    })
    after(async () => {
      await Promise.all(instances.map((instance) => instance.stop()))
      await database?.close()
      if (prefix) await forget(prefix)
    })

    async function inDatabase(context: Mocha.Context, kind: DatabaseKind) {
      database = await requireDatabase(context, kind)
      await migrate(database.db)
      return { databaseUrl: database.url }
    }

    async function onRedis(context: Mocha.Context) {
      prefix = `t${randomBytes(6).toString('hex')}:`
      await forget(prefix).catch(() => skip(context, 'no Redis server'))
      return { redis: { url: redisUrl, prefix } }
    }

    const guess = async (at: number, username: string, password = 'wrong') => {
      const origin = instances[at % 4]?.origin ?? ''
      const answer = await fetch(`${origin}/auth/callback/credentials`, {
        method: 'POST',
        headers: { origin, 'sec-fetch-site': 'same-origin', accept: 'application/json' },
        body: new URLSearchParams({ username, password }),
        redirect: 'manual',
      })
      return answer.status
    }
    const evaluated = () => instances.reduce((sum, instance) => sum + instance.evaluated, 0)

    it('CD-05 look at five of a hundred guesses that come at once', async () => {
      const statuses = await Promise.all(Array.from({ length: 100 }, (_, at) => guess(at, 'ann')))
      expect(statuses.filter((status) => status === 401)).to.have.length(5)
      expect(instances.flatMap(({ errors }) => errors)).to.deep.equal([])
      expect(statuses.filter((status) => status === 429)).to.have.length(95)
      expect(evaluated()).to.equal(5)
      expect(instances.flatMap(({ errors }) => errors)).to.deep.equal([])
    })

    it('let somebody in at one though they failed at another, and count that for nothing', async () => {
      for (let at = 0; at < 4; at += 1) expect(await guess(at, 'bob')).to.equal(401)
      for (let at = 0; at < 8; at += 1) {
        expect(await guess(at, 'bob', 'right')).to.equal(200)
        // It is taken back after the answer.
        await new Promise((resolve) => setTimeout(resolve, 30))
      }
    })
  })
}

/** Removes the keys of a test. */
async function forget(prefix: string): Promise<void> {
  const client = createClient({ url: redisUrl, socket: { reconnectStrategy: false } })
  client.on('error', () => {})
  await client.connect()
  const keys = await client.keys(`${prefix}*`)
  if (keys.length > 0) await client.del(keys)
  await client.close()
}
