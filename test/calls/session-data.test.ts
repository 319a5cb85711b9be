/** `session.data`: values that the application's code stores in a session, at both doors and with both strategies. */
import { expect } from 'chai'
import { migrate, sqlAdapter } from '../../lib/adapters/sql/index.js'
import type { ServerAuthConfig } from '../../lib/index.js'
import type { SessionDataChange } from '../../lib/types/calls.js'
import { type TestDatabase, testDatabase } from '../support/adapter.js'
import { databaseKinds, requireDatabase } from '../support/databases.js'
import type { Door } from '../support/doors.js'
import type { Answer, Browser } from '../support/http-browser.js'
import { sessionName } from '../support/session.js'
import { doors, type Work } from './doors.js'

const sessionLines = ({ cookies }: Answer) => cookies.filter((line) => line.startsWith(sessionName))

/** A change that depends on the previous values. */
const countUp = (name: string) => (data: object) => ({ [name]: Number(Reflect.get(data, name) ?? 0) + 1 }) as object

/** An application that wrongly trusts its clients: it copies their values into the token. */
const trusting: ServerAuthConfig['callbacks'] = {
  jwt: ({ token, trigger, session }) => (trigger === 'update' ? { ...token, ...(session as object) } : token),
}

for (const [name, open] of doors) {
  for (const strategy of ['jwt', 'database'] as const) {
    describe(`session.data at ${name}, with ${strategy} sessions`, () => {
      // Database sessions have no token.
      const careless = strategy === 'jwt' ? trusting : {}
      const running: Door[] = []
      let db: TestDatabase
      let work: Work
      let door: Door
      let ann: Browser
      afterEach(async () => {
        await Promise.all(running.splice(0).map((each) => each.close()))
      })

      async function start(config: Partial<ServerAuthConfig> = {}): Promise<void> {
        db = testDatabase()
        const stored = strategy === 'database' ? { adapter: db.adapter } : {}
        door = await open({ ...stored, ...config, session: { strategy, data: true, ...config.session } }, (calls) =>
          work(calls),
        )
        running.push(door)
        ann = door.browser()
        await ann.signIn()
      }

      /** Runs the application's code as its own page asks for it. */
      async function run(next: Work, visitor = ann, headers: Record<string, string> = {}) {
        work = next
        const answer = await visitor.ask('/do', { method: 'POST', headers: { origin: door.origin, ...headers } })
        return { answer, body: answer.body }
      }
      const put = (change: SessionDataChange, visitor = ann) =>
        run(async (calls) => (await calls.setSessionData(change))?.data, visitor)
      const shown = async (visitor = ann) => (await visitor.ask('/api/auth/session')).body

      it('is empty at first, accepts values, and is shown by every read', async () => {
        await start()
        expect((await shown()).data).to.deep.equal({})
        const { body } = await put({ organisation: 'acme', since: 7, tags: ['a', { b: null }] } as object)
        expect(body).to.deep.equal({ organisation: 'acme', since: 7, tags: ['a', { b: null }] })
        expect((await shown()).data).to.deep.equal(body)
        expect((await run(async (calls) => (await calls.session())?.data)).body).to.deep.equal(body)
      })

      it('merges at the top level, removes undefined values, and accepts a function', async () => {
        await start()
        await put({ organisation: { id: 1, name: 'Acme' }, visits: 1 } as object)
        const merged = await put({ organisation: { id: 2 } } as object)
        expect(merged.body).to.deep.equal({ visits: 1, organisation: { id: 2 } })
        expect((await put({ organisation: undefined, other: true } as object)).body).to.deep.equal({
          visits: 1,
          other: true,
        })
        const counted = await put(countUp('visits'))
        expect(counted.body).to.deep.equal({ visits: 2 })
        expect((await shown()).data).to.deep.equal({ visits: 2 })
      })

      it('is seen by later reads of the same request', async () => {
        await start({ session: strategy === 'database' ? { cacheFor: 30 } : {} })
        const { answer, body } = await run(async (calls) => {
          const before = (await calls.session())?.data
          await calls.setSessionData({ organisation: 'acme' } as object)
          const between = (await calls.session())?.data
          await calls.setSessionData({ organisation: 'other' } as object)
          return [before, between, (await calls.session())?.data]
        })
        expect(body).to.deep.equal([{}, { organisation: 'acme' }, { organisation: 'other' }])
        expect(sessionLines(answer)).to.have.length(strategy === 'jwt' ? 1 : 0)
        expect((await shown()).data).to.deep.equal({ organisation: 'other' })
      })

      it('is kept by a renewal and by an update, which do not change it', async () => {
        await start({ session: { updateAge: 0 }, callbacks: careless })
        await put({ organisation: 'acme' } as object)
        await shown()
        await run((calls) => calls.update({ user: { name: 'Ann II' } }))
        expect((await shown()).data).to.deep.equal({ organisation: 'acme' })
      })

      it('begins empty with each sign-in', async () => {
        await start()
        await put({ impersonator: 'root' } as object)
        await ann.signIn({ username: 'bob' })
        expect(await shown()).to.deep.include({ data: {} })
        await put({ organisation: 'acme' } as object)
        await ann.signIn({ username: 'bob' })
        expect((await shown()).data).to.deep.equal({})
      })

      it('begins with the values that startSession gets', async () => {
        await start()
        if (strategy === 'database') await db.addUser({ id: 'zoe', email: 'zoe@example.com' })
        const data = { impersonator: 'root' } as object
        await run((calls) => calls.startSession({ user: { id: 'zoe' }, amr: [], data }))
        expect((await shown()).data).to.deep.equal(data)
        if (strategy === 'database') expect((await db.sessions()).length).to.equal(1)
      })

      it('shows the values that the session callback leaves, while the callback gets the stored ones', async () => {
        const seen: unknown[] = []
        await start({
          callbacks: {
            session({ session: { data, ...session } }) {
              seen.push(structuredClone(data))
              if (data) Object.assign(data, { forged: true })
              return session
            },
          },
        })
        await put({ organisation: 'acme' } as object)
        expect(await shown()).not.to.have.property('data')
        expect(seen.at(-1)).to.deep.equal({ organisation: 'acme' })
      })

      it('is null for a visitor, and sets nothing', async () => {
        await start()
        const { answer, body } = await put({ organisation: 'acme' } as object, door.browser())
        expect([body, sessionLines(answer)]).to.deep.equal([null, []])
      })

      it('rejects values that JSON cannot represent, and changes nothing', async () => {
        await start()
        await put({ organisation: 'acme' } as object)
        const cyclic: Record<string, unknown> = {}
        cyclic.self = cyclic
        const wrong: unknown[] = [
          { at: new Date() },
          { call: () => 1 },
          { big: 1n },
          { no: Number.NaN },
          { list: [undefined] },
          { map: new Map() },
          cyclic,
          JSON.parse('{"__proto__":{"isAdmin":true}}'),
          { deep: JSON.parse('{"__proto__":{"isAdmin":true}}') },
          'text',
          ['list'],
          null,
          undefined,
          () => 'text',
          async () => ({}),
          () => ({ at: new Date() }),
        ]
        for (const each of wrong) {
          const { body } = await run((calls) => calls.setSessionData(each as object))
          expect(body.type, String(each)).to.equal('InvalidConfiguration')
        }
        expect((await shown()).data).to.deep.equal({ organisation: 'acme' })
      })

      it('throws the error of a function of the application, and changes nothing', async () => {
        await start()
        const { body } = await run((calls) =>
          calls.setSessionData(() => {
            throw new RangeError('no')
          }),
        )
        expect(body.type).to.be.a('string')
        expect((await shown()).data).to.deep.equal({})
      })

      it('rejects more than fits, and the session stays', async () => {
        await start()
        await put({ organisation: 'acme' } as object)
        const { body, answer } = await run((calls) => calls.setSessionData({ text: 'é'.repeat(8_192) } as object))
        expect(body.type).to.equal('SessionTooLarge')
        expect(sessionLines(answer)).to.deep.equal([])
        expect((await shown()).data).to.deep.equal({ organisation: 'acme' })
        const fits = await put({ text: 'x'.repeat(5_000) } as object)
        expect(fits.body.text).to.have.length(5_000)
      })

      it('is rejected if the option is off, and is missing from the session', async () => {
        await start({ session: { data: false } })
        for (const call of [
          ((calls) => calls.setSessionData({})) as Work,
          ((calls) => calls.startSession({ user: { id: 'ann' }, amr: [], data: {} })) as Work,
        ]) {
          expect((await run(call)).body.type).to.equal('InvalidConfiguration')
        }
        expect(await shown()).not.to.have.property('data')
        expect(db.calls.filter((each) => /Data$/.test(each))).to.deep.equal([])
      })

      describe('attempts of a client', () => {
        it('are written by no update, and by no callback that merges the values of clients', async () => {
          await start({ callbacks: careless })
          await put({ organisation: 'acme' } as object)
          const csrfToken = await ann.csrf()
          const forged = { organisation: 'evil' }
          for (const data of [{ auth_data: forged, data: forged }, { session: { data: forged } }]) {
            await ann.ask('/api/auth/session', { json: { csrfToken, data, change: forged, auth_data: forged } })
          }
          expect((await shown()).data).to.deep.equal({ organisation: 'acme' })
        })

        it('are put into no session of several of which none is known to be the browser’s', async () => {
          await start()
          const bob = door.browser()
          await bob.signIn({ username: 'bob' })
          const both = [ann, bob].map(({ cookies }) => `${sessionName}=${cookies.get(sessionName)}`).join('; ')
          const set = { organisation: 'acme' } as object
          const { body } = await run((calls) => calls.setSessionData(set), door.browser(), { cookie: both })
          expect(body.type).to.equal('InvalidRequest')
          expect([(await shown()).data, (await shown(bob)).data]).to.deep.equal([{}, {}])
        })

        it('cannot come from a page of another site', async () => {
          await start()
          const cross = { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' }
          const { body } = await run((calls) => calls.setSessionData({ organisation: 'evil' } as object), ann, cross)
          expect(body.type).to.equal('MissingCSRF')
          expect((await shown()).data).to.deep.equal({})
        })
      })
    })
  }

  describe(`session.data in a database, at ${name}`, () => {
    let door: Door | undefined
    afterEach(() => door?.close())

    it('keeps all of many changes at the same time', async () => {
      const db = testDatabase()
      const work: Work = async (calls) => {
        return (await calls.setSessionData(countUp('count')))?.data
      }
      door = await open({ adapter: db.adapter, session: { data: true } }, work)
      const ann = door.browser()
      await ann.signIn()
      const { origin } = door
      await Promise.all(Array.from({ length: 40 }, () => ann.ask('/do', { method: 'POST', headers: { origin } })))
      const { data } = (await ann.ask('/api/auth/session')).body
      expect(data).to.deep.equal({ count: 40 })
    })

    it('reads session, user and data by one method, and deletes the data with the session', async () => {
      const db = testDatabase()
      door = await open({ adapter: db.adapter, session: { data: true } }, async (calls) =>
        calls.setSessionData({ organisation: 'acme' } as object),
      )
      const ann = door.browser()
      await ann.signIn()
      await ann.ask('/do', { method: 'POST', headers: { origin: door.origin } })
      const [row] = await db.sessions()
      expect((await db.real.getSessionUserAndData(row?.sessionToken ?? ''))?.data).to.equal('{"organisation":"acme"}')
      db.calls.length = 0
      await ann.ask('/api/auth/session')
      expect(db.calls).to.deep.equal(['getSessionUserAndData'])
    })

    it('throws if the row has no JSON object, because a restriction may have been meant', async () => {
      const db = testDatabase()
      door = await open({ adapter: db.adapter, session: { data: true } }, async (calls) => calls.session())
      const ann = door.browser()
      await ann.signIn()
      const [row] = await db.sessions()
      await db.real.writeSessionData({ sessionToken: row?.sessionToken ?? '', data: '[1]', previous: null })
      expect((await ann.ask('/api/auth/session')).status).to.equal(503)
      expect((await ann.ask('/do')).body.type).to.equal('AdapterError')
    })
  })
}

describe('the option session.data', () => {
  it('is rejected with database sessions whose adapter cannot store it, with the remedy', async () => {
    const { ServerAuth } = await import('../../lib/index.js')
    const { adapter } = testDatabase({ without: ['getSessionUserAndData', 'writeSessionData'] })
    const config = { providers: [], secret: 's'.repeat(32), adapter }
    expect(() => ServerAuth({ ...config, session: { data: true } })).to.throw(
      /lacks `getSessionUserAndData`, `writeSessionData`, needed for data in database sessions \(`session\.data`\)\. Use an adapter of this package/,
    )
    ServerAuth({ ...config, session: { data: true, strategy: 'jwt' } })
    ServerAuth(config)
  })

  it('is true or false', async () => {
    const { ServerAuth } = await import('../../lib/index.js')
    const session = { data: 'yes' } as unknown as { data: boolean }
    expect(() => ServerAuth({ providers: [], secret: 's'.repeat(32), session })).to.throw(
      /`session\.data` must be true/,
    )
  })
})

describe('session.data changed in several processes at once', () => {
  for (const kind of databaseKinds) {
    it(`loses no change (${kind})`, async function () {
      const database = await requireDatabase(this, kind)
      const running: Door[] = []
      try {
        await migrate(database.db)
        const work: Work = async (calls) => (await calls.setSessionData(countUp('count')))?.data
        // With other secrets they share no memory, and so no order: as two processes. Database sessions do not depend on secrets.
        for (const secret of ['a'.repeat(32), 'b'.repeat(32)]) {
          const [[, open] = []] = doors
          if (!open) throw new Error('there are two doors')
          running.push(await open({ secret, adapter: sqlAdapter(database.db), session: { data: true } }, work))
        }
        const [first, second] = running as [Door, Door]
        const ann = first.browser()
        await ann.signIn()
        const elsewhere = second.browser()
        for (const [cookie, value] of ann.cookies) elsewhere.cookies.set(cookie, value)
        const answers = await Promise.all(
          Array.from({ length: 30 }, (_each, at) => {
            const [visitor, { origin }] = at % 2 === 0 ? [ann, first] : [elsewhere, second]
            return visitor.ask('/do', { method: 'POST', headers: { origin } })
          }),
        )
        expect(new Set(answers.map(({ text: body }) => JSON.parse(body).count)).size).to.equal(30)
        expect((await ann.ask('/api/auth/session')).body.data).to.deep.equal({ count: 30 })
      } finally {
        await Promise.all(running.map((each) => each.close()))
        await database.close()
      }
    })
  }
})
