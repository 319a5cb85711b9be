/**
 * Redis with each kind of fault, where it stores counts, ended sessions and sessions: clear rejections in time, no open
 * door, no restart.
 */
import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { combine } from '../../lib/adapters/index.js'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import { redisSessions, redisStore } from '../../lib/adapters/redis/index.js'
import type { AuthError } from '../../lib/errors.js'
import { hasRedis, libraries, type TestClient } from '../adapters/redis-clients.js'
import { type Browser, startApp, type TestApp } from '../support/app.js'
import { advanceClock, restoreClock } from '../support/clock.js'
import { inTurn } from '../support/extent.js'
import { skip } from '../support/skip.js'
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.js'

/** Seconds that a call may take. */
const timeout = 0.3
/** Milliseconds in which an answer must arrive: two calls that time out, and a second for a busy machine. */
const patience = 2 * timeout * 1000 + 1000
const hurts = ['down', 'slow', 'hanging', 'huge', 'garbage', 'reset'] as const
/** The beginning of a text of half a gigabyte. */
const opening = Buffer.from('$536870912\r\n')

describe('FO Redis with faults', function () {
  this.timeout(60_000)
  let proxy: TcpProxy
  let redis: TestClient
  let app: TestApp
  const rejections: unknown[] = []
  const note = (reason: unknown) => void rejections.push(reason)

  before(async function () {
    if (!(await hasRedis())) skip(this, 'no Redis at 127.0.0.1:6379')
    proxy = await startTcpProxy({ host: '127.0.0.1', port: 6379 })
    process.on('unhandledRejection', note)
  })
  after(async () => {
    process.off('unhandledRejection', note)
    await proxy?.stop()
  })
  afterEach(async () => {
    restoreClock()
    await app?.close()
    await redis?.close()
    expect(rejections.splice(0), 'unhandled rejections').to.deep.equal([])
  })

  async function open(library: string, strategy: 'jwt' | 'database'): Promise<void> {
    const opened = await libraries[library]?.(proxy.port)
    if (!opened) throw new Error(library)
    redis = opened
    const { client } = redis
    const prefix = `test-${randomUUID()}:`
    app = await startApp({
      timeout,
      rateLimit: { store: redisStore(client, { prefix }), rules: { credentials: { perAccount: 3, window: 60 } } },
      ...(strategy === 'jwt'
        ? { session: { strategy, revocation: { store: redisStore(client, { prefix }), maxStale: 1 } } }
        : {
            session: { strategy },
            adapter: combine(memoryAdapter(), { sessions: redisSessions(client, { prefix }) }),
          }),
    })
  }

  async function during<T>(how: (typeof hurts)[number], work: () => Promise<T>): Promise<T> {
    if (how === 'down') await proxy.stop()
    else proxy.hurt(how, { delay: timeout * 2000, opening })
    const began = performance.now()
    try {
      return await work()
    } finally {
      expect(performance.now() - began, 'milliseconds').to.be.below(patience)
      if (how === 'down') await proxy.start()
      else proxy.heal()
      // Its clients keep a connection that hangs, unless they have a time-out of their own.
      proxy.cut()
    }
  }

  /** Waits until the client has connected again. */
  const again = () => until(async () => (await redis.command('PING').catch(() => undefined)) === 'PONG')

  async function until(isSo: () => Promise<boolean>): Promise<void> {
    for (let turn = 0; turn < 200; turn += 1) {
      if (await isSo()) return
      await new Promise((resolve) => setTimeout(resolve, 25))
    }
    throw new Error('it did not come back')
  }

  const isSignedIn = (browser: Browser) => browser.cookies.has('auth.session-token')

  for (const [turn, how] of hurts.entries()) {
    for (const library of inTurn(Object.keys(libraries), turn)) {
      for (const strategy of inTurn(['jwt', 'database'] as const, Math.floor(turn / 2))) {
        it(`${how}: ${library}, ${strategy} sessions`, async () => {
          await open(library, strategy)
          const [browser, stranger] = [app.browser(), app.browser()]
          await browser.signIn({ username: 'ann' })
          const cookie = browser.cookies.get('auth.session-token')
          await stranger.csrf()
          // The cached ends of sessions are a second old.
          advanceClock(2)
          app.log.errors.length = 0
          const [refused, read] = await during(how, () =>
            Promise.all([stranger.signIn({ username: 'bob' }), browser.get('/auth/session')]),
          )
          expect([read.status, read.body.error]).to.deep.equal([503, 'Configuration'])
          expect([refused.status, refused.headers['retry-after']]).to.deep.equal([503, '30'])
          expect([isSignedIn(stranger), browser.cookies.get('auth.session-token')]).to.deep.equal([false, cookie])
          expect(new Set(app.log.errors.map((error) => (error as AuthError).type))).to.deep.equal(
            new Set(['AdapterError']),
          )

          restoreClock()
          await again()
          // After a failure the store of ended sessions is asked again a moment later.
          await until(async () => (await browser.get('/auth/session')).status === 200)
          expect(await browser.session()).to.have.nested.property('user.name', 'ann')
          await stranger.signIn({ username: 'bob' })
          expect(isSignedIn(stranger)).to.equal(true)
          await browser.submit('/auth/signout')
          expect(await browser.session()).to.equal(null)
        })
      }
    }
  }
})
