/** `session.userFields`: the same fields of the stored user with both strategies, and no older than `updateAge`. */
import { expect } from 'chai'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import { resolveConfig } from '../../lib/config/resolve.js'
import type { ServerAuthConfig } from '../../lib/index.js'
import { doors, type Work } from '../calls/doors.js'
import { type Browser, credentials, type Door, secret } from '../support/app.js'
import { advanceClock, freezeClock, restoreClock } from '../support/clock.js'

const user = {
  role: { type: ['reader', 'admin'], default: 'reader' },
  seats: 'number',
  isBlocked: { type: 'boolean', default: false },
  born: 'date',
  secretNote: 'string',
} as const

const updateAge = 3600
const born = new Date('1815-12-10T00:00:00.000Z')

for (const [name, open] of doors) {
  for (const strategy of ['jwt', 'database'] as const) {
    describe(`session.userFields at ${name}, with ${strategy} sessions`, () => {
      let adapter: ReturnType<typeof makeAdapter>
      let door: Door | undefined
      let work: Work
      beforeEach(() => {
        freezeClock()
        adapter = makeAdapter()
      })
      afterEach(async () => {
        restoreClock()
        await door?.close()
      })

      const makeAdapter = () => memoryAdapter({ user })

      async function start(config: Partial<ServerAuthConfig> = {}) {
        const session = { strategy, updateAge, userFields: ['role', 'seats', 'isBlocked', 'born'], ...config.session }
        door = await open({ adapter, ...config, session }, (calls) => work(calls))
        return door
      }

      /** Signs in a stored user by the application's own code. */
      async function enter(fields: object = {}, config: Partial<ServerAuthConfig> = {}) {
        const { origin, browser: visit } = await start(config)
        await adapter.createUser({ id: 'ann', email: 'ann@example.com', emailVerified: new Date(), ...fields })
        const browser = visit()
        work = (calls) => calls.startSession({ user: { id: 'ann' }, amr: [] })
        expect((await browser.ask('/do', { method: 'POST', headers: { origin } })).status).to.equal(200)
        return browser
      }

      const shown = async (browser: Browser) => (await browser.ask('/api/auth/session')).body?.user
      async function run(browser: Browser, next: Work) {
        work = next
        return browser.ask('/do', { method: 'POST', headers: { origin: door?.origin ?? '' } })
      }

      it('shows the named fields as JSON, and no other', async () => {
        const browser = await enter({ role: 'admin', seats: 2.5, born, secretNote: 'hunter2' })
        const expected = { role: 'admin', seats: 2.5, isBlocked: false, born: born.toISOString() }
        const { id, email, name: _name, image: _image, ...fields } = await shown(browser)
        expect({ id, email }).to.deep.equal({ id: 'ann', email: 'ann@example.com' })
        expect(fields).to.deep.equal(expected)
        const { body } = await run(browser, async (calls) => calls.session())
        expect(body.user).to.include(expected)
      })

      it('shows defaults and null for a user without values', async () => {
        const browser = await enter()
        expect(await shown(browser)).to.include({ role: 'reader', seats: null, isBlocked: false, born: null })
      })

      it('follows the record: at once, or after `updateAge`', async () => {
        const browser = await enter({ role: 'admin' })
        await adapter.updateUser({ id: 'ann', role: 'reader' })
        advanceClock(updateAge - 1)
        expect((await shown(browser)).role).to.equal(strategy === 'database' ? 'reader' : 'admin')
        advanceClock(1)
        expect((await shown(browser)).role).to.equal('reader')
        await adapter.updateUser({ id: 'ann', role: 'admin' })
        expect((await shown(browser)).role).to.equal(strategy === 'database' ? 'admin' : 'reader')
      })

      it('follows the record at an update of the session', async () => {
        const browser = await enter({ role: 'admin' })
        await adapter.updateUser({ id: 'ann', role: 'reader' })
        await run(browser, (calls) => calls.update({ user: { name: 'x' } }))
        expect((await shown(browser)).role).to.equal('reader')
      })

      it('is not what a client sends', async () => {
        const browser = await enter({ role: 'reader' }, strategy === 'jwt' ? { callbacks: trusting } : {})
        const forged = { role: 'admin', id: 'ann', at: 9e9, fields: { role: 'admin' } }
        const data = { user: { role: 'admin' }, role: 'admin', sub: 'bob', auth_user: forged }
        const json = { csrfToken: await browser.csrf(), data }
        expect((await browser.send('post', '/api/auth/session', { json })).status).to.equal(200)
        expect(await shown(browser)).to.include({ role: 'reader', id: 'ann' })
      })

      it('is given to the `session` callback, which may remove it', async () => {
        const browser = await enter(
          { role: 'admin' },
          {
            callbacks: {
              session: ({ session: { user: given, ...session } }) => {
                const { role, ...others } = { role: undefined, ...given }
                return { ...session, user: others, isAdmin: role === 'admin' }
              },
            },
          },
        )
        const { body } = await browser.ask('/api/auth/session')
        expect(body).to.have.property('isAdmin', true)
        expect(body.user).not.to.have.property('role')
      })

      it('uses the record with the id that `authorize` returned', async () => {
        const authorize = () => ({ id: 'ann', name: 'Ann', role: 'admin' })
        const browser = (await start({ providers: [credentials({ authorize })] })).browser()
        await adapter.createUser({ id: 'ann', email: 'ann@example.com', emailVerified: null, seats: 7 })
        await browser.signIn()
        expect(await shown(browser)).to.include({ role: 'reader', seats: 7 })
        await adapter.updateUser({ id: 'ann', role: 'admin' })
        advanceClock(updateAge)
        expect((await shown(browser)).role).to.equal('admin')
      })

      it('ends the session of a deleted user, at once or after `updateAge`', async () => {
        const browser = await enter({ role: 'admin' })
        await adapter.deleteUser('ann')
        advanceClock(updateAge)
        expect(await shown(browser)).to.equal(undefined)
      })

      it('rejects reads while the database is down, and keeps the cookie', async () => {
        const browser = await enter({ role: 'admin' })
        const held = browser.cookieHeader()
        const { getUser, getSessionAndUser } = adapter
        const down = () => Promise.reject(new Error('down'))
        Object.assign(adapter, { getUser: down, getSessionAndUser: down })
        advanceClock(updateAge)
        expect((await browser.ask('/api/auth/session')).status).to.equal(503)
        expect((await run(browser, (calls) => calls.session())).body).to.have.property('type', 'AdapterError')
        expect(browser.cookieHeader()).to.equal(held)
        Object.assign(adapter, { getUser, getSessionAndUser })
        expect((await shown(browser)).role).to.equal('admin')
      })

      if (strategy === 'database') return

      it('reads the fields again when their declaration has changed', async () => {
        const browser = await enter({ role: 'admin' }, { session: { userFields: ['seats'] } })
        expect(await shown(browser))
          .to.include({ seats: null })
          .and.not.have.property('role')
        const cookies = [...browser.cookies]
        await door?.close()
        const later = (await start()).browser()
        for (const [cookie, value] of cookies) later.cookies.set(cookie, value)
        expect(await shown(later)).to.include({ role: 'admin', seats: null })
      })

      it('does not let a renewal for another reason keep old fields', async () => {
        let count = 0
        const callbacks: ServerAuthConfig['callbacks'] = { jwt: ({ token }) => ({ ...token, count: ++count }) }
        const browser = await enter({ role: 'admin' }, { callbacks })
        await adapter.updateUser({ id: 'ann', role: 'reader' })
        advanceClock(updateAge / 2)
        expect((await shown(browser)).role).to.equal('admin')
        advanceClock(updateAge / 2)
        expect((await shown(browser)).role).to.equal('reader')
      })
    })
  }
}

/** An application that wrongly trusts its clients. */
const trusting: ServerAuthConfig['callbacks'] = {
  jwt: ({ token, trigger, session }) => (trigger === 'update' ? { ...token, ...Object(session) } : token),
}

describe('the option session.userFields', () => {
  const wrong: ReadonlyArray<[what: string, config: Partial<ServerAuthConfig>, message: RegExp]> = [
    ['no adapter', {}, /`session\.userFields` needs an `adapter`.*withUserFields/],
    [
      'an adapter without fields',
      { adapter: memoryAdapter() },
      /has "role".*does not declare\. Declare them with `user`/,
    ],
    ['a misspelt name', { adapter: memoryAdapter({ user: { rolle: 'string' } }) }, /has "role".*It declares: rolle/],
    [
      'a wrong declaration',
      { adapter: { ...memoryAdapter(), userFields: JSON.parse('{"role":{"type":"text"}}') } },
      /`adapter\.userFields\.role` has no known type/,
    ],
    ['an adapter without getUser', { adapter: { userFields: {} }, session: { strategy: 'jwt' } }, /lacks `getUser`/],
  ]
  for (const [what, config, message] of wrong) {
    it(`rejects ${what}`, () => {
      const session = { ...config.session, userFields: ['role'] }
      expect(() => resolveConfig({ secret, providers: [credentials()], ...config, session })).to.throw(message)
    })
  }

  it('accepts a declaration by hand', () => {
    const userFields = { role: { type: 'string', values: ['reader'], default: 'reader' } } as const
    const config = { secret, providers: [credentials()], adapter: { ...memoryAdapter(), userFields } }
    const { session } = resolveConfig({ ...config, session: { userFields: ['role'] } })
    expect(session.userFields).to.deep.equal(userFields)
  })
})
