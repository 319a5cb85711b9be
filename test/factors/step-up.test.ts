/** Sessions in which another factor is verified: they are replaced by a session with all values of the old one. */

import { expect } from 'chai'
import { memoryStore } from '../../lib/adapters/memory/index.js'
import { expressFunctions } from '../../lib/functions/on-express.js'
import { getSession } from '../../lib/index.js'
import type { OIDCConfig } from '../../lib/types/provider.js'
import { advanceClock, restoreClock } from '../support/clock.js'
import { openExpress } from '../support/doors.js'
import { type HostileProvider, startHostileProvider } from '../support/hostile-provider.js'
import { sessionName } from '../support/session.js'
import type { OpenDoor } from './doors.js'
import { base, type FactorStage, mailProvider, openFactorStage, type Person, stopClock, strategies } from './stage.js'

const open: OpenDoor = (config) =>
  openExpress(config, {
    after(app, full) {
      app.get('/by-session', (req, res, next) => void getSession(req, full).then((found) => res.json(found), next))
      app.post('/put', (req, res, next) => {
        void expressFunctions(full)
          .sessions.setData(req, res, { cart: 7 } as object)
          .then((session) => res.json(session), next)
      })
      app.get('/token', (req, res) => {
        const told = (error: { type?: string }) => void res.json({ type: error.type })
        void expressFunctions(full)
          .tokens.get(req, { provider: 'test' })
          .then(({ accessToken }) => res.json({ accessToken }), told)
      })
    },
  })

const sessionCookie = sessionName

for (const strategy of strategies) {
  describe(`a session in which another factor is verified, ${strategy}`, () => {
    let provider: HostileProvider
    let stage: FactorStage
    before(async () => {
      provider = await startHostileProvider()
    })
    after(() => provider.close())
    beforeEach(async () => {
      stopClock()
      provider.reset()
      provider.person = { sub: 'ann', name: 'Ann', email: 'ann@example.com', email_verified: true }
      provider.onToken = (body) => provider.tokens(body, { sid: 'session-there' })
      const oidc: OIDCConfig = {
        type: 'oidc',
        id: 'test',
        name: 'Test',
        ...provider.settings,
        logout: { backchannel: true },
      }
      stage = await openFactorStage(open, {
        providers: [oidc, mailProvider([])],
        session: {
          strategy,
          data: true,
          revocation: { store: memoryStore(), ...(strategy === 'jwt' && { list: true }) },
        },
        tokens: { store: 'cookie' },
        factors: { whenEnrolled: 'ask' },
      })
    })
    afterEach(async () => {
      restoreClock()
      await stage.close()
    })

    async function signIn(person: Person): Promise<void> {
      const begun = await person.ask(`${base}/signin/test`, { form: { csrfToken: true } })
      const url = new URL(provider.authorize(begun.headers.location ?? ''))
      await person.ask(url.pathname + url.search)
      expect(await person.session()).to.have.nested.property('assurance.aal', 1)
    }

    /** Returns a user with an app, in a session of one factor. */
    async function atOne(): Promise<Person> {
      const ann = stage.stranger()
      await signIn(ann)
      expect((await ann.addApp()).status).to.equal(200)
      advanceClock(30)
      const other = ann.elsewhere()
      await signIn(other)
      return other
    }

    const at = async (jar: Map<string, string>) => {
      const thief = stage.stranger()
      for (const [name, value] of jar) thief.cookies.set(name, value)
      return (await thief.ask('/by-session')).body as object | null
    }

    it('has another name and another cookie, and the old one is invalid (session fixation)', async () => {
      const ann = await atOne()
      const [old, csrf] = [new Map(ann.cookies), await ann.csrf()]
      const ended = stage.ended.length
      expect((await ann.answer('totp', { code: ann.code() })).status).to.equal(303)
      expect(ann.cookies.get(sessionCookie)).to.not.equal(old.get(sessionCookie))
      expect(await ann.csrf()).to.not.equal(csrf)
      expect(await at(new Map(ann.cookies))).to.have.nested.property('assurance.aal', 2)
      expect(await at(old)).to.equal(null)
      const [told, ...others] = stage.ended.slice(ended)
      expect(told).to.include({ reason: 'steppedUp' })
      expect(others).to.deep.equal([])
      expect(stage.signIns).to.have.length(2)
    })

    it('keeps its contents: the values of the application, the provider’s tokens, and the provider’s right to end it', async () => {
      const ann = await atOne()
      const put = await ann.ask('/put', { method: 'POST', headers: { origin: stage.door.origin } })
      expect(put.status, put.text).to.equal(200)
      const token = (await ann.ask('/token')).body
      expect(token.accessToken).to.be.a('string')
      expect((await ann.answer('totp', { code: ann.code() })).status).to.equal(303)
      expect(await ann.session()).to.deep.include({ data: { cart: 7 } })
      expect((await ann.ask('/token')).body).to.deep.equal(token)
      const now = Math.floor(Date.now() / 1000)
      const logout = await provider.signIdToken(
        {
          iss: provider.issuer,
          aud: provider.settings.clientId,
          iat: now,
          exp: now + 120,
          jti: `end-${strategy}`,
          events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
          sub: 'ann',
          sid: 'session-there',
        },
        { header: { typ: 'logout+jwt' } },
      )
      advanceClock(1)
      const body = new URLSearchParams({ logout_token: logout }).toString()
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const answered = await stage.stranger().ask(`${base}/backchannel-logout/test`, { body, headers })
      expect(answered.status, answered.text).to.equal(200)
      expect(await ann.session()).to.equal(null)
    })

    it('is one session, even if many requests verify the factor at the same time', async () => {
      const ann = await atOne()
      const [old, csrfToken] = [new Map(ann.cookies), await ann.csrf()]
      const jars = Array.from({ length: 10 }, () => {
        const jar = ann.elsewhere()
        for (const [name, value] of ann.cookies) jar.cookies.set(name, value)
        return jar
      })
      const answers = await Promise.all(
        jars.map((jar, each) => {
          const [factor, code] = each % 2 === 0 ? ['totp', ann.code()] : ['recovery', ann.codes[each] ?? '']
          return jar.ask(`${base}/two-factor/${factor}`, { form: { csrfToken, code } })
        }),
      )
      const lifted = jars.filter((jar) => jar.cookies.get(sessionCookie) !== old.get(sessionCookie))
      expect(answers.some(({ status }) => status === 303)).to.equal(true)
      expect(lifted.length).to.be.at.least(1)
      expect(await at(old)).to.equal(null)
      if (strategy === 'database') {
        const alive = await Promise.all(jars.map((jar) => at(new Map(jar.cookies))))
        expect(alive.filter((session) => session !== null)).to.have.length(1)
      }
    })

    it('is not restored by it after a sign-out', async () => {
      const ann = await atOne()
      const copy = ann.elsewhere()
      for (const [name, value] of ann.cookies) copy.cookies.set(name, value)
      const csrfToken = await copy.csrf()
      await ann.ask(`${base}/signout`, { form: { csrfToken: true } })
      const answer = await copy.ask(`${base}/two-factor/totp`, { form: { csrfToken, code: ann.code() } })
      expect(answer.headers.location).to.match(/error=ReauthenticationRequired/)
      expect(await at(new Map(copy.cookies))).to.equal(null)
    })

    it('keeps its absolute end and its owner', async () => {
      const ann = await atOne()
      const { user } = (await ann.session()) ?? {}
      expect((await ann.answer('totp', { code: ann.code() })).status).to.equal(303)
      expect((await ann.session())?.user).to.deep.equal(user)
    })
  })
}
