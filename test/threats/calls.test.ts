/**
 * Calls of the application's own code, used carelessly: several in one request, with values of clients, and too late.
 */
import { expect } from 'chai'
import { memoryAdapter, memoryStore } from '../../lib/adapters/memory/index.js'
import { type Calls, doors } from '../calls/doors.js'
import { credentials } from '../support/app.js'
import type { Door } from '../support/doors.js'
import type { Browser } from '../support/http-browser.js'
import { sessionName } from '../support/session.js'

const strategies = {
  jwt: () => ({ session: { revocation: memoryStore() } }),
  database: () => ({ adapter: memoryAdapter() }),
}
const person = (name: string) => ({
  user: { email: `${name}@example.com`, emailVerified: true as const, name },
  amr: ['otp'],
})
const byId = (name: string) => ({ user: { id: name, name }, amr: ['otp'] })

for (const [name, open] of doors) {
  for (const [strategy, config] of Object.entries(strategies)) {
    const whom = strategy === 'jwt' ? byId : person
    describe(`several calls in one request at ${name}, ${strategy} sessions`, () => {
      let door: Door
      afterEach(() => door.close())

      const start = async (work: (calls: Calls) => Promise<unknown>) => {
        door = await open({ providers: [credentials()], ...config() }, work)
        return door.browser()
      }
      const userOf = async (visitor: Browser) => (await visitor.ask('/api/auth/session')).body?.user?.name
      /** Returns the values that the browser would have if it accepted an earlier cookie of the answer. */
      const earlier = (cookies: readonly string[]) =>
        cookies
          .filter((line) => line.startsWith(`${sessionName}=`))
          .map((line) => line.slice(sessionName.length + 1).split(';', 1)[0] ?? '')

      it('the last one wins, and one cookie is sent', async () => {
        const visitor = await start(async (calls) => {
          await calls.startSession(whom('ann'))
          await calls.startSession(whom('bob'))
        })
        const { cookies } = await visitor.ask('/do')
        expect(await userOf(visitor)).to.equal('bob')
        expect(earlier(cookies).length).to.equal(1)
      })

      it('a sign-out after a sign-in leaves nothing', async () => {
        const visitor = await start(async (calls) => {
          await calls.startSession(whom('ann'))
          await calls.signOut({ redirect: false })
        })
        const { cookies } = await visitor.ask('/do', { method: 'POST', headers: { 'sec-fetch-site': 'same-origin' } })
        expect(earlier(cookies).filter((value) => value !== '')).to.deep.equal([])
        expect(await userOf(visitor)).to.equal(undefined)
      })

      it('a rejected call keeps the result of the one before', async () => {
        const visitor = await start(async (calls) => {
          await calls.startSession(whom('ann'))
          await calls.startSession({ user: { id: '' }, amr: [] }).catch(() => {})
        })
        await visitor.ask('/do')
        expect(await userOf(visitor)).to.equal('ann')
      })

      it('two at once leave one cookie, and a browser that is signed in', async () => {
        const visitor = await start(async (calls) => {
          await Promise.all([calls.startSession(whom('ann')), calls.startSession(whom('bob'))])
        })
        const { cookies } = await visitor.ask('/do')
        expect(earlier(cookies).length).to.equal(1)
        expect(await userOf(visitor)).to.be.oneOf(['ann', 'bob'])
      })
    })
  }
}
