/**
 * Tests of the events that account pages emit: each names the user, the action and the session, once the action is
 * done.
 */

import { expect } from 'chai'
import express, { type Request } from 'express'
import { memoryStore } from '../../lib/adapters/memory/index.js'
import { EventError } from '../../lib/errors.js'
import { expressFunctions } from '../../lib/functions/on-express.js'
import type { Adapter, ServerAuthConfig } from '../../lib/index.js'
import type { SessionEndedMessage } from '../../lib/types/config.js'
import { type StageOptions, strategies, usePasskeys } from '../flows/webauthn/stage.js'
import type { Browser } from '../support/app.js'
import { Authenticator } from '../support/authenticator.js'

const email = 'ann@example.com'
const userAgent = 'Reader/1.0 (a test)'
const request = { ip: '127.0.0.1', userAgent }

/** Adds routes that each do one thing, for the signed-in user or for the user with an id. */
function addRoutes(app: express.Express, config: ServerAuthConfig): void {
  const route = (path: string, act: (req: Request) => Promise<unknown>) => {
    app.post(path, express.urlencoded({ extended: false }), (req, res, next) => {
      act(req).then((result) => res.json(result ?? null), next)
    })
  }
  route('/account', (req) => expressFunctions(config).account.get(req))
  route('/end', (req) => expressFunctions(config).sessions.end(req, req.body.id))
  route('/end-others', (req) => expressFunctions(config).sessions.endOthers(req))
  route('/end-all-of', (req) => expressFunctions(config).sessions.endAll(req.body.id, req))
  route('/end-all-quietly', (req) => expressFunctions(config).sessions.endAll(req.body.id))
  route('/disable', (req) => expressFunctions(config).users.disable(req.body.id, req))
  route('/enable', (req) => expressFunctions(config).users.enable(req.body.id, req))
  route('/unlink', (req) => expressFunctions(config).account.unlink(req, req.body))
  route('/delete-passkey', (req) => expressFunctions(config).account.removePasskey(req, req.body.id))
}

for (const strategy of strategies) {
  describe(`events of the account functions, strategy ${strategy}`, () => {
    const stage = usePasskeys()
    /** The emitted events, and a check that each was true when it was emitted. */
    let told: Array<[event: string, message: Record<string, unknown>]>

    async function start(events: ServerAuthConfig['events'] = {}, options: StageOptions = {}): Promise<void> {
      told = []
      const note = (event: string) => (message: object) => void told.push([event, { ...message }])
      const revocation = { store: memoryStore(), ...(strategy === 'jwt' && { list: true }) }
      const own = {
        ...Object.fromEntries(
          ['signIn', 'signOut', 'unlinkAccount', 'passkeyRemoved', 'sessionEnded', 'userDisabled', 'userEnabled'].map(
            (name) => [name, note(name)],
          ),
        ),
        ...events,
      }
      await stage.start({ strategy, session: { revocation }, ...options, events: own }, { after: addRoutes })
    }
    beforeEach(() => start())

    async function signIn(browser = stage.app.browser()): Promise<Browser & { readonly sid: string }> {
      browser.headers['user-agent'] = userAgent
      await stage.enterByMail(browser, email)
      const sid = String(told.findLast(([event]) => event === 'signIn')?.[1].sid)
      return Object.assign(browser, { sid })
    }
    const post = async (browser: Browser, path: string, fields: object = {}) => (await browser.post(path, fields)).body
    const ended = () =>
      told.flatMap(([event, message]) => (event === 'sessionEnded' ? [message as unknown as SessionEndedMessage] : []))
    const userId = async () => (await stage.userOf(email)).id

    it('endSession reports the session, its user, and the session that ended it', async () => {
      const [one, two] = [await signIn(), await signIn()]
      expect(await post(one, '/end', { id: two.sid })).to.deep.equal({ ok: true })
      const facts = { sid: two.sid, userId: await userId(), endedBy: one.sid, request }
      expect(ended()).to.deep.equal([{ reason: 'endSession', ...facts }])
      expect(await post(one, '/end', { id: two.sid })).to.deep.equal({ ok: false, reason: 'unknown' })
      expect(await post(stage.app.browser(), '/end', { id: one.sid })).to.deep.equal({ ok: false, reason: 'unknown' })
      expect(ended()).to.have.length(1)
    })

    it('endOtherSessions emits one event for each database session, and one in all for JWT sessions', async () => {
      const [one, two, three] = [await signIn(), await signIn(), await signIn()]
      await post(one, '/end-others')
      const facts = { reason: 'endOtherSessions', userId: await userId(), endedBy: one.sid, request }
      const each = [two, three].map(({ sid }) => ({ ...facts, sid }))
      expect(ended()).to.have.deep.members(strategy === 'jwt' ? [facts] : each)
      if (strategy === 'jwt') return
      await post(one, '/end-others')
      expect(ended(), 'there was none').to.have.length(2)
    })

    it('endSessionsOf and disableUser report the actor if they receive the request', async () => {
      const desk = await signIn()
      await stage.enterByMail(stage.app.browser(), 'bob@example.com')
      const bob = (await stage.userOf('bob@example.com')).id
      const bobs = told.at(-1)?.[1].sid
      await post(desk, '/end-all-of', { id: bob })
      const which = strategy === 'jwt' ? {} : { sid: bobs }
      const facts = { ...which, userId: bob }
      expect(ended()).to.deep.equal([
        { reason: 'endSessionsOf', ...facts, endedBy: desk.sid, by: await userId(), request },
      ])
      told.length = 0
      await stage.enterByMail(stage.app.browser(), 'bob@example.com')
      await post(desk, '/end-all-quietly', { id: bob })
      const [quiet] = ended()
      expect(quiet).to.deep.include({ reason: 'endSessionsOf', userId: bob })
      expect(quiet).to.not.have.any.keys('endedBy', 'request')
      told.length = 0
      await stage.enterByMail(stage.app.browser(), 'bob@example.com')
      const stranger = stage.app.browser()
      stranger.headers['user-agent'] = userAgent
      await post(stranger, '/disable', { id: bob })
      expect(ended()).to.have.length(1)
      expect(ended()[0]).to.deep.include({ reason: 'disableUser', userId: bob, request })
      expect(ended()[0]).to.not.have.property('endedBy')
    })

    it('disableUser and enableUser report the user and the actor', async () => {
      const desk = await signIn()
      await stage.enterByMail(stage.app.browser(), 'bob@example.com')
      const bob = (await stage.userOf('bob@example.com')).id
      told.length = 0
      await post(desk, '/disable', { id: bob })
      await post(desk, '/enable', { id: bob })
      expect(told.map(([event]) => event)).to.deep.equal(['userDisabled', 'sessionEnded', 'userEnabled'])
      const message = { userId: bob, by: await userId(), sid: desk.sid, request }
      expect([told[0]?.[1], told[2]?.[1]]).to.deep.equal([message, message])
    })

    it('a sign-in in the same browser reports the session that it replaced; a sign-out does not', async () => {
      const one = await signIn()
      const first = one.sid
      const again = await signIn(one)
      expect(ended()).to.deep.equal([
        { reason: 'replaced', sid: first, userId: await userId(), endedBy: again.sid, request },
      ])
      await again.submit('/auth/signout')
      expect(ended()).to.have.length(1)
      expect(told.at(-1)?.[0]).to.equal('signOut')
      await signIn(again)
      expect(ended(), 'there was none to replace').to.have.length(1)
    })

    it('unlinkAccount reports the account once it is unlinked', async () => {
      const left: unknown[] = []
      await start({
        unlinkAccount: async (message) => {
          told.push(['unlinkAccount', { ...message }])
          left.push(await stage.stored.getAccount?.('7', 'credentials'))
        },
      })
      const one = await signIn()
      const account = { provider: 'credentials', providerAccountId: '7' }
      expect(await post(one, '/unlink', account)).to.deep.equal({ ok: false, reason: 'unknown' })
      expect(told.filter(([event]) => event === 'unlinkAccount')).to.deep.equal([])
      await stage.stored.linkAccount?.({ ...account, type: 'credentials', userId: await userId() })
      expect(await post(one, '/unlink', { ...account, password: 'hunter2hunter2' })).to.deep.equal({ ok: true })
      const [event, { user, ...others }] = told.at(-1) ?? ['', {}]
      expect(event).to.equal('unlinkAccount')
      expect(user).to.include({ id: await userId() })
      expect(others).to.deep.equal({ account, sid: one.sid, request })
      expect(left, 'stored by then').to.deep.equal([null])
    })

    it('deletePasskey reports which passkey, and no text that the user typed', async () => {
      const ann = await stage.member(email)
      await ann.with({ key: new Authenticator() }).register()
      ann.browser.headers['user-agent'] = userAgent
      const { passkeys, sessions } = await post(ann.browser, '/account')
      const credentialID = passkeys[0].id
      await stage.stored.renameAuthenticator?.(credentialID, 'Ann’s own words')
      expect(await post(ann.browser, '/delete-passkey', { id: credentialID })).to.deep.equal({ ok: true })
      expect(await post(ann.browser, '/delete-passkey', { id: passkeys[1].id })).to.deep.equal({
        ok: false,
        reason: 'last',
      })
      const removed = told.filter(([event]) => event === 'passkeyRemoved')
      expect(removed).to.have.length(1)
      const { user, ...others } = removed[0]?.[1] ?? {}
      expect(others).to.deep.equal({ credentialID, sid: sessions[0].id, request })
      expect(JSON.stringify(removed)).to.not.include('own words')
    })

    it('no event is emitted for a change that failed', async () => {
      const one = await signIn()
      const fail = () => Promise.reject(new Error('away'))
      const account = { provider: 'credentials', providerAccountId: '7' }
      await stage.stored.linkAccount?.({ ...account, type: 'credentials', userId: await userId() })
      for (const method of ['unlinkAccount', 'deleteSession'] satisfies Array<keyof Adapter>)
        stage.db.replace(method, fail)
      expect(await post(one, '/unlink', account)).to.include({ type: 'AdapterError' })
      if (strategy === 'database') {
        const two = await signIn()
        expect(await post(one, '/end', { id: two.sid })).to.include({ type: 'AdapterError' })
      }
      expect(told.map(([event]) => event).filter((event) => event !== 'signIn')).to.deep.equal([])
    })

    it('events are emitted for changes before a failure if no transaction undoes them', async () => {
      if (strategy === 'jwt') return
      await start({}, { without: ['transaction'] })
      const [one, two] = [await signIn(), await signIn(), await signIn()]
      let calls = 0
      stage.db.replace('deleteSession', (token) => {
        calls += 1
        if (calls > 1) throw new Error('away')
        return stage.stored.deleteSession?.(String(token))
      })
      expect(await post(one, '/end-others')).to.include({ type: 'AdapterError' })
      expect(ended().map(({ sid }) => sid)).to.deep.equal([two.sid])
    })

    it('handlers that throw are logged, and change nothing', async () => {
      const fail = () => {
        throw new Error('of the handler')
      }
      const account = { provider: 'credentials', providerAccountId: '7' }
      await start({ sessionEnded: fail, unlinkAccount: fail })
      const [one, two] = [await signIn(), await signIn()]
      expect(await post(one, '/end', { id: two.sid })).to.deep.equal({ ok: true })
      await stage.stored.linkAccount?.({ ...account, type: 'credentials', userId: await userId() })
      expect(await post(one, '/unlink', account)).to.deep.equal({ ok: true })
      expect(stage.app.log.errors.map(({ message }) => message)).to.deep.equal([
        'The event handler `events.sessionEnded` threw.',
        'The event handler `events.unlinkAccount` threw.',
      ])
      for (const error of stage.app.log.errors) expect(error).to.be.instanceOf(EventError)
    })
  })
}
