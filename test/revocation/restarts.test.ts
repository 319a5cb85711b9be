/** Redis is killed and restarted with its data, and a process of the site starts again beside it. */

import { expect } from 'chai'
import { redisStore } from '../../lib/adapters/redis/index.js'
import { expressFunctions } from '../../lib/functions/on-express.js'
import { libraries, type TestClient } from '../adapters/redis-clients.js'
import type { TestApp } from '../support/app.js'
import { type OwnServer, startOwnRedis } from '../support/own-servers.js'
import { skip } from '../support/skip.js'
import { at, beginSession, isIn, startSite } from './sites.js'

describe('Redis with `appendonly`, killed and started again', () => {
  let redis: OwnServer | undefined
  let client: TestClient
  const apps: TestApp[] = []
  before(async function () {
    redis = await startOwnRedis(true).catch(() => skip(this, 'no redis-server'))
  })
  after(async () => {
    await Promise.all(apps.map((app) => app.close()))
    await client?.close()
    await redis?.remove()
  })

  async function start(): Promise<TestApp> {
    const app = await startSite(redisStore(client.client), { maxStale: 1 })
    apps.push(app)
    return app
  }

  it('opens no session in a process that starts after that, and ends what was not over', async function () {
    this.timeout(20_000)
    const open = libraries.redis
    if (!open || !redis) throw new Error('no Redis')
    client = await open(redis.port)
    const before = await start()
    const users = ['ann', 'bob', 'eve', 'fay'] as const
    const [ann, bob, eve, fay] = await Promise.all([
      beginSession(before, users[0]),
      beginSession(before, users[1]),
      beginSession(before, users[2]),
      beginSession(before, users[3]),
    ])
    const copy = at(before, ann)
    await ann.submit('/auth/signout')
    await expressFunctions(before.config).sessions.endAll('bob')
    await expressFunctions(before.config).users.disable('eve')
    expect(await isIn(fay)).to.equal(true)
    await redis.stop()
    const during = await start()
    // A process without any data reports it, and authenticates no request.
    for (const browser of [copy, bob, eve, fay]) expect((await at(during, browser).get('/me')).status).to.equal(500)
    await redis.start()
    await answers(async () => (await at(during, fay).get('/me')).status === 200)
    const later = await start()
    for (const app of [before, during, later]) {
      await answers(async () => (await at(app, fay).get('/me')).status === 200)
      const said = await Promise.all([copy, bob, eve, fay].map((browser) => isIn(at(app, browser))))
      expect(said).to.deep.equal([false, false, false, true])
    }
  })
})

async function answers(isThere: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    if (await isThere()) return
    await new Promise((next) => setTimeout(next, 50))
  }
  throw new Error('waited for too long')
}
