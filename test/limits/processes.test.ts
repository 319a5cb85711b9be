/** Four processes on one PostgreSQL, on one MariaDB and on one Redis: they count together. */
import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { expect } from 'chai'
import { createClient } from 'redis'
import { migrate } from '../../lib/adapters/sql/index.js'
import { secret } from '../support/app.js'
import { forkScript } from '../support/child-script.js'
import { databaseKinds, requireDatabase, type TestDatabase } from '../support/databases.js'
import { extent } from '../support/extent.js'
import { skip } from '../support/skip.js'
import type { LimitSettings } from './app-main.js'

const redisUrl = process.env.TEST_REDIS_URL ?? 'redis://127.0.0.1:6379'

/** An application in another process. */
interface Instance {
  readonly origin: string
  /** The stores in whose application a password was checked. */
  readonly evaluated: readonly string[]
  readonly errors: readonly string[]
  stop(): Promise<void>
}

async function start(settings: LimitSettings): Promise<Instance> {
  const child: ChildProcess = await forkScript('test/limits/app-main.ts', {
    APP_SETTINGS: JSON.stringify(settings),
  })
  const seen = { evaluated: [] as string[], errors: [] as string[] }
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  child.on('message', ({ evaluated, error }: { evaluated?: string; error?: string }) => {
    if (evaluated) seen.evaluated.push(evaluated)
    if (error) seen.errors.push(error)
  })
  return {
    origin: `http://127.0.0.1:${port}`,
    ...seen,
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}

const kinds = databaseKinds.filter((kind) => kind !== 'sqlite')
const places = [...kinds, 'redis']

if (extent !== 'quick') {
  describe('four processes that count attempts together', function () {
    this.timeout(60_000)
    const instances: Instance[] = []
    const open: TestDatabase[] = []
    const prefix = `t${randomBytes(6).toString('hex')}:`

    before(async function () {
      await forget(prefix).catch(() => skip(this, 'no Redis server'))
      for (const kind of kinds) open.push(await requireDatabase(this, kind))
      await Promise.all(open.map(({ db }) => migrate(db)))
      const databases = Object.fromEntries(open.map(({ kind, url }) => [kind, url]))
      const settings: LimitSettings = { secret, databases, redis: { url: redisUrl, prefix } }
      instances.push(...(await Promise.all(Array.from({ length: 4 }, () => start(settings)))))
    })
    after(async () => {
      await Promise.all(instances.map((instance) => instance.stop()))
      await Promise.all(open.map((database) => database.close()))
      await forget(prefix)
    })

    const guess = async (place: string, at: number, username: string, password = 'wrong') => {
      const origin = instances[at % 4]?.origin ?? ''
      const answer = await fetch(`${origin}/${place}/callback/credentials`, {
        method: 'POST',
        headers: { origin, 'sec-fetch-site': 'same-origin', accept: 'application/json' },
        body: new URLSearchParams({ username, password }),
        redirect: 'manual',
      })
      return answer.status
    }

    for (const place of places) {
      it(`CD-05 in ${place} check five of a hundred guesses that come at once`, async () => {
        const statuses = await Promise.all(Array.from({ length: 100 }, (_, at) => guess(place, at, 'ann')))
        expect(instances.flatMap(({ errors }) => errors)).to.deep.equal([])
        expect(statuses.filter((status) => status === 401)).to.have.length(5)
        expect(statuses.filter((status) => status === 429)).to.have.length(95)
        const evaluated = instances.flatMap((instance) => instance.evaluated.filter((each) => each === place))
        expect(evaluated).to.have.length(5)
      })

      it(`in ${place} let a user sign in at one though they failed at another, and do not count that`, async () => {
        for (let at = 0; at < 4; at += 1) expect(await guess(place, at, 'bob')).to.equal(401)
        for (let at = 0; at < 6; at += 1) {
          expect(await guess(place, at, 'bob', 'right')).to.equal(200)
          // It is taken back after the answer.
          await new Promise((resolve) => setTimeout(resolve, 50))
        }
      })
    }
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
