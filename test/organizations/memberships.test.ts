/** The answers of `membership`: how long they are used, and which sessions they are for. */
import { expect } from 'chai'
import { memoryAdapter, memoryStore } from '../../lib/adapters/memory/index.js'
import { getSession, requireSession } from '../../lib/index.js'
import initAuth, { withRequest } from '../../shim/index.js'
import { credentials, secret } from '../support/app.js'
import { advanceClock, freezeClock, restoreClock } from '../support/clock.js'
import { openExpress } from '../support/doors.js'
import type { Browser } from '../support/http-browser.js'
import { atEach, doors, kinds, Tables } from './stage.js'

const own = (origin: string) => ({ origin, 'sec-fetch-site': 'same-origin' })

atEach('cached memberships', (open) => {
  afterEach(restoreClock)

  const cached = (tables: Tables) => open({ organizations: tables.option({ cacheFor: 60 }) }, tables)

  /** Returns the browser of a member who was removed, whose cached membership is still used. */
  async function removedMember(): Promise<Browser> {
    const tables = new Tables()
    const { signIn } = await cached(tables)
    const { browser, userId } = await signIn()
    tables.set(userId, 'acme', 'member')
    expect((await browser.get('/org/acme/any')).status).to.equal(200)
    tables.set(userId, 'acme', undefined)
    expect((await browser.get('/org/acme/any')).status).to.equal(200)
    return browser
  }

  it('are used for `cacheFor` seconds, for members only', async () => {
    freezeClock()
    const tables = new Tables()
    const { signIn } = await cached(tables)
    const { browser, userId } = await signIn()
    for (const _ of [1, 2]) expect((await browser.get('/org/acme/any')).status).to.equal(404)
    expect(tables.asked).to.have.lengthOf(2)
    tables.set(userId, 'acme', 'member')
    for (const _ of [1, 2, 3]) expect((await browser.get('/org/acme/any')).status).to.equal(200)
    expect(tables.asked).to.have.lengthOf(3)
    advanceClock(59)
    expect((await browser.get('/org/acme/any')).status).to.equal(200)
    advanceClock(1)
    tables.set(userId, 'acme', undefined)
    expect((await browser.get('/org/acme/any')).status).to.equal(404)
    expect(tables.asked).to.have.lengthOf(4)
  })

  it('are of one user and one organization', async () => {
    const tables = new Tables()
    const { signIn } = await cached(tables)
    const [ann, bob] = [await signIn('ann'), await signIn('bob')]
    tables.set(ann.userId, 'acme', 'owner')
    tables.set(bob.userId, 'acme', 'member')
    for (const _ of [1, 2]) {
      expect((await ann.browser.get('/org/acme/owner')).status).to.equal(200)
      expect((await bob.browser.get('/org/acme/owner')).status).to.equal(403)
      expect((await ann.browser.get('/org/acme2/any')).status).to.equal(404)
    }
  })

  it('OG-02 are not used by a `live` guard, which also corrects them', async () => {
    const browser = await removedMember()
    expect((await browser.get('/twice/acme/live')).status).to.equal(404)
    expect((await browser.get('/org/acme/any')).status).to.equal(404)
  })

  it('OG-02 are forgotten at once by `forget`, in this process', async () => {
    const tables = new Tables()
    const [here, there] = [await cached(tables), await cached(tables)]
    const [inThis, inOther] = [await here.signIn(), await there.signIn()]
    for (const { userId } of [inThis, inOther]) tables.set(userId, 'acme', 'member')
    for (const { browser } of [inThis, inOther]) expect((await browser.get('/org/acme/any')).status).to.equal(200)
    for (const { userId } of [inThis, inOther]) {
      tables.set(userId, 'acme', undefined)
      await here.browser().send('post', `/forget?user=${userId}`)
    }
    expect((await inThis.browser.get('/org/acme/any')).status).to.equal(404)
    // Another process uses its answer until it is too old, or the guard is `live`.
    expect((await inOther.browser.get('/org/acme/any')).status).to.equal(200)
    expect((await inOther.browser.get('/org/acme/live')).status).to.equal(404)
  })

  it('OG-10 do not keep an answer that was on its way when the member was removed', async () => {
    const tables = new Tables()
    const { signIn, browser: visitor } = await cached(tables)
    const { browser, userId } = await signIn()
    let answer: (value: unknown) => void = () => {}
    const asked = new Promise<void>((resolve) => {
      tables.answer = () => {
        resolve()
        return new Promise((done) => {
          answer = done
        })
      }
    })
    const early = browser.get('/org/acme/any')
    await asked
    tables.answer = () => null
    await visitor().send('post', `/forget?user=${userId}`)
    answer({ role: 'member' })
    expect((await early).status).to.equal(200)
    expect((await browser.get('/org/acme/any')).status).to.equal(404)
  })

  it('are not used to make an organization active', async () => {
    const browser = await removedMember()
    const { body } = await browser.send('post', '/set?id=acme', { headers: own(browser.origin) })
    expect(body).to.deep.equal({ ok: false, reason: 'unknown' })
    expect((await browser.get('/org/acme/any')).status).to.equal(404)
  })
})

describe('a guard of members without a request', () => {
  const tables = new Tables()
  const { auth, handlers } = initAuth({
    ...{ secret, basePath: '/api/auth', providers: [credentials()], organizations: tables.option() },
    trustHost: true,
  })
  const origin = 'https://app.test'
  let cookie = ''

  const ask = (work: () => Promise<unknown>) =>
    withRequest(new Request(`${origin}/team`, { headers: { cookie, accept: 'text/html' } }), async () =>
      Response.json(await work()),
    )

  before(async () => {
    const own = { origin, 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' }
    const body = new URLSearchParams({ username: 'ann', password: 'right' })
    const url = `${origin}/api/auth/callback/credentials`
    const answer = await handlers.POST(new Request(url, { method: 'POST', headers: own, body }))
    cookie = answer.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ')
  })

  it('returns the session with the organization and the role, which later readers do not see', async () => {
    tables.set('id-of-ann', 'acme', 'owner')
    const answer = await ask(async () => [
      (await auth.require({ organization: () => 'acme', role: 'owner' })).organization,
      (await auth())?.organization ?? null,
      (await auth.require()).organization ?? null,
    ])
    expect(await answer.json()).to.deep.equal([{ id: 'acme', role: 'owner' }, null, null])
  })

  it('rejects others, and redirects to the page of organizations', async () => {
    expect((await ask(() => auth.require({ organization: () => 'other' }))).status).to.equal(404)
    expect((await ask(() => auth.require({ organization: () => 'acme', role: 'member' }))).status).to.equal(403)
    const sent = await ask(() => auth.require({ organization: true, redirectTo: '/after' }))
    expect(sent.status).to.equal(302)
    expect(sent.headers.get('location')).to.equal(`${origin}/api/auth/organization?callbackUrl=%2Fafter`)
  })

  it('waits for a function that looks the id up', async () => {
    const answer = await ask(async () => (await auth.require({ organization: async () => 'acme' })).organization)
    expect(await answer.json()).to.deep.equal({ id: 'acme', role: 'owner' })
    const failed = await ask(() => auth.require({ organization: () => Promise.reject(new Error('down')) })).catch(
      String,
    )
    expect(failed).to.equal('Error: down')
  })
})

describe('sessions of members', () => {
  for (const [door, open] of Object.entries(doors)) {
    it(`OG-09 sign in again if they began without \`organizations\` and without a stored user (${door})`, async () => {
      const before = await openExpress({})
      const stage = await open(kinds['jwt sessions without an adapter']())
      try {
        const browser = before.browser()
        await browser.signIn({}, '/api/auth')
        const later = stage.browser()
        for (const [name, value] of browser.cookies) later.cookies.set(name, value)
        expect(await later.session('/api/auth')).to.have.nested.property('user.id', 'id-of-ann')
        stage.tables.set('id-of-ann', 'acme', 'owner')
        expect((await later.get('/org/acme/any')).status).to.equal(401)
        await later.signIn({}, '/api/auth')
        expect((await later.get('/org/acme/any')).status).to.equal(200)
      } finally {
        await Promise.all([before.close(), stage.close()])
      }
    })
  }

  it('OG-09 are of the user of the sign-in, without an adapter and without a store of ended sessions', async () => {
    const tables = new Tables()
    tables.set('victim', 'acme', 'owner')
    const app = await openExpress(
      {
        organizations: tables.option(),
        callbacks: { jwt: ({ token, trigger }) => (trigger === 'update' ? { ...token, sub: 'victim' } : token) },
      },
      {
        after(own, full) {
          const guard = requireSession(full, { organization: (req) => req.params.org })
          own.get('/org/:org', guard, (_req, res) => void res.json(res.locals.organization))
        },
      },
    )
    try {
      const browser = app.browser()
      await browser.signIn({}, '/api/auth')
      const json = { csrfToken: await browser.csrf('/api/auth'), data: {} }
      await browser.send('post', '/api/auth/session', { json })
      expect((await browser.session('/api/auth')).user.id).to.equal('victim')
      expect((await browser.get('/org/acme')).status).to.equal(404)
      expect(tables.asked).to.deep.equal(['id-of-ann acme'])
    } finally {
      await app.close()
    }
  })

  for (const strategy of ['jwt', 'database'] as const) {
    it(`by a bearer token pass a guard, and have no active organization to change (${strategy})`, async () => {
      const tables = new Tables()
      const stage = await doors.express(
        { adapter: memoryAdapter(), session: { strategy, bearer: true, revocation: memoryStore() } },
        tables,
      )
      try {
        const { browser, userId } = await stage.signIn()
        tables.set(userId, 'acme', 'owner')
        const token = browser.cookies.get('auth.session-token')
        const client = stage.browser({ authorization: `Bearer ${token}` })
        expect((await client.get('/org/acme/any')).status).to.equal(200)
        const { body } = await client.send('post', '/set?id=acme')
        expect(body).to.deep.equal({ ok: false, reason: 'session' })
      } finally {
        await stage.close()
      }
    })
  }

  it('cost nothing while `organizations` is not set: no claim, no route, no field', async () => {
    const app = await openExpress(
      { adapter: memoryAdapter() },
      {
        after(own, full) {
          own.get('/in', requireSession(full), (req, res, next) => {
            void getSession(req, full).then((session) => res.json({ session, locals: Object.keys(res.locals) }), next)
          })
        },
      },
    )
    try {
      const browser = app.browser()
      await browser.signIn({}, '/api/auth')
      const { body } = await browser.get('/in')
      expect(body.session).to.have.keys('user', 'expires')
      expect(body.locals).to.deep.equal(['session'])
      expect((await browser.get('/api/auth/organization')).status).to.equal(404)
    } finally {
      await app.close()
    }
  })
})
