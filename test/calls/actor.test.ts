/**
 * The events of `auth.users` name the signed-in user of the request: each function of the table, with a cookie and with a
 * bearer token, at both entry points.
 */

import { expect } from 'chai'
import { memoryAdapter, memoryStore } from '../../lib/adapters/memory/index.js'
import { factorsTable } from '../../lib/features/factors/description.js'
import { Totp } from '../../lib/features/factors/index.js'
import { rules } from '../../lib/functions/index.js'
import type { UserFunctions } from '../../lib/functions/users.js'
import type { EventCallbacks } from '../../lib/types/config.js'
import type { Browser, Door } from '../support/app.js'
import { sessionName } from '../support/session.js'
import { doors, type Work } from './doors.js'
import { configOf } from './own-code.js'

type Name = keyof UserFunctions

/** The arguments of each function, and the events that it emits. */
const table: Readonly<Record<Name, { args: readonly unknown[]; events: ReadonlyArray<keyof EventCallbacks> }>> = {
  list: { args: [{}], events: [] },
  get: { args: ['bob'], events: [] },
  create: { args: [{ email: 'new@example.com', emailVerified: false }], events: ['createUser'] },
  update: { args: [{ userId: 'bob', name: 'Robert' }], events: ['updateUser'] },
  disable: { args: ['bob'], events: ['userDisabled', 'sessionEnded'] },
  enable: { args: ['bob'], events: ['userEnabled'] },
  endSessions: { args: ['bob'], events: ['sessionEnded'] },
  resetFactors: { args: ['bob'], events: ['sessionEnded', 'factorRemoved'] },
  delete: { args: ['bob', { reason: 'ticket 1' }], events: ['beforeDeleteUser', 'sessionEnded', 'userDeleted'] },
  unfinishedDeletions: { args: [], events: [] },
  export: { args: ['bob'], events: [] },
  sendPasswordLink: { args: ['bob'], events: ['passwordLinkSent'] },
}

for (const strategy of ['jwt', 'database'] as const) {
  for (const [entryPoint, open] of doors) {
    describe(`the actor of auth.users with ${strategy} sessions (${entryPoint})`, () => {
      let door: Door
      let told: Array<{ readonly event: string; readonly message: Record<string, unknown> }>
      let work: Work
      let adapter: ReturnType<typeof memoryAdapter>
      let factors: ReturnType<typeof memoryStore>

      beforeEach(async () => {
        told = []
        adapter = memoryAdapter()
        factors = memoryStore()
        const note = (event: string) => (message: object) => void told.push({ event, message: { ...message } })
        const names = new Set(Object.values(table).flatMap(({ events }) => events))
        const base = configOf(strategy)
        door = await open(
          {
            ...base,
            adapter,
            factors: { store: factors, methods: [Totp()] },
            deletion: true,
            session: { ...base.session, bearer: true },
            events: Object.fromEntries([...names, 'signIn' as const].map((name) => [name, note(name)])),
          },
          async (calls) => {
            await work(calls)
            return { done: true }
          },
        )
        for (const id of ['admin', 'bob'])
          await adapter.createUser({ id, name: id, image: null, email: `${id}@example.com`, emailVerified: new Date() })
      })
      afterEach(() => door.close())

      const run = async (browser: Browser, asked: Work) => {
        work = asked
        const answer = await browser.ask('/do', { method: 'POST', headers: { origin: door.origin } })
        expect(answer.body, answer.text).to.deep.equal({ done: true })
      }
      const signedIn = async (id: string) => {
        const browser = door.browser()
        await run(browser, (calls) => calls.startSession({ user: { id }, amr: ['pwd'] }))
        return browser
      }
      /** The session's id, as the event of the sign-in has it. */
      const sidOf = (id: string) =>
        told.find(({ event, message }) => event === 'signIn' && Object(message.user).id === id)?.message.sid

      for (const name of Object.keys(rules.users) as Name[]) {
        for (const kind of ['cookie', 'bearer token'] as const) {
          it(`is in the events of ${name}, by ${kind}`, async () => {
            const cookie = await signedIn('admin')
            const bearer = door.browser({ authorization: `Bearer ${cookie.cookies.get(sessionName)}` })
            const admin = kind === 'cookie' ? cookie : bearer
            const sid = sidOf('admin')
            await signedIn('bob')
            // After the sign-in, which would ask for it.
            const row = { userId: 'bob', id: 'factor', type: 'totp', name: null, data: '{}', createdAt: new Date() }
            await factors.records.write(factorsTable, { ...row, usedAt: null, expiresAt: null }, 0)
            told.length = 0
            const { args, events } = table[name]
            await run(admin, (calls) => calls.administer(name, args))
            expect(told.map(({ event }) => event)).to.have.members(events)
            for (const { event, message } of told) {
              expect(message, event).to.include({ by: 'admin' })
              expect(message[event === 'sessionEnded' ? 'endedBy' : 'sid'], event)
                .to.equal(sid)
                .and.be.a('string')
            }
          })
        }
      }

      it('is absent for a bearer token beside a session cookie that is invalid', async () => {
        const cookie = await signedIn('admin')
        const both = door.browser({ authorization: `Bearer ${cookie.cookies.get(sessionName)}` })
        both.cookies.set(sessionName, 'garbage')
        told.length = 0
        await run(both, (calls) => calls.administer('update', table.update.args))
        expect(told.map(({ message }) => message.by)).to.deep.equal([undefined])
      })
    })
  }
}
