/** `events.signIn` and `signOut` have the id of the session, and the origin of the request. */

import { expect } from 'chai'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import { expressFunctions } from '../../lib/functions/on-express.js'
import type { ServerAuthConfig } from '../../lib/index.js'
import { startApp, type TestApp } from '../support/app.js'

interface Told {
  readonly sid?: string
  readonly request: { readonly ip?: string; readonly userAgent?: string }
}

for (const strategy of ['jwt', 'database'] as const) {
  describe(`the events of a session, strategy ${strategy}`, () => {
    const told: Array<[string, Told]> = []
    let app: TestApp
    beforeEach(async () => {
      told.length = 0
      const events: ServerAuthConfig['events'] = {
        signIn: (message) => void told.push(['signIn', message]),
        signOut: (message) => void told.push(['signOut', message]),
      }
      app = await startApp({ adapter: memoryAdapter(), session: { strategy }, events })
    })
    afterEach(() => app.close())
    const facts = () => told.map(([name, { sid, request }]) => ({ name, sid, request }))

    it('have one name from the sign-in to the sign-out, and another for the next session', async () => {
      const browser = app.browser()
      await browser.signIn()
      await browser.submit('/auth/signout')
      await browser.signIn()
      const [begun, ended, next] = facts()
      expect([begun?.name, ended?.name, next?.name]).to.deep.equal(['signIn', 'signOut', 'signIn'])
      expect(begun?.sid).to.match(/^[\w-]{43}$/)
      expect(ended?.sid).to.equal(begun?.sid)
      expect(next?.sid).to.not.equal(begun?.sid)
    })

    it('have the address and the user agent, cut to a length', async () => {
      const browser = app.browser()
      await browser.signIn()
      await browser.submit('/auth/signout', {}, { 'user-agent': `Reader/1 ${'x'.repeat(2000)}` })
      const [begun, ended] = facts()
      expect(begun?.request.ip).to.equal('127.0.0.1')
      expect(ended?.request.userAgent)
        .to.match(/^Reader\/1 x+$/)
        .and.have.length(512)
    })

    it('authenticate no request: neither the token nor its hash is in them', async () => {
      const browser = app.browser()
      await browser.signIn()
      const other = app.browser()
      other.cookies.set('auth.session-token', told[0]?.[1].sid ?? '')
      expect(await other.session()).to.equal(null)
    })
  })
}

describe('the name of a database session', () => {
  it('is that of the list on the account page', async () => {
    const sids: unknown[] = []
    const app = await startApp({
      adapter: memoryAdapter(),
      session: { strategy: 'database' },
      events: { signIn: ({ sid }) => void sids.push(sid) },
    })
    try {
      const browser = app.browser()
      await browser.signIn()
      const account = await expressFunctions(app.config).account.get({
        headers: { cookie: browser.cookieHeader(), host: new URL(app.origin).host },
        protocol: 'http',
      })
      expect(account?.sessions?.map(({ id }) => id)).to.deep.equal(sids)
    } finally {
      await app.close()
    }
  })
})
