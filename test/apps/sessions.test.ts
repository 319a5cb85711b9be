/** The session of an app: its renewal by a header, its facts, and its ends, beside other features. */
import { expect } from 'chai'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import { advanceClock, freezeClock, restoreClock } from '../support/clock.js'
import { strategies } from '../support/world.js'
import { tenantDoors } from '../tenants/stage.js'
import { AppClient, clients, doorNames, loopback, openStage } from './stage.js'

const day = 24 * 60 * 60

for (const door of doorNames) {
  describe(`the session of an app (${door})`, () => {
    afterEach(restoreClock)

    it('is renewed in X-Session-Token with JWT sessions, and not in a cookie or a shared response', async () => {
      freezeClock()
      const stage = await openStage(door, 'jwt')
      const app = new AppClient(stage.origin)
      const token = await app.signIn(await stage.signIn())
      const early = await app.get(token)
      expect([early.headers['x-session-token'], early.cookies]).to.deep.equal([undefined, []])
      advanceClock(29 * day)
      expect((await app.get(token, '/public')).headers['x-session-token']).to.equal(undefined)
      const { headers, cookies, body } = await app.get(token)
      const renewed = headers['x-session-token'] ?? ''
      expect(body.user.email).to.equal('ann@example.com')
      expect(cookies).to.deep.equal([])
      expect(headers['cache-control']).to.include('private').and.include('no-store')
      expect(renewed).to.have.length.above(100).and.not.equal(token)
      advanceClock(2 * day)
      expect((await app.get(token)).body ?? null).to.equal(null)
      const last = await app.get(renewed)
      expect(last.body.user.email).to.equal('ann@example.com')
      expect((await app.signOut(last.headers['x-session-token'] ?? '')).status).to.equal(204)
      expect((await app.get(renewed)).body ?? null).to.equal(null)
      await stage.close()
    })

    it('keeps its token with database sessions', async () => {
      freezeClock()
      const stage = await openStage(door, 'database')
      const app = new AppClient(stage.origin)
      const token = await app.signIn(await stage.signIn())
      for (let month = 0; month < 2; month += 1) {
        advanceClock(29 * day)
        const { headers, cookies, body } = await app.get(token)
        expect([headers['x-session-token'], cookies]).to.deep.equal([undefined, []])
        expect(body.user.email).to.equal('ann@example.com')
      }
      await stage.close()
    })

    for (const strategy of strategies) {
      it(`never lives longer than the approving session may (${strategy} sessions)`, async () => {
        freezeClock()
        const stage = await openStage(door, strategy, { session: { maxAge: 20 * day, absoluteMaxAge: 30 * day } })
        const app = new AppClient(stage.origin)
        const browser = await stage.signIn()
        advanceClock(15 * day)
        const { token, expires } = (await app.redeem(await app.codeOf(browser))).body
        expect(new Date(expires).getTime()).to.be.closeTo(Date.now() + 15 * day * 1000, 2000)
        advanceClock(14 * day)
        expect((await app.get(token)).body.user.email).to.equal('ann@example.com')
        advanceClock(2 * day)
        expect((await app.get(token)).body ?? null).to.equal(null)
        await stage.close()
      })

      it(`has the organization and the proofs of the approving session (${strategy} sessions)`, async () => {
        freezeClock()
        const organizations = {
          membership: () => ({ role: 'member' }),
          list: () => [
            { id: 'one', name: 'One' },
            { id: 'two', name: 'Two' },
          ],
          roles: { member: [] },
        }
        const stage = await openStage(door, strategy, { organizations })
        const browser = await stage.signIn()
        await browser.get('/set?id=two')
        const app = new AppClient(stage.origin)
        expect((await app.get(await app.signIn(browser))).body.organization).to.deep.equal({ id: 'two' })
        await stage.close()
      })

      it(`is ended in the list of sessions, and reported by events (${strategy} sessions)`, async () => {
        const events: string[] = []
        const stage = await openStage(door, strategy, {
          events: {
            signIn: ({ app, account, user }) => void events.push(`signIn ${app} ${account} ${user.email}`),
            signOut: ({ sid }) => void events.push(`signOut ${sid}`),
            sessionEnded: ({ sid, reason }) => void events.push(`${reason} ${sid}`),
            failure: ({ type, action }) => void events.push(`${type} ${action}`),
          },
        })
        const browser = await stage.signIn()
        events.length = 0
        const [one, two] = [new AppClient(stage.origin), new AppClient(stage.origin)]
        const code = await one.codeOf(browser)
        const { token, sid } = (await one.redeem(code)).body
        expect(await browser.get(`/end?id=${encodeURIComponent(sid)}`)).to.have.nested.property('body.ok', true)
        expect((await one.get(token)).body ?? null).to.equal(null)
        for (let again = 0; again < 3; again += 1) await one.redeem(code)
        const used = await two.codeOf(browser)
        const { sid: reused } = (await two.redeem(used)).body
        await Promise.all(Array.from({ length: 5 }, () => two.redeem(used)))
        const reports = events.filter((line) => line.endsWith(reused))
        expect(reports).to.deep.equal([`appCodeReused ${reused}`])
        const second = await two.signIn(browser)
        await two.signOut(second)
        const signIns = events.filter((line) => line.startsWith('signIn'))
        expect(signIns).to.deep.equal(Array.from({ length: 3 }, () => 'signIn cli null ann@example.com'))
        expect(events).to.include(`endSession ${sid}`)
        expect(events.filter((line) => line.startsWith('signOut'))).to.have.length(1)
        await stage.close()
      })
    }
  })
}

for (const strategy of strategies) {
  it(`AP-01 the code and the session of an app belong to one tenant, although the tenants share a database (${strategy} sessions)`, async () => {
    const adapter = memoryAdapter()
    const [[, open]] = tenantDoors as typeof tenantDoors & [(typeof tenantDoors)[number]]
    const stage = await open({
      load: () => ({ adapter, apps: { clients }, session: { strategy, bearer: true, revocation: true } }),
      before(app, auth) {
        app.get('/start', (req, res, next) => {
          const user = { email: 'ann@example.com', emailVerified: true } as const
          auth.startSession(req, res, { user, amr: ['otp'] }).then((done) => res.json(done), next)
        })
      },
    })
    const browser = stage.browser('one.test')
    await browser.get('/start')
    const [one, two] = ['one.test', 'two.test'].map(
      (host) => new AppClient(stage.origin, 'cli', loopback, stage.browser(host)),
    ) as [AppClient, AppClient]
    const url = await one.approve(browser)
    expect(url.searchParams.get('iss')).to.equal('http://one.test/auth')
    const code = url.searchParams.get('code') ?? ''
    expect((await two.redeem(code, one.fieldsOf(code))).body.error).to.equal('invalid_grant')
    const { token } = (await one.redeem(code)).body
    expect((await one.get(token)).body.user.email).to.equal('ann@example.com')
    expect((await two.get(token)).body ?? null).to.equal(null)
    await two.signOut(token)
    expect((await one.get(token)).body.user.email).to.equal('ann@example.com')
    await stage.close()
  })
}
