/** Data of the application in sessions, and attacks that try to write, restore or break it. */
import { expect } from 'chai'
import { clearSiteMemories } from '../../lib/base/memory.js'
import type { ServerAuthConfig } from '../../lib/index.js'
import type { SessionDataChange } from '../../lib/types/calls.js'
import { type Calls, doors } from '../calls/doors.js'
import { type TestDatabase, testDatabase } from '../support/adapter.js'
import type { Door } from '../support/doors.js'
import type { Browser } from '../support/http-browser.js'
import { sessionName } from '../support/session.js'

/** Names and values of the data that a careless application copies from a client. */
const hostile: readonly string[] = [
  '{"__proto__":{"isAdmin":true}}',
  '{"a":{"__proto__":{"isAdmin":true}}}',
  '{"a":[{"b":{"__proto__":{"isAdmin":true}}}]}',
]
const strange: readonly string[] = [
  '{"constructor":{"prototype":{"isAdmin":true}}}',
  '{"toString":1,"hasOwnProperty":false,"valueOf":null}',
  '{"toJSON":{"isAdmin":true}}',
  '{"":1," ":2,"a\\u0000b":"\\u0000","\\ud800":"\\ud83d","q\'\\"\\\\":"\\u2028;--"}',
  '{"10":1,"9":2,"é":"e\\u0301","É":"E","e":"😀"}',
]

for (const [name, open] of doors) {
  for (const strategy of ['jwt', 'database'] as const) {
    describe(`data of sessions under attack, at ${name}, strategy ${strategy}`, () => {
      let db: TestDatabase
      let door: Door
      let work: (calls: Calls) => Promise<unknown>
      let ann: Browser
      let mallory: Browser

      async function start(config: Partial<ServerAuthConfig> = {}): Promise<void> {
        clearSiteMemories()
        db = testDatabase()
        const session = { strategy, data: true, updateAge: 0, ...config.session }
        door = await open({ adapter: db.adapter, ...config, session }, (calls) => work(calls))
        ann = door.browser()
        mallory = door.browser()
        await ann.signIn({ username: 'ann' })
        await mallory.signIn({ username: 'mallory' })
      }
      beforeEach(() => start())
      afterEach(() => door.close())

      async function run(visitor: Browser, next: typeof work) {
        work = next
        const answer = await visitor.ask('/do', { method: 'POST', headers: { origin: door.origin } })
        return { answer, body: answer.body }
      }
      const put = (visitor: Browser, change: SessionDataChange) =>
        run(visitor, async (calls) => (await calls.setSessionData(change))?.data ?? null)
      const dataOf = async (visitor: Browser) => (await visitor.ask('/api/auth/session')).body?.data as unknown
      const written = (cookies: readonly string[]) =>
        cookies.filter((line) => line.startsWith(`${sessionName}=`) && !/Max-Age=0/.test(line))

      it('no prototype is changed, and dangerous data is rejected', async () => {
        await put(ann, { organisation: 'acme' } as object)
        for (const text of hostile) {
          const given = JSON.parse(text)
          const { body } = await put(ann, given)
          expect(body).to.deep.equal({ type: 'InvalidConfiguration', name: 'InvalidConfiguration' })
          const merged = await put(ann, ((data: object) => ({ ...data, ...given })) as SessionDataChange)
          expect(merged.body).to.have.property('type', 'InvalidConfiguration')
        }
        expect(await dataOf(ann)).to.deep.equal({ organisation: 'acme' })
        expect(Reflect.get({}, 'isAdmin')).to.equal(undefined)
      })

      it('unusual names and texts are returned unchanged', async () => {
        for (const text of strange) {
          await put(ann, (() => JSON.parse(text)) as SessionDataChange)
          // A text that is no Unicode may come back as one that is.
          expect(JSON.stringify(await dataOf(ann))).to.equal(JSON.stringify(JSON.parse(text)))
          expect(await put(ann, { more: 1 } as object)).to.have.nested.property('body.more', 1)
        }
        expect(await dataOf(mallory)).to.deep.equal({})
      })

      it('belongs to one user: a cookie that is similar to theirs changes none', async () => {
        await put(ann, { role: 'owner' } as object)
        await put(mallory, { role: 'guest' } as object)
        expect([await dataOf(ann), await dataOf(mallory)]).to.deep.equal([{ role: 'owner' }, { role: 'guest' }])
        const text = mallory.cookies.get(sessionName) ?? ''
        for (const changed of [text.toUpperCase(), `${text}%20`, text.slice(0, -1), `${text}.f`]) {
          const other = door.browser()
          other.cookies.set(sessionName, changed)
          expect((await put(other, { role: 'owner' } as object)).body, changed).to.equal(null)
        }
      })

      it('too much of it changes nothing, and ends nothing', async () => {
        await put(ann, { kept: true } as object)
        const huge = { text: 'é'.repeat(100_000) }
        const { answer, body } = await put(ann, huge as object)
        expect(body).to.have.property('type', 'SessionTooLarge')
        expect(answer.cookies.filter((line) => line.startsWith(sessionName))).to.deep.equal([])
        expect(await dataOf(ann)).to.deep.equal({ kept: true })
        const before = await db.sessions()
        await db.addUser({ id: 'zoe', email: 'zoe@example.com' })
        const refused = await run(ann, (calls) =>
          calls.startSession({ user: { id: 'zoe' }, amr: [], data: huge as object }),
        )
        expect(refused.body).to.have.property('type', 'SessionTooLarge')
        expect(await db.sessions(), 'no row is left').to.deep.equal(before)
        expect(await dataOf(ann)).to.deep.equal({ kept: true })
      })

      it('a change that a sign-out overtakes restores nothing', async () => {
        await put(ann, { role: 'owner' } as object)
        const copy = door.browser()
        for (const [each, value] of ann.cookies) copy.cookies.set(each, value)
        const csrfToken = await copy.csrf()
        let isOut = false
        db.replace('writeSessionData', async (real, ...args) => {
          isOut = true
          await copy.ask('/api/auth/signout', { form: { csrfToken } })
          return real(...args)
        })
        const { answer, body } = await run(ann, async (calls) => {
          const session = await calls.setSessionData({ role: 'again' } as object)
          // With a token in the cookie the user signs out before the answer is sent.
          if (!isOut) await copy.ask('/api/auth/signout', { form: { csrfToken } })
          return session
        })
        db.repair()
        if (strategy === 'database') expect(body).to.equal(null)
        expect(written(answer.cookies)).to.deep.equal([])
        expect(await dataOf(ann)).to.equal(undefined)
        expect((await put(ann, { role: 'more' } as object)).body).to.equal(null)
      })

      it('a function changes data only by its return value, and a promise is no data', async () => {
        await put(ann, { count: 1 } as object)
        const seen: unknown[] = []
        await put(ann, ((data: Record<string, unknown>) => {
          seen.push({ ...data })
          data.count = 100
          return { count: Number(seen.length) + 1 }
        }) as SessionDataChange)
        expect(seen).to.deep.equal([{ count: 1 }])
        expect(await dataOf(ann)).to.deep.equal({ count: 2 })
        const { body } = await put(ann, (async () => ({ role: 'owner' })) as unknown as SessionDataChange)
        expect(body).to.have.property('type', 'InvalidConfiguration')
        expect(await dataOf(ann)).to.deep.equal({ count: 2 })
      })
    })
  }
}
