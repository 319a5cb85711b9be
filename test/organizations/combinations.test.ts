/** The active organization beside other features: provider tokens, data, second factors, and sessions with their own end. */
import { expect } from 'chai'
import { memoryAdapter, memoryStore } from '../../lib/adapters/memory/index.js'
import { expressFunctions } from '../../lib/functions/on-express.js'
import { requireSession, startSession } from '../../lib/index.js'
import type { OIDCConfig } from '../../lib/types/provider.js'
import type { LogStore } from '../../lib/types/store.js'
import type { OpenDoor } from '../factors/doors.js'
import {
  base,
  type FactorStage,
  mailProvider,
  openFactorStage,
  type Person,
  stopClock,
  strategies,
} from '../factors/stage.js'
import { advanceClock, restoreClock } from '../support/clock.js'
import { openExpress } from '../support/doors.js'
import { type HostileProvider, startHostileProvider } from '../support/hostile-provider.js'
import { sessionName } from '../support/session.js'
import { roles } from './stage.js'

const open: OpenDoor = (config) =>
  openExpress(config, {
    after(app, full) {
      const own = expressFunctions(full)
      const organization = true as const
      app.get('/active', requireSession(full, { organization }), (_req, res) => void res.json(res.locals.organization))
      app.get('/sure', requireSession(full, { organization, aal: 2 }), (_req, res) => void res.json({}))
      app.post('/set', (req, res, next) => {
        own.organizations.setActive(req, res, String(req.query.id)).then((outcome) => res.json(outcome), next)
      })
      app.get('/account', (req, res, next) => {
        own.account.get(req).then((account) => res.json(account), next)
      })
      app.post('/put', (req, res, next) => {
        own.sessions.setData(req, res, { cart: 7 } as object).then((session) => res.json(session), next)
      })
      app.get('/token', (req, res) => {
        const told = (error: { type?: string }) => void res.json({ type: error.type })
        own.tokens.get(req, { provider: 'test' }).then(({ accessToken }) => void res.json({ accessToken }), told)
      })
      app.get('/short', (req, res, next) => {
        const user = { id: String(req.query.user) }
        startSession(req, res, full, { user, amr: ['otp'], aal: 2, maxAge: 600 }).then((done) => res.json(done), next)
      })
    },
  })

const userOf = (name: string) => ({ id: '', email: `${name}@example.com`, emailVerified: new Date() })

describe('the active organization of a listed JWT session', () => {
  it('changes although the list cannot be read, which is logged', async () => {
    const { log } = memoryStore()
    let isDown = false
    const store: LogStore = {
      ...log,
      listed: async (userKey) => {
        if (isDown) throw new Error('the list is down')
        return (await log.listed?.(userKey)) ?? []
      },
    }
    const door = await openExpress(
      {
        adapter: memoryAdapter(),
        session: { strategy: 'jwt', revocation: { store: { log: store }, list: true } },
        organizations: { membership: () => ({ role: 'member' }), roles },
      },
      {
        after(app, full) {
          app.get('/start', (req, res, next) => {
            const user = { email: 'ann@example.com', emailVerified: true } as const
            startSession(req, res, full, { user, amr: ['otp'] }).then((done) => res.json(done), next)
          })
          app.post('/set', (req, res, next) => {
            const { organizations } = expressFunctions(full)
            organizations.setActive(req, res, 'acme').then((outcome) => res.json(outcome), next)
          })
        },
      },
    )
    try {
      const browser = door.browser()
      await browser.get('/start')
      isDown = true
      const headers = { origin: door.origin, 'sec-fetch-site': 'same-origin' }
      expect((await browser.send('post', '/set', { headers })).body).to.deep.equal({ ok: true })
      expect(door.log.errors.map(({ name }) => name)).to.deep.equal(['AdapterError'])
      expect(await browser.session(base)).to.deep.include({ organization: { id: 'acme' } })
    } finally {
      await door.close()
    }
  })
})

for (const strategy of strategies) {
  describe(`the active organization beside other features, ${strategy}`, () => {
    let provider: HostileProvider
    let stage: FactorStage
    let ids: readonly string[]
    before(async () => {
      provider = await startHostileProvider()
    })
    after(() => provider.close())
    beforeEach(async () => {
      stopClock()
      ids = ['acme', 'other']
      provider.reset()
      provider.person = { sub: 'ann', name: 'Ann', email: 'ann@example.com', email_verified: true }
      provider.onToken = (body) => provider.tokens(body, { sid: 'session-there' })
      const oidc: OIDCConfig = {
        ...{ type: 'oidc', id: 'test', name: 'Test', ...provider.settings },
        logout: { backchannel: true },
      }
      stage = await openFactorStage(open, {
        providers: [oidc, mailProvider([])],
        session: { strategy, data: true, revocation: { store: memoryStore(), list: strategy === 'jwt' } },
        tokens: { store: 'cookie' },
        factors: { whenEnrolled: 'ask' },
        organizations: {
          roles,
          membership: (_userId, id) => (ids.includes(id) ? { role: 'member' } : null),
          list: () => ids.map((id) => ({ id, name: id })),
        },
      })
    })
    afterEach(async () => {
      restoreClock()
      await stage.close()
    })

    const post = (person: Person, path: string) =>
      person.ask(path, { method: 'POST', headers: { origin: stage.door.origin, 'sec-fetch-site': 'same-origin' } })

    async function signIn(person: Person): Promise<Person> {
      const begun = await person.ask(`${base}/signin/test`, { form: { csrfToken: true } })
      const url = new URL(provider.authorize(begun.headers.location ?? ''))
      await person.ask(url.pathname + url.search)
      return person
    }

    /** Ends the session at the provider. */
    async function endAtProvider(): Promise<void> {
      const now = Math.floor(Date.now() / 1000)
      const claims = {
        ...{ iss: provider.issuer, aud: provider.settings.clientId, iat: now, exp: now + 120, jti: `org-${strategy}` },
        ...{ events: { 'http://schemas.openid.net/event/backchannel-logout': {} }, sub: 'ann', sid: 'session-there' },
      }
      const logout = await provider.signIdToken(claims, { header: { typ: 'logout+jwt' } })
      advanceClock(1)
      const body = new URLSearchParams({ logout_token: logout }).toString()
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const answer = await stage.stranger().ask(`${base}/backchannel-logout/test`, { body, headers })
      expect(answer.status, answer.text).to.equal(200)
    }

    it('changes with the provider’s tokens, the data, and the provider’s right to end the session', async () => {
      const ann = await signIn(stage.stranger())
      expect((await post(ann, '/put')).status).to.equal(200)
      const token = (await ann.ask('/token')).body
      expect(token.accessToken).to.be.a('string')
      expect((await post(ann, '/set?id=acme')).body).to.deep.equal({ ok: true })
      expect(await ann.session()).to.deep.include({ data: { cart: 7 }, organization: { id: 'acme' } })
      expect((await ann.ask('/token')).body).to.deep.equal(token)
      await endAtProvider()
      expect(await ann.session()).to.equal(null)
    })

    it('changes in a session whose device and provider are still listed, as after a step-up', async () => {
      const ann = await signIn(stage.stranger())
      await ann.addApp()
      advanceClock(30)
      const other = ann.elsewhere()
      other.headers['user-agent'] =
        'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML) Chrome/130.0 Safari/537.36'
      await signIn(other)
      const listed = async () => {
        const { sessions } = (await other.ask('/account')).body
        const { provider, device } = sessions.find(({ current }: { current: boolean }) => current)
        return { provider, device: device?.label }
      }
      const before = { provider: 'test', device: 'Chrome on Linux' }
      expect(await listed()).to.deep.equal(before)
      expect((await post(other, '/set?id=acme')).body).to.deep.equal({ ok: true })
      expect(await listed()).to.deep.equal(before)
      expect((await other.answer('totp', { code: other.code() })).status).to.equal(303)
      expect(await listed()).to.deep.equal(before)
    })

    it('continues in a step-up, and the step-up does not end with a change', async () => {
      const ann = await signIn(stage.stranger())
      await ann.addApp()
      advanceClock(30)
      const other = await signIn(ann.elsewhere())
      await post(other, '/set?id=acme')
      expect((await other.ask('/sure')).status).to.equal(401)
      expect((await other.answer('totp', { code: other.code() })).status).to.equal(303)
      expect((await other.ask('/active')).body).to.deep.equal({ id: 'acme', role: 'member' })
      expect((await other.ask('/sure')).status).to.equal(200)
      await post(other, '/set?id=other')
      expect((await other.ask('/sure')).status).to.equal(200)
      expect((await other.ask('/active')).body).to.deep.equal({ id: 'other', role: 'member' })
    })

    it('gives a session with its own end no longer life', async () => {
      const ann = await signIn(stage.stranger())
      const { id } = (await ann.session())?.user ?? {}
      const short = stage.stranger()
      await short.ask(`/short?user=${id}`)
      const before = Date.parse(String((await short.session())?.expires))
      expect(before - Date.now()).to.be.at.most(600_000)
      advanceClock(300)
      expect((await post(short, '/set?id=acme')).body).to.deep.equal({ ok: true })
      expect(Date.parse(String((await short.session())?.expires))).to.be.at.most(before)
      advanceClock(301)
      expect(await short.session()).to.equal(null)
    })

    it('is not changed while it is unclear whose session the request has', async () => {
      const ann = await signIn(stage.stranger())
      const second = await signIn(stage.stranger())
      const cookie = [ann, second].map((each) => `${sessionName}=${each.cookies.get(sessionName)}`).join('; ')
      const headers = { cookie, origin: stage.door.origin, 'sec-fetch-site': 'same-origin' }
      const answer = await stage.stranger().ask('/set?id=acme', { method: 'POST', headers })
      expect(answer.body.type).to.equal('InvalidRequest')
      for (const each of [ann, second]) expect(await each.session()).to.not.have.property('organization')
    })

    it('is not brought back by a change after a sign-out', async () => {
      const ann = await signIn(stage.stranger())
      const copy = ann.elsewhere()
      for (const [name, value] of ann.cookies) copy.cookies.set(name, value)
      await ann.ask(`${base}/signout`, { form: { csrfToken: true } })
      expect((await post(copy, '/set?id=acme')).body).to.deep.equal({ ok: false, reason: 'session' })
      expect(await copy.session()).to.equal(null)
    })

    it('is chosen at the end of a sign-in with a second factor, and not before', async () => {
      const asked: string[] = []
      const strict = await openFactorStage(open, {
        session: { strategy },
        tokens: { store: 'cookie' },
        providers: [{ type: 'oidc', id: 'test', name: 'Test', ...provider.settings }, mailProvider(stage.mails)],
        organizations: {
          roles,
          membership: () => ({ role: 'member' }),
          list: (userId) => {
            asked.push(userId)
            return [{ id: 'acme', name: 'Acme' }]
          },
        },
      })
      try {
        const ann = await signIn(strict.stranger())
        expect((await ann.addApp()).status).to.equal(200)
        asked.length = 0
        advanceClock(30)
        const other = await signIn(ann.elsewhere())
        expect(asked).to.deep.equal([])
        expect(await other.session()).to.equal(null)
        expect((await other.answer('totp', { code: other.code() })).status).to.equal(303)
        expect(asked).to.have.lengthOf(1)
        expect((await other.ask('/active')).body).to.deep.equal({ id: 'acme', role: 'member' })
      } finally {
        await strict.close()
      }
    })

    it('of an impersonated session is the only one of its user, is not changed, and the membership is that of its user', async () => {
      const members: Record<string, string> = {}
      const adapter = memoryAdapter()
      const [admin, ann] = [await adapter.createUser(userOf('admin')), await adapter.createUser(userOf('ann'))]
      members[ann.id] = 'owner'
      const companies = [
        { id: 'acme', name: 'Acme' },
        { id: 'other', name: 'Other' },
      ]
      const door = await openExpress(
        {
          adapter,
          session: { strategy, revocation: memoryStore() },
          impersonation: { allow: (own) => own.user?.email === admin.email },
          organizations: {
            roles,
            membership: (userId) => (members[userId] === undefined ? null : { role: members[userId] }),
            list: (userId) => (userId === ann.id ? companies : []),
          },
        },
        {
          after(app, full) {
            const own = expressFunctions(full)
            const byPath = requireSession(full, { organization: (req) => req.params.org })
            app.get('/active', requireSession(full, { organization: true }), (_req, res) => {
              res.json(res.locals.organization)
            })
            app.get('/org/:org', byPath, (_req, res) => void res.json(res.locals.organization))
            app.post('/set', (req, res, next) => {
              own.organizations.setActive(req, res, 'acme').then((outcome) => res.json(outcome), next)
            })
            app.post('/begin', (req, res, next) => {
              const options = { userId: ann.id, reason: 'ticket 7' }
              own.impersonation.begin(req, res, options).then((outcome) => res.json(outcome), next)
            })
            app.get('/start', (req, res, next) => {
              startSession(req, res, full, { user: { id: admin.id }, amr: ['otp'] }).then(
                (done) => res.json(done),
                next,
              )
            })
          },
        },
      )
      try {
        const browser = door.browser()
        await browser.get('/start')
        expect((await browser.get('/org/acme')).status).to.equal(404)
        const headers = { origin: door.origin, 'sec-fetch-site': 'same-origin' }
        expect((await browser.send('post', '/begin', { headers })).body).to.deep.equal({ ok: true })
        expect((await browser.get('/org/acme')).body).to.deep.equal({ id: 'acme', role: 'owner' })
        expect((await browser.send('post', '/set', { headers })).body.type).to.equal('ImpersonatedSession')
        const json = { organization: 'acme', csrfToken: await browser.csrf(base) }
        expect((await browser.send('post', `${base}/organization`, { json, headers })).status).to.be.oneOf([303, 403])
        expect(await browser.session(base)).to.not.have.property('organization')
        companies.pop()
        const second = door.browser()
        await second.get('/start')
        expect((await second.send('post', '/begin', { headers })).body).to.deep.equal({ ok: true })
        expect((await second.get('/active')).body).to.deep.equal({ id: 'acme', role: 'owner' })
        expect(await second.session(base)).to.have.nested.property('organization.id', 'acme')
      } finally {
        await door.close()
      }
    })
  })
}
