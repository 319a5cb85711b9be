/** The callers who may not create, see, use or revoke keys; and requests with two credentials. */
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import { memoryStore } from '../../lib/adapters/memory/index.js'
import { expressFunctions } from '../../lib/functions/on-express.js'
import { advanceClock, restoreClock } from '../support/clock.js'
import type { Browser } from '../support/http-browser.js'
import { atEach, type Stage } from './stage.js'

const impersonation = {
  allow: (admin: { user?: { email?: string | null } }) => admin.user?.email === 'root@example.com',
}

/** The callers who must not reach a key of ann. */
const callers: Readonly<Record<string, (stage: Stage, of: { userId: string; key: string }) => Promise<Browser>>> = {
  stranger: async (stage) => stage.browser(),
  'another user': async (stage) => (await stage.signIn('bob')).browser,
  'a member of the organization of the key': async (stage) => {
    const { browser, userId } = await stage.signIn('bob')
    stage.members.set(`${userId} acme`, 'owner')
    return browser
  },
  'the key itself': async (stage, { key }) => {
    const browser = stage.browser()
    browser.headers.authorization = `Bearer ${key}`
    return browser
  },
}

atEach('a function of API keys', (open) => {
  afterEach(restoreClock)

  for (const [name, become] of Object.entries(callers)) {
    it(`AZ-02 AZ-04 shows and revokes nothing of another user: ${name}`, async () => {
      const stage = await open()
      const ann = await stage.signIn()
      stage.members.set(`${ann.userId} acme`, 'member')
      const own = await stage.keyOf(ann.browser, { organization: 'acme' })
      const browser = await become(stage, { ...ann, key: own.key })
      const created = await stage.create(browser, { organization: 'acme', userId: ann.userId } as object)
      expect(created.text).to.not.include(ann.userId)
      expect((await browser.get('/keys/list')).body.filter(({ id }: { id: string }) => id === own.id)).to.deep.equal([])
      const revoked = await browser.post(`/keys/revoke?id=${own.id}`)
      expect(revoked.body.ok, JSON.stringify(revoked.body)).to.equal(false)
      expect((await ann.browser.get('/keys/list')).body).to.have.lengthOf(1)
      expect((await stage.call(own.key)).body.apiKey.userId).to.equal(ann.userId)
    })
  }

  it('AZ-01 creates a key for no one but the user of the session', async () => {
    const { signIn, create, browser, watch } = await open()
    const ann = await signIn()
    const bob = await signIn('bob')
    const stranger = await create(browser(), { userId: ann.userId } as object)
    expect(stranger.body).to.deep.equal({ ok: false, reason: 'session' })
    expect(watch.calls).to.not.include('write')
    await create(bob.browser, { userId: ann.userId, id: ann.userId } as object)
    expect((await ann.browser.get('/keys/list')).body).to.deep.equal([])
    expect((await bob.browser.get('/keys/list')).body).to.have.lengthOf(1)
  })

  it('creates no key by a key, nor by a session that was sent as a bearer token', async () => {
    const { signIn, keyOf, create, browser } = await open({ session: { bearer: true } })
    const ann = await signIn()
    const { key } = await keyOf(ann.browser)
    const [cookie] = [...ann.browser.cookies].filter(([name]) => name.includes('session-token'))
    for (const token of [key, cookie?.[1] ?? '']) {
      const script = browser()
      script.headers.authorization = `Bearer ${token}`
      expect((await create(script)).body).to.deep.equal({ ok: false, reason: 'session' })
      expect((await script.get('/keys/list')).body).to.deep.equal([])
      expect((await script.post('/keys/revoke?id=none')).body).to.deep.equal({ ok: false, reason: 'session' })
    }
  })

  it('PC-06 takes no key for a session, and no session for a key', async () => {
    const { signIn, keyOf, call, browser } = await open({ session: { bearer: true } })
    const ann = await signIn()
    const { key } = await keyOf(ann.browser)
    expect((await call(key, '/session')).status).to.equal(401)
    expect((await call(key, '/me')).body).to.equal(null)
    expect((await call(key, '/account')).body).to.equal(null)
    const script = browser()
    script.headers.authorization = `Bearer ${key}`
    expect((await script.session('/api/auth')) ?? null).to.equal(null)
    script.cookies.set('auth.session-token', key)
    expect((await script.session('/api/auth')) ?? null).to.equal(null)
    const [, token = ''] = [...ann.browser.cookies].find(([name]) => name.includes('session-token')) ?? []
    const answer = await call(token)
    expect([answer.status, answer.headers['www-authenticate']]).to.deep.equal([
      401,
      'Bearer realm="api", error="invalid_token"',
    ])
  })

  it('needs a recent sign-in to create, and none to revoke', async () => {
    const { signIn, keyOf, create } = await open()
    const { browser } = await signIn()
    const { id } = await keyOf(browser)
    advanceClock(280)
    expect((await create(browser)).body.ok).to.equal(true)
    advanceClock(40)
    expect((await create(browser)).body).to.deep.equal({ ok: false, reason: 'stale' })
    expect((await browser.post(`/keys/revoke?id=${id}`)).body).to.deep.equal({ ok: true })
  })

  it('rejects a session with its own end, and a copied cookie', async () => {
    const { signIn, create, browser } = await open()
    const short = await signIn('ann', '&maxAge=600')
    expect((await create(short.browser)).body).to.deep.equal({ ok: false, reason: 'session' })
    expect((await short.browser.post('/keys/revoke?id=none')).status).to.equal(403)
    const { browser: own } = await signIn()
    const thief = browser()
    for (const [name, value] of own.cookies) if (name.includes('session-token')) thief.cookies.set(name, value)
    expect((await thief.get('/me')).body.user.email).to.equal('ann@example.com')
    expect((await create(thief)).body).to.deep.equal({ ok: false, reason: 'session' })
    expect((await thief.post('/keys/revoke?id=none')).status).to.equal(403)
  })

  it('rejects a request of another site', async () => {
    const { signIn, keyOf, create: _create, told } = await open()
    const { browser } = await signIn()
    const { id } = await keyOf(browser)
    const evil = { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' }
    const json = { name: 'x', scopes: ['notes:read'] }
    expect((await browser.send('post', '/keys/create', { json, headers: evil })).body.type).to.equal('MissingCSRF')
    expect((await browser.post(`/keys/revoke?id=${id}`, {}, evil)).body.type).to.equal('MissingCSRF')
    expect(told.created).to.have.lengthOf(1)
    expect(told.revoked).to.deep.equal([])
  })

  it('rejects invalid input of a form with 400, and changes nothing', async () => {
    const { signIn, create, watch } = await open()
    const { browser } = await signIn()
    const invalid: object[] = [
      { name: '' },
      { name: 'a\nb' },
      { name: 'x'.repeat(101) },
      { name: { toString: 'x' } },
      { scopes: [] },
      { scopes: ['admin'] },
      { scopes: 'notes:read' },
      { scopes: ['notes:read', 'toString'] },
      { scopes: [['notes:read']] },
      { expires: new Date(Date.now() - 1).toISOString() },
      { expires: new Date(Date.now() + 366 * 86_400_000).toISOString() },
      { expires: 'never' },
      { organization: { id: 'acme' } },
    ]
    for (const options of invalid) {
      const { status, body } = await create(browser, options)
      expect([status, body.type], JSON.stringify(options)).to.deep.equal([400, 'InvalidRequest'])
    }
    for (const organization of ['unknown', '', 'a b', '__proto__']) {
      expect((await create(browser, { organization })).body).to.deep.equal({ ok: false, reason: 'organization' })
    }
    expect(watch.calls).to.not.include('write')
  })

  it('creates no more than 100 keys of a user', async function () {
    this.timeout(20_000)
    const { signIn, create, keyOf, watch } = await open()
    const { browser } = await signIn()
    for (let at = 0; at < 98; at += 1) await keyOf(browser)
    watch.before = (method) => wait(method === 'write' ? 100 : 0)
    await Promise.all(Array.from({ length: 8 }, () => create(browser)))
    watch.before = undefined
    const { length } = (await browser.get('/keys/list')).body
    expect(length).to.be.within(98, 100)
    for (let at = length; at < 100; at += 1) await keyOf(browser)
    expect((await create(browser)).body).to.deep.equal({ ok: false, reason: 'limit' })
    expect((await browser.get('/keys/list')).body).to.have.lengthOf(100)
    expect((await create((await signIn('bob')).browser)).body.ok).to.equal(true)
  })

  it('answers 400 for a key and a session cookie, and for two keys', async () => {
    const { signIn, keyOf, call } = await open({}, { header: 'X-Api-Key' })
    const { browser } = await signIn()
    const { key } = await keyOf(browser)
    const headers = { authorization: `Bearer ${key}` }
    for (const path of ['/api/any', '/both', '/live']) {
      for (const sent of [headers, { 'x-api-key': key }]) {
        expect((await browser.get(path, sent)).status, path).to.equal(400)
      }
      expect((await call(key, path, { 'x-api-key': key })).status, path).to.equal(400)
      expect((await call(key, path, { cookie: 'auth.session-token=rest; other=1' })).status, path).to.equal(400)
      expect((await call(key, path, { cookie: 'other=1' })).status, path).to.equal(200)
      expect((await call(undefined, path, { 'x-api-key': key })).status, path).to.equal(200)
    }
    const challenge = (await browser.get('/api/any', headers)).headers['www-authenticate']
    expect(challenge).to.equal('Bearer realm="api", error="invalid_request"')
  })

  it('PC-06 answers 400 for a key and the token of a session, of which later code would use the other', async () => {
    const { signIn, keyOf, call } = await open({ session: { bearer: true } }, { header: 'X-Api-Key' })
    const { key } = await keyOf((await signIn()).browser)
    const eve = await signIn('eve')
    const [, token = ''] = [...eve.browser.cookies].find(([name]) => name.includes('session-token')) ?? []
    for (const path of ['/api/any', '/both', '/live']) {
      for (const sent of [token, 'invalid']) {
        expect((await call(sent, path, { 'x-api-key': key })).status, path).to.equal(400)
      }
      const basic = { authorization: `Basic ${Buffer.from('gate:open').toString('base64')}`, 'x-api-key': key }
      expect((await call(undefined, path, basic)).status, path).to.equal(200)
    }
  })

  it('reads no key from a query, a body, a cookie or another header', async () => {
    const { signIn, keyOf, call, browser } = await open()
    const { key } = await keyOf((await signIn()).browser)
    const sent = [
      call(undefined, `/api/any?api_key=${key}&access_token=${key}&key=${key}`),
      browser().post('/api/any', { access_token: key, api_key: key }),
      call(undefined, '/api/any', { cookie: `api_key=${key}` }),
      call(undefined, '/api/any', { 'x-api-key': key }),
      call(undefined, '/api/any', { authorization: key }),
      call(undefined, '/api/any', { authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` }),
      call(`${key} `.concat('x')),
      call(encodeURIComponent(key).replace('_', '%5F')),
    ]
    for (const answer of await Promise.all(sent)) expect(answer.status).to.equal(401)
  })

  it('allows a session or a key, where a guard says so', async () => {
    const { signIn, keyOf, call, browser: visitor } = await open()
    const { browser, userId } = await signIn()
    const { key, id } = await keyOf(browser)
    for (const path of ['/both', '/live']) {
      const bySession = (await browser.get(path)).body
      expect([bySession.apiKey, bySession.session.user.id]).to.deep.equal([null, userId])
      const byKey = (await call(key, path)).body
      expect([byKey.apiKey.id, byKey.session]).to.deep.equal([id, null])
    }
    const writer = await keyOf(browser, { scopes: ['notes:write'] })
    expect((await call(writer.key, '/both')).status).to.equal(403)
    expect((await visitor().get('/both')).status).to.equal(401)
    const page = { accept: 'text/html', 'sec-fetch-mode': 'navigate' }
    expect((await visitor().get('/both', page)).status).to.equal(302)
    expect((await call(`${key}x`, '/both', page)).status).to.equal(401)
  })

  it('a live guard notices at once what another process revoked', async () => {
    const { signIn, keyOf, call, watch } = await open({}, { cacheFor: 300 })
    const { browser, userId } = await signIn()
    const { key, id } = await keyOf(browser)
    expect((await call(key, '/live')).status).to.equal(200)
    const { apiKeysTable } = await import('../../lib/features/api-keys/description.js')
    await watch.store.records.remove(apiKeysTable, { id, userId })
    expect((await call(key, '/both')).status).to.equal(200)
    expect((await call(key, '/live')).status).to.equal(401)
  })

  it('a live guard notices at once that another process disabled the owner', async () => {
    const other = memoryStore()
    const { log } = memoryStore()
    const methods = ['add', 'replace', 'find'] as const
    const copied = Object.fromEntries(methods.map((name) => [name, log[name].bind(log)]))
    // As a database, whose changes this process reads from time to time. It has read them just before.
    const polled = {
      ...copied,
      changes: () => ({ revocations: [], cursor: '', isLast: true }),
    } as unknown as typeof log
    const revocation = { store: { log: polled }, maxStale: 60 }
    const { signIn, keyOf, call, config } = await open({ session: { revocation } }, { cacheFor: 300 })
    const { browser, userId } = await signIn()
    const { key } = await keyOf(browser)
    expect((await call(key, '/live')).status).to.equal(200)
    const elsewhere = { ...config, session: { ...config.session, revocation: { store: { ...other, log } } } }
    await expressFunctions(elsewhere).users.disable(userId)
    expect((await call(key, '/both')).status).to.equal(200)
    expect((await call(key, '/live')).status).to.equal(401)
  })

  it('needs no CSRF token with a key and without a cookie, and one with a session', async () => {
    const { signIn, keyOf, browser: script, config } = await open()
    const { browser } = await signIn()
    const { key } = await keyOf(browser)
    const isExpress = 'adapter' in config && (await browser.post('/form')).status === 403
    if (!isExpress) return
    const withKey = { authorization: `Bearer ${key}` }
    expect((await script().post('/form', {}, withKey)).status).to.equal(200)
    expect((await browser.post('/form', {}, withKey)).status).to.equal(403)
    expect((await script().post('/form', {}, { authorization: 'Bearer other' })).status).to.equal(403)
  })

  it('OG-01 is for one organization, with the role of its owner now', async () => {
    const { signIn, keyOf, call, members } = await open()
    const { browser, userId } = await signIn()
    for (const id of ['acme', 'other']) members.set(`${userId} ${id}`, 'member')
    const [ofAcme, personal] = [await keyOf(browser, { organization: 'acme' }), await keyOf(browser)]
    const answer = await call(ofAcme.key, '/org/acme')
    expect(answer.body.apiKey.organization).to.equal('acme')
    expect(answer.body.organization).to.deep.equal({ id: 'acme', role: 'member' })
    expect((await call(ofAcme.key, '/org/other')).status).to.equal(404)
    expect((await call(ofAcme.key, '/org/unknown')).status).to.equal(404)
    expect((await call(personal.key, '/org/acme')).status).to.equal(404)
    for (const path of ['/api/read', '/both', '/live']) {
      expect((await call(personal.key, path)).status, path).to.equal(200)
      const refused = await call(ofAcme.key, path)
      expect([refused.status, refused.body.error], path).to.deep.equal([403, 'Forbidden'])
    }
    expect((await call(ofAcme.key, '/api/any')).body.apiKey.organization).to.equal('acme')
    expect((await call(ofAcme.key, '/org/acme/owner')).status).to.equal(403)
    members.set(`${userId} acme`, 'owner')
    expect((await call(ofAcme.key, '/org/acme/owner')).status).to.equal(200)
    members.delete(`${userId} acme`)
    expect((await call(ofAcme.key, '/org/acme')).status).to.equal(401)
    expect((await call(ofAcme.key)).status).to.equal(401)
    expect((await call(personal.key)).status).to.equal(200)
  })

  it('OG-01 needs a role that is still configured, as sessions do', async () => {
    const { signIn, create, keyOf, call, members } = await open()
    const { browser, userId } = await signIn()
    members.set(`${userId} acme`, 'member')
    const { key } = await keyOf(browser, { organization: 'acme' })
    members.set(`${userId} acme`, 'former')
    for (const path of ['/api/any', '/both', '/live']) expect((await call(key, path)).status, path).to.equal(401)
    const answer = await create(browser, { organization: 'acme' })
    expect(answer.body).to.deep.equal({ ok: false, reason: 'organization' })
  })

  it('AZ-03 is rejected in an impersonated session', async () => {
    const stage = await open({ impersonation })
    const ann = await stage.signIn()
    const own = await stage.keyOf(ann.browser)
    const root = await stage.signIn('root')
    const { impersonation: functions } = expressFunctions(stage.config)
    const cookies: string[] = []
    const res = {
      headersSent: false,
      statusCode: 200,
      getHeader: (name: string) => (name.toLowerCase() === 'set-cookie' ? cookies : undefined),
      setHeader: (name: string, value: string | string[]) => {
        if (name.toLowerCase() === 'set-cookie') cookies.splice(0, cookies.length, ...[value].flat())
      },
      appendHeader() {},
      writeHead() {},
      end() {},
    }
    const headers = { cookie: root.browser.cookieHeader(), host: new URL(stage.origin).host }
    const req = { headers, protocol: 'http', socket: {}, method: 'POST' }
    const begun = await functions.begin(req as never, res as never, { userId: ann.userId, reason: 'ticket 7' })
    expect(begun).to.deep.equal({ ok: true })
    const browser = stage.browser()
    for (const line of cookies) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=')
      if (value) browser.cookies.set(name, value)
    }
    expect((await browser.get('/me')).body.user.id).to.equal(ann.userId)
    for (const answer of [
      await stage.create(browser),
      await browser.get('/keys/list'),
      await browser.post(`/keys/revoke?id=${own.id}`),
      await browser.post(`/keys/revoke-all?user=${ann.userId}`),
    ]) {
      expect(answer.body).to.deep.equal({ type: 'ImpersonatedSession' })
    }
    expect((await stage.call(own.key)).status).to.equal(200)
  })
})
