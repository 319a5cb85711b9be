/** The active organization of a session: at the sign-in, by a call, by the page, and what it never does. */
import { expect } from 'chai'
import { decode } from '../../lib/jwt.js'
import { secret } from '../support/app.js'
import { freezeClock, restoreClock } from '../support/clock.js'
import type { Browser } from '../support/http-browser.js'
import { atEach, signInAs, Tables } from './stage.js'

const page = { accept: 'text/html', 'sec-fetch-mode': 'navigate' }
const own = (origin: string) => ({ origin, 'sec-fetch-site': 'same-origin' })
const elsewhere = { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' }
const cookieName = 'auth.session-token'

/** The user ids that a stage gives to a new browser are known only after a sign-in, so lists are functions. */
function listing(...ids: string[]): Tables {
  const tables = new Tables()
  tables.listed = () => ids.map((id) => ({ id, name: id }))
  tables.answer = (_userId, id) => (ids.includes(id) ? { role: 'member' } : null)
  return tables
}

const set = (browser: Browser, query: string) => browser.send('post', `/set?${query}`, { headers: own(browser.origin) })

atEach('the active organization', (open, { kind }) => {
  afterEach(restoreClock)

  const active = async (browser: Browser) => (await browser.session('/api/auth')).organization

  it('is the only one of the user, from the sign-in on', async () => {
    const { signIn } = await open({}, listing('acme'))
    const { browser } = await signIn()
    expect(await active(browser)).to.deep.equal({ id: 'acme' })
    expect((await browser.get('/active/any')).body).to.deep.equal({ id: 'acme', role: 'member' })
  })

  it('is none if there are several, or none', async () => {
    for (const ids of [[], ['acme', 'other']]) {
      const { signIn } = await open({}, listing(...ids))
      const { browser } = await signIn()
      expect(await active(browser)).to.equal(undefined)
    }
  })

  it('is none if `list` fails at the sign-in, which succeeds', async () => {
    const tables = listing('acme')
    tables.listed = () => Promise.reject(new Error('down'))
    const { signIn, log } = await open({}, tables)
    const { browser } = await signIn()
    expect(await active(browser)).to.equal(undefined)
    expect(log.errors.map(({ name }) => name)).to.deep.equal(['AdapterError'])
  })

  it('OG-08 changes to another one only with a membership', async () => {
    const { signIn, tables } = await open({}, listing('acme', 'other'))
    const { browser, userId } = await signIn()
    expect((await set(browser, 'id=acme')).body).to.deep.equal({ ok: true })
    expect(await active(browser)).to.deep.equal({ id: 'acme' })
    for (const query of ['id=evil', 'id=', 'id=a%20b', 'other']) {
      expect((await set(browser, query)).body, query).to.deep.equal({ ok: false, reason: 'unknown' })
    }
    tables.answer = () => Promise.reject(new Error('down'))
    expect((await set(browser, 'id=other')).body.type).to.equal('AdapterError')
    expect(await active(browser)).to.deep.equal({ id: 'acme' })
    expect((await browser.session('/api/auth')).user.id).to.equal(userId)
    expect((await set(browser, 'none')).body).to.deep.equal({ ok: true })
    expect(await active(browser)).to.equal(undefined)
  })

  it('changes nothing for a visitor', async () => {
    const stage = await open({}, listing('acme'))
    const visitor = stage.browser()
    expect((await set(visitor, 'id=acme')).body).to.deep.equal({ ok: false, reason: 'session' })
    expect([...visitor.cookies.keys()].filter((name) => name.includes('session'))).to.deep.equal([])
  })

  it('OG-08 is not changed by another site', async () => {
    const { signIn } = await open({}, listing('acme', 'other'))
    const { browser } = await signIn()
    expect((await browser.send('post', '/set?id=acme', { headers: elsewhere })).body.type).to.equal('MissingCSRF')
    const form = { organization: 'acme', csrfToken: 'no' }
    const answer = await browser.post('/api/auth/organization', form, elsewhere)
    expect(answer.headers.location).to.include('error=MissingCSRF')
    expect(await active(browser)).to.equal(undefined)
  })

  it('continues the session: the data, the proofs and the end stay, and the old cookie ends', async () => {
    freezeClock()
    const events: unknown[] = []
    const { signIn } = await open(
      { session: { data: true }, events: { sessionEnded: ({ reason }) => void events.push(reason) } },
      listing('acme', 'other'),
    )
    const { browser } = await signIn()
    const before = browser.cookies.get(cookieName)
    const session = await browser.session('/api/auth')
    await set(browser, 'id=acme')
    expect(await browser.session('/api/auth')).to.deep.equal({ ...session, organization: { id: 'acme' } })
    expect(events).to.deep.equal(['organizationChanged'])
    browser.cookies.set(cookieName, String(before))
    expect(await browser.session('/api/auth')).to.equal(null)
  })

  it('is one of those that were chosen at once, and the session continues', async () => {
    const ids = ['a', 'b', 'c', 'd', 'e']
    const { signIn } = await open({}, listing(...ids))
    const { browser, userId } = await signIn()
    const answers = await Promise.all(ids.map((id) => set(browser, `id=${id}`)))
    const chosen = ids.filter((_id, at) => answers[at]?.body.ok === true)
    expect(chosen).to.not.be.empty
    const refused = answers.filter(({ body }) => body.ok !== true).map(({ body }) => body.type ?? body.reason)
    expect(refused.filter((type) => type !== 'ReauthenticationRequired' && type !== 'session')).to.deep.equal([])
    const session = await browser.session('/api/auth')
    expect(session.user.id).to.equal(userId)
    expect(chosen).to.include(session.organization.id)
  })

  it('writes no cookie and ends nothing if it is already active', async () => {
    const { signIn } = await open({}, listing('acme', 'other'))
    const { browser } = await signIn()
    await set(browser, 'id=acme')
    const before = browser.cookies.get(cookieName)
    expect((await set(browser, 'id=acme')).body).to.deep.equal({ ok: true })
    expect(browser.cookies.get(cookieName)).to.equal(before)
  })

  it('survives another sign-in of the same user, and not one of another user', async () => {
    const stage = await open({}, listing('acme', 'other'))
    const { browser } = await stage.signIn()
    await set(browser, 'id=acme')
    await signInAs(stage, browser, 'ann')
    expect(await active(browser)).to.deep.equal(kind.includes('without') ? undefined : { id: 'acme' })
    await set(browser, 'id=acme')
    await signInAs(stage, browser, 'bob')
    expect(await active(browser)).to.equal(undefined)
  })

  it('OG-01 grants nothing: no role is in the session, and a removed member is rejected at once', async () => {
    const tables = listing('acme', 'other')
    const { signIn } = await open({}, tables)
    const { browser } = await signIn()
    await set(browser, 'id=acme')
    expect(JSON.stringify(await browser.session('/api/auth'))).to.not.include('role')
    if (kind !== 'database sessions') {
      const token = await decode({ token: String(browser.cookies.get(cookieName)), secret, salt: cookieName })
      expect(token?.auth_org).to.equal('acme')
      expect(JSON.stringify(token)).to.not.include('"member"')
    }
    tables.answer = () => null
    expect((await browser.get('/active/any')).status).to.equal(409)
    expect((await browser.get('/active/any', page)).status).to.equal(302)
    expect((await browser.get('/org/acme/any')).status).to.equal(404)
  })

  it('OG-01 is not written by an update of the client, nor by a callback that merges it', async () => {
    const { signIn } = await open(
      {
        callbacks: {
          ...(kind !== 'database sessions' && { jwt: ({ token, session }) => ({ ...token, ...(session as object) }) }),
          session: ({ session, newSession }) => ({ ...session, ...(newSession as object), shown: true }),
        },
      },
      listing('acme', 'other'),
    )
    const { browser } = await signIn()
    await set(browser, 'id=acme')
    const evil = { auth_org: 'other', organization: { id: 'other', role: 'owner' }, auth_member: 'somebody' }
    await browser.submit('/api/auth/session', evil)
    await browser.send('post', '/api/auth/session', {
      json: { csrfToken: await browser.csrf('/api/auth'), data: evil },
    })
    expect((await browser.get('/active/any')).body).to.deep.equal({ id: 'acme', role: 'member' })
  })

  it('OG-09 asks for the user of the sign-in, whatever a callback makes of `sub`', async () => {
    const tables = new Tables()
    const { signIn } = await open(
      {
        callbacks: {
          ...(kind !== 'database sessions' && {
            jwt: ({ token, trigger }) => (trigger === 'update' ? { ...token, sub: 'victim' } : token),
          }),
          session: ({ session }) => ({ ...session, user: { ...session.user, id: 'victim' } }),
        },
      },
      tables,
    )
    const { browser } = await signIn()
    tables.set('victim', 'acme', 'owner')
    await browser.send('post', '/api/auth/session', { json: { csrfToken: await browser.csrf('/api/auth'), data: {} } })
    expect((await browser.get('/org/acme/any')).status).to.equal(404)
    expect(tables.asked).to.have.lengthOf(1)
    expect(tables.asked[0]).to.not.include('victim')
  })
})

atEach('the page of organizations', (open) => {
  it('is where browsers without an active organization go; API clients get 409', async () => {
    const { signIn } = await open({}, listing('acme', 'other'))
    const { browser } = await signIn()
    const sent = await browser.get('/active/any?x=1', page)
    expect(sent.status).to.equal(302)
    const to = new URL(sent.headers.location ?? '', browser.origin)
    expect(to.pathname + to.search).to.equal('/api/auth/organization?callbackUrl=%2Factive%2Fany%3Fx%3D1')
    const { status, body } = await browser.get('/active/any')
    expect(status).to.equal(409)
    expect(body).to.include({ error: 'OrganizationRequired' })
    expect(body.organizationUrl).to.equal('/api/auth/organization?callbackUrl=%2F')
    const form = await browser.post('/active/any', {}, page)
    expect(form.status).to.equal(409)
    expect(form.text).to.include('Choose an organization').and.include('href="/api/auth/organization?callbackUrl=%2F"')
  })

  it('lets the user choose, and returns to the page', async () => {
    const { signIn } = await open({}, listing('acme', 'other'))
    const { browser } = await signIn()
    const { text, status } = await browser.get('/api/auth/organization?callbackUrl=%2Factive%2Fany', page)
    expect(status).to.equal(200)
    expect(text).to.include('value="acme"').and.include('value="other"').and.not.include('<script')
    const fields = { organization: 'other', callbackUrl: '/active/any', csrfToken: true }
    const chosen = await browser.ask('/api/auth/organization', {
      form: { ...fields, csrfToken: await browser.csrf('/api/auth') },
    })
    expect(chosen.headers.location).to.equal(`${browser.origin}/active/any`)
    expect((await browser.get('/active/any')).body).to.deep.equal({ id: 'other', role: 'member' })
    expect((await browser.get('/api/auth/organization', page)).text).to.match(/value="other" aria-describedby="active"/)
  })

  it('OG-08 rejects an organization of which the user is no member, and a redirect elsewhere', async () => {
    const { signIn } = await open({}, listing('acme', 'other'))
    const { browser } = await signIn()
    const choose = async (fields: object) =>
      browser.post(
        '/api/auth/organization',
        { ...fields, csrfToken: await browser.csrf('/api/auth') },
        own(browser.origin),
      )
    for (const fields of [{ organization: 'evil' }, {}, { organization: ['acme', 'other'] }]) {
      expect((await choose(fields)).status, JSON.stringify(fields)).to.equal(404)
    }
    expect((await browser.session('/api/auth')).organization).to.equal(undefined)
    const away = await choose({ organization: 'acme', callbackUrl: 'https://evil.test/' })
    expect(away.headers.location).to.equal(`${browser.origin}/`)
  })

  it('OG-11 shows names as text', async () => {
    const tables = new Tables()
    const name = '<img src=x onerror=alert(1)>" autofocus onfocus="x\u202e'
    tables.listed = () => [
      { id: 'a"b', name },
      { id: 'acme', name: 'x'.repeat(500) },
    ]
    const { signIn } = await open({}, tables)
    const { browser } = await signIn()
    const { text } = await browser.get('/api/auth/organization', page)
    expect(text).to.not.include('<img').and.not.include('" autofocus').and.not.include('value="a"')
    expect(text).to.not.include('x'.repeat(101))
  })

  it('tells users without an organization what to do, and sends visitors to sign in', async () => {
    const stage = await open({}, listing())
    const { browser } = await stage.signIn()
    expect((await browser.get('/api/auth/organization', page)).text).to.include(
      'You are not a member of any organization',
    )
    const { status, headers } = await stage.browser().get('/api/auth/organization?callbackUrl=%2Fx', page)
    expect(status).to.equal(302)
    const callbackUrl = new URL(headers.location ?? '').searchParams.get('callbackUrl')
    expect(callbackUrl).to.match(/\/api\/auth\/organization\?callbackUrl=%2Fx$/)
  })

  it('fails with 503 if `list` fails or returns something else', async () => {
    const tables = new Tables()
    const { signIn } = await open({}, tables)
    const { browser } = await signIn()
    for (const listed of [
      () => Promise.reject(new Error('down')),
      () => null,
      () => [{ id: 1, name: 'x' }],
      () => [{ id: 'a b', name: 'x' }],
    ]) {
      tables.listed = listed
      expect((await browser.get('/api/auth/organization')).status, String(listed)).to.equal(503)
    }
  })

  it('does not exist without `list`, nor without `organizations`', async () => {
    const tables = new Tables()
    for (const organizations of [tables.option({ list: undefined as never }), undefined]) {
      const { signIn } = await open({ organizations: organizations as never }, tables).catch(() => ({
        signIn: undefined,
      }))
      if (!signIn) continue
      const { browser } = await signIn()
      expect((await browser.get('/api/auth/organization')).status).to.equal(404)
      if (organizations) expect((await browser.get('/active/any', page)).status).to.equal(409)
    }
  })
})
