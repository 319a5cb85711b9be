/** The memory of a process for a site, shared by all its configuration objects; and its limits. */
import { expect } from 'chai'
import {
  BoundedMap,
  clearSiteMemories,
  createOwnMemory,
  ExpiringSet,
  KeyedLock,
  OldestFirstMap,
  perOwner,
  type SiteMemory,
  siteMemory,
} from '../lib/base/memory.js'
import { getSession, ServerAuth } from '../lib/index.js'
import type { FullStackAuthConfig } from '../lib/types/config.js'
import initAuth from '../shim/index.js'
import { createLog, credentials, secret, startApp } from './support/app.js'
import { advanceClock, freezeClock, restoreClock } from './support/clock.js'
import { openExpress, openFetch } from './support/doors.js'
import { type OpenIdProvider, startOpenIdProvider } from './support/openid-provider.js'

describe('siteMemory(…name)', () => {
  it('is one for each name, and others are apart', () => {
    const memory = siteMemory('secret', 'cookie')
    expect(siteMemory('secret', 'cookie')).to.equal(memory)
    expect(siteMemory('secret', 'cookie2')).to.not.equal(memory)
    expect(siteMemory('secretcookie')).to.not.equal(memory)
    clearSiteMemories()
    expect(siteMemory('secret', 'cookie')).to.not.equal(memory)
  })

  it('forgets sites that were tried once before one that is used', () => {
    const memory = siteMemory('used')
    for (let at = 0; at < 3000; at += 1) {
      siteMemory(`tried once ${at}`)
      if (at % 500 === 0) siteMemory('used')
    }
    expect(siteMemory('used')).to.equal(memory)
  })
})

describe('DOS-10 what the process remembers is bounded', () => {
  afterEach(restoreClock)
  const many = 200_000

  it('in a BoundedMap', () => {
    const map = new BoundedMap<number, number>(100)
    for (let at = 0; at < many; at += 1) map.set(at, at)
    expect([map.size, map.has(many - 1), map.has(0)]).to.deep.equal([100, true, false])
  })

  it('in a map that knows its oldest entry, whatever is deleted and added again', () => {
    const map = new OldestFirstMap<number, string>()
    const plain = new Map<number, string>()
    const check = () => expect(map.oldest()?.key).to.equal([...plain.keys()][0])
    let state = 7
    // The same numbers at each run (Park and Miller).
    const random = (below: number) => {
      state = (state * 48_271) % 2_147_483_647
      return state % below
    }
    for (let at = 0; at < 20_000; at += 1) {
      const key = random(50)
      const act = random(100)
      for (const each of [map, plain]) {
        if (act === 0) each.clear()
        else if (act < 50) each.delete(key)
        else each.set(key, 'x')
      }
      if (random(3) === 0) check()
    }
    map.clear()
    expect([map.oldest(), map.size]).to.deep.equal([undefined, 0])
  })

  it('in an ExpiringSet, that forgets what is over', () => {
    freezeClock()
    const set = new ExpiringSet({ lifetime: 1000, capacity: 100, hashOf: (text) => text })
    for (let at = 0; at < many; at += 1) set.add(String(at))
    expect([set.has('0'), set.has(String(many - 1))]).to.deep.equal([false, true])
    advanceClock(1)
    expect(set.has(String(many - 1))).to.equal(false)
    expect(set.add(String(many - 1))).to.equal(true)
  })

  it('by owners, whose values are their own', () => {
    const thingOf = perOwner((_site: SiteMemory) => ({}))
    const [one, other] = [createOwnMemory(), createOwnMemory()]
    expect(thingOf(one)).to.equal(thingOf(one)).and.not.equal(thingOf(other))
  })

  it('in a KeyedLock, where a turn that fails blocks no other', async () => {
    const lock = new KeyedLock()
    const failing = lock.run('key', () => Promise.reject(new Error('failed')))
    const next = lock.run('key', async () => 'done')
    expect(await failing.catch((error: Error) => error.message)).to.equal('failed')
    expect(await next).to.equal('done')
  })
})

describe('a configuration that is made for each request', () => {
  let provider: OpenIdProvider
  before(async () => {
    provider = await startOpenIdProvider()
  })
  after(() => provider.close())
  const configure = (): FullStackAuthConfig => ({
    secret,
    basePath: '/api/auth',
    logger: createLog().logger,
    providers: [credentials(), { id: 'acme', name: 'Acme', type: 'oidc', ...provider.settings() }],
  })
  const doors = {
    Express: () =>
      openExpress(configure(), {
        before: (app) => {
          // A Router of its own for each request.
          app.use('/api/auth', (req, res, next) => void ServerAuth(configure())(req, res, next))
        },
      }),
    Fetch: () => {
      const { handlers } = initAuth(() => configure())
      return openFetch(createLog(), (request) => handlers.GET(request))
    },
  }

  for (const [name, open] of Object.entries(doors)) {
    it(`knows a form again that is sent twice, by ${name}`, async () => {
      const door = await open()
      const visitor = door.browser()
      const csrfToken = await visitor.csrf()
      const form = { csrfToken, username: 'ann', password: 'right' }
      await visitor.ask('/api/auth/callback/credentials', { form })
      const again = await visitor.ask('/api/auth/callback/credentials', { form })
      expect(again.headers.location).to.not.include('error=')
      await door.close()
    })

    it(`takes the answer of a provider once, by ${name}`, async () => {
      const door = await open()
      const visitor = door.browser()
      const start = await visitor.ask('/api/auth/signin/acme', { form: { csrfToken: true } })
      const back = new URL(await provider.signInAs(start.headers.location ?? '', 'alice'))
      const before = new Map(visitor.cookies)
      const first = await visitor.ask(back.pathname + back.search)
      expect(first.cookies.join()).to.include('session-token=')
      visitor.cookies.clear()
      for (const [cookie, value] of before) visitor.cookies.set(cookie, value)
      const asked = provider.count('/token')
      const second = await visitor.ask(back.pathname + back.search)
      expect(second.cookies.join()).to.not.include('session-token=')
      expect(provider.count('/token')).to.equal(asked)
      await door.close()
    })
  }

  it('is read by getSession for each object, and shared by those with the same secret', async () => {
    const app = await startApp(
      {},
      {
        after: (express) => {
          express.get('/anew', (req, res, next) => {
            const config = { secret, providers: [credentials()], logger: createLog().logger }
            getSession(req, config).then((session) => res.json(session), next)
          })
        },
      },
    )
    const browser = app.browser()
    await browser.signIn()
    for (let at = 0; at < 3; at += 1) expect((await browser.get('/anew')).body.user.name).to.equal('ann')
    await app.close()
  })
})
