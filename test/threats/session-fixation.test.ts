/** No user's session can be chosen by another user, with either strategy. */

import { expect } from 'chai'
import { type TestDatabase, testDatabase } from '../support/adapter.js'
import { type Browser, credentials, setCookies, startApp } from '../support/app.js'
import { type DoorApp, doors } from '../support/doors.js'
import { opened } from '../support/opened.js'
import { defaultAccounts, startOpenIdProvider } from '../support/openid-provider.js'
import { heldNames, heldToken, sessionName } from '../support/session.js'

for (const [door, start, strategy] of doors.flatMap(([name, open]) =>
  (['jwt', 'database'] as const).map((each) => [name, open, each] as const),
)) {
  describe(`session fixation, strategy "${strategy}" (${door})`, () => {
    let app: DoorApp
    let db: TestDatabase
    let browser: Browser

    beforeEach(async () => {
      db = testDatabase()
      app = await start({ adapter: db.adapter, session: { strategy } })
      browser = app.browser()
    })
    afterEach(() => app.close())

    async function nameBehind(token: string): Promise<unknown> {
      const other = app.browser()
      other.cookies.set(sessionName, token)
      const session = (await other.session()) as { user?: { name?: unknown } } | null
      return session?.user?.name ?? null
    }

    for (const planted of ['attacker-known', 'x'.repeat(43), `h1_${'0'.repeat(64)}`]) {
      it(`SX-01 a planted cookie is never the session: ${planted.slice(0, 14)}`, async () => {
        for (const name of [sessionName, `${sessionName}.0`]) browser.cookies.set(name, planted)
        await browser.signIn()
        expect(heldToken(browser)).to.not.equal(planted)
        expect(heldNames(browser)).to.deep.equal([sessionName])
        expect(await nameBehind(planted)).to.equal(null)
        expect(await nameBehind(heldToken(browser))).to.equal('ann')
      })
    }

    it("SX-01 the attacker's own session, planted, does not become the victim's, and ends", async () => {
      const attacker = app.browser()
      await attacker.signIn({ username: 'mallory' })
      const planted = heldToken(attacker)
      browser.cookies.set(sessionName, planted)
      await browser.signIn()
      expect(heldToken(browser)).to.not.equal(planted)
      expect(await browser.session()).to.have.nested.property('user.name', 'ann')
      // In this process; in others a JWT cannot be taken back: it is the attacker's own, and stays it.
      expect(await nameBehind(planted)).to.equal(null)
      expect(await db.sessions()).to.have.length(strategy === 'jwt' ? 0 : 1)
    })

    it('SX-02 a second user in the same browser gets a token of their own, with no data of the first', async () => {
      await browser.signIn({ username: 'ann' })
      const first = heldToken(browser)
      await browser.signIn({ username: 'bob' })
      const second = heldToken(browser)
      expect(second).to.not.equal(first)
      const { id, ...shown } = ((await browser.session()) as { user: { id: string } }).user
      expect(shown).to.deep.equal({ name: 'bob', email: 'bob@example.com', image: null })
      if (strategy === 'database') {
        expect(await nameBehind(first)).to.equal(null)
        const rows = await db.sessions()
        expect(rows).to.have.length(1)
        const owner = await db.real.getUser(rows[0]?.userId ?? '')
        expect(owner).to.include({ id, email: 'bob@example.com' })
      } else expect(id).to.equal('id-of-bob')
    })

    it('SX-01 the same user who signs in again gets a new token', async () => {
      const tokens = new Set<string>()
      for (let times = 0; times < 3; times += 1) {
        await browser.signIn()
        tokens.add(heldToken(browser))
      }
      expect(tokens.size).to.equal(3)
      expect(await db.sessions()).to.have.length(strategy === 'jwt' ? 0 : 1)
    })

    it('SX-04 a token in the query, the body or another header is ignored', async () => {
      await browser.signIn()
      const token = heldToken(browser)
      const other = app.browser()
      const query = new URLSearchParams({ [sessionName]: token, 'session-token': token, sessionToken: token })
      for (const path of ['/auth/session', '/me']) {
        expect((await other.get(`${path}?${query}`)).body).to.equal(null)
        for (const header of ['x-session', 'x-session-token', 'session-token', 'authorization', sessionName]) {
          const value = header === 'authorization' ? `Bearer ${token}` : token
          expect((await other.get(path, { [header]: value })).body, header).to.equal(null)
        }
      }
      const fields = { [sessionName]: token, sessionToken: token, 'session-token': token }
      const response = await other.submit('/auth/session', fields)
      expect(response.body).to.equal(null)
      await other.submit('/auth/signout', fields)
      expect(await browser.session()).to.have.nested.property('user.name', 'ann')
    })

    it('a cookie of another name, or below another path, is ignored', async () => {
      await browser.signIn()
      const token = heldToken(browser)
      for (const name of [
        `__Secure-${sessionName}`,
        `__Host-${sessionName}`,
        'session-token',
        `${sessionName}-x`,
        sessionName.toUpperCase(),
      ]) {
        const other = app.browser()
        other.cookies.set(name, token)
        expect(await other.session(), name).to.equal(null)
        expect(setCookies(await other.get('/auth/session'))).to.deep.equal([])
      }
    })
  })
}

describe('session fixation while an account is linked, with database sessions', () => {
  const provider = opened(() => startOpenIdProvider())

  it('SX-03 gives a new token, and ends the one before', async () => {
    const db = testDatabase()
    const alice = defaultAccounts[0]?.login ?? ''
    const app = await startApp({
      adapter: db.adapter,
      providers: [credentials(), { id: 'op', name: 'OP', type: 'oidc', ...provider.settings() }],
    })
    const browser = app.browser()
    await browser.signIn()
    const before = heldToken(browser)
    const begun = await browser.submit('/auth/signin/op')
    const callback = await provider.signInAs(begun.headers.location ?? '', alice)
    const response = await browser.get(callback)
    expect(response.headers.location).to.equal(`${app.origin}/`)
    const after = heldToken(browser)
    expect(after).to.not.equal(before)
    expect(await browser.session()).to.have.nested.property('user.name', 'ann')
    expect(await db.sessions()).to.have.length(1)
    const thief = app.browser()
    thief.cookies.set(sessionName, before)
    expect(await thief.session()).to.equal(null)
    await app.close()
  })
})
