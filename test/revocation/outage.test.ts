/** The store of ended sessions is away, and comes back. */

import { expect } from 'chai'
import { memoryAdapter, memoryStore } from '../../lib/adapters/memory/index.js'
import { redisStore } from '../../lib/adapters/redis/index.js'
import { expressFunctions } from '../../lib/functions/on-express.js'
import type { CallbacksOptions } from '../../lib/index.js'
import type { Store } from '../../lib/types/store.js'
import { libraries, startRedis, type TestClient } from '../adapters/redis-clients.js'
import type { TestApp } from '../support/app.js'
import { advanceClock, restoreClock } from '../support/clock.js'
import { freePort } from '../support/free-ports.js'
import { rejectionOf } from '../support/rejection.js'
import { cookieLines } from '../support/session.js'
import { skip } from '../support/skip.js'
import { at, beginSession, isIn, startSite } from './sites.js'

/** A store that can be away. */
function breakable(): Pick<Store, 'log'> & { isAway: boolean } {
  const { log } = memoryStore()
  const guard =
    <Args extends readonly unknown[], T>(method: (...args: Args) => T) =>
    async (...args: Args): Promise<Awaited<T>> => {
      if (breakable.isAway) throw new Error('connection refused by 10.0.0.1 for user secret-user')
      return await method(...args)
    }
  const breakable = {
    isAway: false,
    log: {
      add: guard(log.add),
      replace: guard(log.replace),
      find: guard(log.find),
      changes: guard(async () => ({ revocations: [], cursor: 'x', isLast: true })),
    },
  }
  return breakable
}

describe('a store of ended sessions that is away', () => {
  let app: TestApp
  let store: ReturnType<typeof breakable>
  afterEach(async () => {
    restoreClock()
    await app?.close()
  })

  async function start(onOutage?: 'allow' | 'deny'): Promise<void> {
    store = breakable()
    app = await startSite(store, { maxStale: 5, session: {}, ...(onOutage && { onOutage }) })
  }

  it('lets reading a session throw, as a database does that is away, and no cookie is cleared', async () => {
    await start()
    const ann = await beginSession(app, 'ann')
    store.isAway = true
    const response = await ann.get('/me')
    expect([response.status, cookieLines(response)]).to.deep.equal([500, []])
    expect((await ann.get('/auth/session')).status).to.equal(503)
    expect((await ann.get('/live')).status).to.equal(500)
    store.isAway = false
    advanceClock(2)
    expect(await isIn(ann)).to.equal(true)
  })

  it('does not affect visitors', async () => {
    await start()
    store.isAway = true
    const nobody = app.browser()
    expect(await isIn(nobody)).to.equal(false)
    nobody.cookies.set('auth.session-token', 'junk')
    expect(await isIn(nobody)).to.equal(false)
  })

  it('rejects every sign-in, because the session could not be read', async () => {
    await start()
    store.isAway = true
    const response = await app.browser().signIn()
    expect([response.status, cookieLines(response)]).to.deep.equal([503, []])
    expect(response.headers['retry-after']).to.equal('30')
  })

  it('signs out here all the same, and says that others do not know yet', async () => {
    await start()
    const ann = await beginSession(app, 'ann')
    expect(await isIn(ann)).to.equal(true)
    const copy = at(app, ann)
    store.isAway = true
    const response = await ann.submit('/auth/signout')
    expect([response.status, response.headers['retry-after']]).to.deep.equal([503, '30'])
    expect(ann.cookies.has('auth.session-token')).to.equal(false)
    expect(await isIn(copy)).to.equal(false)
  })

  it('with `allow` goes on with what is known, and says so once', async () => {
    await start('allow')
    const [ann, bob] = [await beginSession(app, 'ann'), await beginSession(app, 'bob')]
    await ann.submit('/auth/signout')
    store.isAway = true
    advanceClock(60)
    for (let count = 0; count < 3; count += 1) expect(await isIn(bob)).to.equal(true)
    expect((await bob.get('/live')).status).to.equal(200)
    expect(app.log.errors.filter(({ name }) => name === 'AdapterError')).to.have.length(1)
    const eve = app.browser()
    await eve.signIn()
    expect(await isIn(eve)).to.equal(true)
    expect((await eve.submit('/auth/signout')).status).to.equal(503)
  })

  it('with `allow` keeps out who is known here to be disabled', async () => {
    await start('allow')
    store.isAway = true
    await rejectionOf(expressFunctions(app.config).users.disable('id-of-ann'))
    const ann = app.browser()
    expect((await ann.signIn()).headers.location).to.contain('error=AccessDenied')
  })

  it('logs no more than its name and the failed method', async () => {
    await start()
    const error = await rejectionOf(
      (async () => {
        store.isAway = true
        await expressFunctions(app.config).sessions.endAll('ann@example.com')
      })(),
    )
    expect(error.name).to.equal('AdapterError')
    expect(`${error.message} ${JSON.stringify(error)} ${String(error.cause)}`).not.to.contain('ann@example.com')
  })
})

for (const [library, open] of Object.entries(libraries)) {
  describe(`Redis, killed and started again, with ${library}`, () => {
    let port: number
    let redis: { stop(): Promise<void> } | undefined
    let client: TestClient
    let here: TestApp
    let there: TestApp
    before(async function () {
      port = await freePort()
      redis = await startRedis(port)
      if (!redis) skip(this, 'no redis-server')
      client = await open(port)
      here = await startSite(redisStore(client.client), { maxStale: 1 })
      there = await startSite(redisStore(client.client), { maxStale: 1 })
    })
    after(async () => {
      await Promise.all([here?.close(), there?.close()])
      await client?.close()
      await redis?.stop()
    })

    it('brings no session back in processes that know of its end, and takes new ones', async function () {
      this.timeout(20_000)
      const [ann, bob] = [await beginSession(here, 'ann'), await beginSession(here, 'bob')]
      const copy = at(there, ann)
      await ann.submit('/auth/signout')
      await new Promise((next) => setTimeout(next, 1100))
      expect((await isIn(at(there, ann))) || (await isIn(copy))).to.equal(false)
      await redis?.stop()
      await new Promise((next) => setTimeout(next, 1100))
      expect((await at(there, bob).get('/me')).status).to.equal(500)
      redis = await startRedis(port)
      await until(async () => (await at(there, bob).get('/me')).status === 200)
      expect(await isIn(copy), 'ended before').to.equal(false)
      await until(async () => (await bob.submit('/auth/signout')).headers.location?.includes('error') !== true)
      await new Promise((next) => setTimeout(next, 1100))
      expect(await isIn(at(there, bob)), 'ended after').to.equal(false)
    })
  })
}

async function until(isDone: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    if (await isDone()) return
    await new Promise((next) => setTimeout(next, 100))
  }
  throw new Error('waited for too long')
}

describe('a `jwt` callback that writes a `sub` of its own', () => {
  it('rejects a user who is disabled by that name, and accepts a sign-in after an end of all', async () => {
    const jwt: CallbacksOptions['jwt'] = ({ token, user }) => (user ? { ...token, sub: 'row-7' } : token)
    const app = await startSite(memoryStore(), { config: { callbacks: { jwt } } })
    try {
      await expressFunctions(app.config).sessions.endAll('row-7')
      const ann = app.browser()
      await ann.signIn()
      expect(await isIn(ann)).to.equal(true)
      await expressFunctions(app.config).users.disable('row-7')
      expect(await isIn(ann)).to.equal(false)
      expect((await app.browser().signIn()).headers.location).to.contain('error=AccessDenied')
    } finally {
      await app.close()
    }
  })
})

describe('`session.revocation: true`', () => {
  afterEach(restoreClock)

  it('is the store of our adapter', async () => {
    const adapter = memoryAdapter()
    const app = await startSite(adapter.store(), { config: { adapter }, session: { revocation: true } })
    try {
      const ann = await beginSession(app, 'ann')
      await expressFunctions(app.config).sessions.endAll('ann')
      expect(await isIn(ann)).to.equal(false)
      expect(adapter.store()).to.equal(adapter.store())
    } finally {
      await app.close()
    }
  })
})
