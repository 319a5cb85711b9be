/** The codes of apps: what they are bound to, and that each is used once, in each kind of store and in two processes. */
import { expect } from 'chai'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import { redisStore } from '../../lib/adapters/redis/index.js'
import { migrate, sqlAdapter, sqlStore } from '../../lib/adapters/sql/index.js'
import type { ServerAuthConfig } from '../../lib/index.js'
import type { RecordStore, Store } from '../../lib/types/store.js'
import { libraries } from '../adapters/redis-clients.js'
import { advanceClock, freezeClock, restoreClock } from '../support/clock.js'
import { requireDatabase } from '../support/databases.js'
import type { Answer } from '../support/http-browser.js'
import { strategies } from '../support/world.js'
import { AppClient, base, doorNames, openStage, type Stage } from './stage.js'

/** The answer to a code that a client cannot use. */
const expectInvalid = ({ status, body, headers }: Answer, error = 'invalid_grant') => {
  expect(body).to.have.keys(['error', 'error_description'])
  expect([status, body.error]).to.deep.equal([400, error])
  expect(headers['cache-control']).to.include('no-store')
}

for (const door of doorNames) {
  for (const strategy of strategies) {
    describe(`the code of an app (${door}, ${strategy} sessions)`, () => {
      let stage: Stage
      before(async () => {
        stage = await openStage(door, strategy)
      })
      after(() => stage.close())
      afterEach(restoreClock)

      const sessionsOf = async (browser: Awaited<ReturnType<Stage['signIn']>>) =>
        (await browser.get('/account')).body.sessions.filter((each: { app?: object }) => each.app)

      it('AP-01 is useless with another verifier, app or redirect URL, and stays valid for its client', async () => {
        const app = new AppClient(stage.origin)
        const browser = await stage.signIn('bound')
        const code = await app.codeOf(browser)
        const other = new AppClient(stage.origin)
        expectInvalid(await app.redeem(code, { code_verifier: other.verifier }))
        expectInvalid(await app.redeem(code, { app: 'ios' }))
        expectInvalid(await app.redeem(code, { redirect_uri: 'http://127.0.0.1:49153/done' }))
        expectInvalid(await app.redeem(code, { redirect_uri: 'http://127.0.0.1:49152/other' }))
        expectInvalid(await app.redeem(other.verifier))
        for (const missing of ['app', 'code', 'code_verifier', 'redirect_uri'])
          expectInvalid(await app.redeem(code, { [missing]: [] }), 'invalid_request')
        for (const twice of ['app', 'code', 'code_verifier', 'redirect_uri'])
          expectInvalid(await app.redeem(code, { [twice]: ['x', 'y'] }), 'invalid_request')
        expectInvalid(await app.redeem(code, { code_verifier: 'x'.repeat(42) }), 'invalid_request')
        expect(await sessionsOf(browser)).to.deep.equal([])
        expect((await app.redeem(code)).status).to.equal(200)
        expect(await sessionsOf(browser)).to.have.length(1)
      })

      it('AP-02 ends its session if it is used again with the verifier, and not without', async () => {
        const app = new AppClient(stage.origin)
        const browser = await stage.signIn('again')
        const code = await app.codeOf(browser)
        const { token } = (await app.redeem(code)).body
        expectInvalid(await app.redeem(code, { code_verifier: new AppClient(stage.origin).verifier }))
        expect((await app.get(token)).body.user.email).to.equal('again@example.com')
        expectInvalid(await app.redeem(code))
        expect((await app.get(token)).body ?? null).to.equal(null)
        expectInvalid(await app.redeem(code))
        expect(await sessionsOf(browser)).to.deep.equal([])
        expect((await browser.get('/me')).body.user.email).to.equal('again@example.com')
      })

      it('AP-02 begins one session of 200 uses at once, which the others end', async () => {
        const app = new AppClient(stage.origin)
        const browser = await stage.signIn('race')
        const code = await app.codeOf(browser)
        const answers = await Promise.all(Array.from({ length: 200 }, () => app.redeem(code)))
        const won = answers.filter(({ status }) => status === 200)
        expect(won).to.have.length(1)
        for (const answer of answers) if (answer !== won[0]) expectInvalid(answer)
        expect((await app.get(won[0]?.body.token)).body ?? null).to.equal(null)
        expect(await sessionsOf(browser)).to.deep.equal([])
      })

      it('ends after a minute', async () => {
        freezeClock()
        const app = new AppClient(stage.origin)
        const browser = await stage.signIn('late')
        const [late, right] = [await app.codeOf(browser), await app.codeOf(browser)]
        advanceClock(59)
        expect((await app.redeem(right)).status).to.equal(200)
        advanceClock(1)
        expectInvalid(await app.redeem(late))
      })

      const ends: Readonly<Record<string, (browser: Awaited<ReturnType<Stage['signIn']>>) => Promise<unknown>>> = {
        'the session that approved it was signed out': (browser) => browser.submit(`${base}/signout`),
        'all sessions of the user ended': async (browser) =>
          browser.get(`/end-all?user=${(await browser.get('/me')).body.user.id}`),
        'the user was disabled': async (browser) =>
          browser.get(`/disable?user=${(await browser.get('/me')).body.user.id}`),
      }
      for (const [reason, end] of Object.entries(ends)) {
        it(`AP-05 begins no session after ${reason}`, async () => {
          const app = new AppClient(stage.origin)
          const browser = await stage.signIn(`ended-${reason.length}`)
          const code = await app.codeOf(browser)
          await end(browser)
          expectInvalid(await app.redeem(code))
        })

        it(`the session of an app ends, or continues, as others do after ${reason}`, async () => {
          const app = new AppClient(stage.origin)
          const browser = await stage.signIn(`over-${reason.length}`)
          const token = await app.signIn(browser)
          await end(browser)
          const continues = reason.includes('signed out')
          expect(Boolean((await app.get(token)).body?.user)).to.equal(continues)
        })
      }
    })
  }
}

/** The stores of codes, for both processes of an application. */
const stores: Readonly<
  Record<string, (context: Mocha.Context) => Promise<[config: () => Partial<ServerAuthConfig>, close: () => unknown]>>
> = {
  async memory() {
    const adapter = memoryAdapter()
    return [() => ({ adapter }), () => {}]
  },
  ...Object.fromEntries(
    (['sqlite', 'postgres', 'mysql'] as const).map((kind) => [
      kind,
      async (context: Mocha.Context) => {
        const { db, close } = await requireDatabase(context, kind)
        await migrate(db)
        return [() => ({ adapter: sqlAdapter(db) }), close] as const
      },
    ]),
  ),
  async redis(context) {
    const opened = await libraries.redis?.()
    if (!opened) return context.skip()
    const adapter = memoryAdapter()
    const store = redisStore(opened.client, { prefix: `apps-${Math.random()}:` })
    return [
      () => ({ adapter, apps: { clients: { cli: { name: 'CLI', loopback: true } }, store } }),
      () => opened.close(),
    ]
  },
}

for (const [name, open] of Object.entries(stores)) {
  for (const strategy of strategies) {
    describe(`the code of an app in two servers (${name}, ${strategy} sessions)`, function () {
      this.timeout(60_000)
      let [one, other, close]: [Stage, Stage, () => unknown] = [] as never
      before(async function () {
        const [config, closing] = await open(this)
        close = closing
        // A configuration object of its own for each server. They share the database only.
        const session = { revocation: { maxStale: 1, ...(strategy === 'jwt' && { list: true }) } } as const
        one = await openStage('Express', strategy, { ...config(), session })
        other = await openStage('Fetch', strategy, { ...config(), session })
      })
      after(async () => {
        await one?.close()
        await other?.close()
        await close?.()
      })

      it('AP-02 is used once of 200 times', async () => {
        const app = new AppClient(one.origin)
        const code = await app.codeOf(await one.signIn('shared'))
        const elsewhere = new AppClient(other.origin)
        const uses = Array.from({ length: 200 }, (_none, at) =>
          (at % 2 === 0 ? app : elsewhere).redeem(code, app.fieldsOf(code)),
        )
        const answers = await Promise.all(uses)
        expect(answers.map(({ status }) => status).filter((status) => status !== 400)).to.deep.equal([200])
      })

      it('AP-02 ends its session although the second use is in the other server', async () => {
        const app = new AppClient(one.origin)
        const code = await app.codeOf(await one.signIn('elsewhere'))
        const { token } = (await app.redeem(code)).body
        expectInvalid(await new AppClient(other.origin).redeem(code, app.fieldsOf(code)))
        // `maxStale` of the other server.
        await new Promise((resolve) => setTimeout(resolve, 1100))
        expect((await app.get(token)).body ?? null).to.equal(null)
      })
    })
  }
}

describe('the code of an app, step by step', () => {
  /** A store whose methods wait until the test continues. */
  const stopped = (records: RecordStore, at: (method: keyof RecordStore, args: readonly unknown[]) => Promise<void>) =>
    ({
      records: new Proxy(records, {
        get:
          (target, method: keyof RecordStore) =>
          async (...args: unknown[]) => {
            await at(method, args)
            return Reflect.apply(target[method] as (...given: unknown[]) => unknown, target, args)
          },
      }),
    }) satisfies Pick<Store, 'records'>

  for (const strategy of strategies) {
    it(`AP-02 ends the session if the second use comes while the first is under way (${strategy} sessions)`, async () => {
      const adapter = memoryAdapter()
      let replay: (() => Promise<unknown>) | undefined
      const store = stopped(adapter.store().records, async (method, [, record]) => {
        if (method !== 'write' || !(record as { session?: unknown }).session || !replay) return
        const again = replay
        replay = undefined
        await again()
      })
      const stage = await openStage('Express', strategy, {
        adapter,
        apps: { clients: { cli: { name: 'CLI', loopback: true } }, store },
      })
      const app = new AppClient(stage.origin)
      const code = await app.codeOf(await stage.signIn())
      replay = async () => expectInvalid(await app.redeem(code))
      const { status, body } = await app.redeem(code)
      expect([status, replay]).to.deep.equal([200, undefined])
      expect((await app.get(body.token)).body ?? null).to.equal(null)
      await stage.close()
    })

    it(`AP-06 answers 503 if the store fails, and keeps the code or begins nothing (${strategy} sessions)`, async () => {
      const adapter = memoryAdapter()
      let failsAt = -1
      let calls = 0
      const store = stopped(adapter.store().records, async () => {
        if (calls++ === failsAt) throw new Error('the store is down')
      })
      const stage = await openStage('Express', strategy, {
        adapter,
        apps: { clients: { cli: { name: 'CLI', loopback: true } }, store },
      })
      const browser = await stage.signIn()
      const app = new AppClient(stage.origin)
      const left = async () =>
        (await browser.get('/account')).body.sessions.filter((each: { app?: object }) => each.app).length
      for (const at of [0, 1, 2]) {
        const code = await app.codeOf(browser)
        ;[calls, failsAt] = [0, at]
        const { status, body } = await app.redeem(code)
        failsAt = -1
        expect([status, body.error], String(at)).to.deep.equal([503, 'Configuration'])
        expect(await left(), String(at)).to.equal(0)
        // Before the first write, the code is as good as new.
        const again = await app.redeem(code)
        expect(again.status, String(at)).to.equal(at < 2 ? 200 : 400)
        if (at < 2) await app.signOut(again.body.token)
      }
      await stage.close()
    })
  }
})

describe('sqlStore and the codes of apps', () => {
  it('AP-06 keeps neither the code nor the token', async function () {
    const { db, close } = await requireDatabase(this, 'sqlite')
    await migrate(db)
    const stage = await openStage('Express', 'database', { adapter: sqlAdapter(db) })
    const app = new AppClient(stage.origin)
    const code = await app.codeOf(await stage.signIn())
    const { token } = (await app.redeem(code)).body
    const { records } = sqlStore(db)
    const stored = JSON.stringify([
      await db
        .selectFrom('auth_app_codes' as never)
        .selectAll()
        .execute(),
      await db
        .selectFrom('auth_sessions' as never)
        .selectAll()
        .execute(),
    ])
    expect(stored).to.include('challenge').and.not.include(code).and.not.include(token).and.not.include(app.verifier)
    expect(records).to.be.an('object')
    await stage.close()
    await close()
  })
})
