/** Names of sessions: those of undecodable cookies and of tokens from elsewhere are in other namespaces than ours. */
import { encode as encodeLegacy } from '@auth/core/jwt'
import { expect } from 'chai'
import { memoryStore } from '../../lib/adapters/memory/index.js'
import { clearSiteMemories } from '../../lib/base/memory.js'
import type { ServerAuthConfig } from '../../lib/index.js'
import { decode, encode, type JWT } from '../../lib/jwt.js'
import { type Browser, secret, startApp, type TestApp } from '../support/app.js'
import { advanceClock, restoreClock } from '../support/clock.js'
import { heldSession, plant, sessionName } from '../support/session.js'

const cookieName = 'authjs.session-token'
const soon = () => new Date(Date.now() + 24 * 60 * 60 * 1000)

describe('the name of a JWT session', () => {
  const apps: TestApp[] = []
  afterEach(async () => {
    restoreClock()
    await Promise.all(apps.splice(0).map((app) => app.close()))
  })

  async function start(config: Partial<ServerAuthConfig> = {}): Promise<TestApp> {
    const app = await startApp(config)
    apps.push(app)
    return app
  }
  const isIn = async (browser: Browser) => (await browser.session()) !== null
  const sidOf = async (browser: Browser) => String((await heldSession(browser))?.sid)

  for (const isOn of [true, false]) {
    const revocation = () => (isOn ? { session: { revocation: memoryStore() } } : {})

    it(`SE-19: a made-up cookie that ends like it ends no session (${isOn ? 'with' : 'without'} revocation)`, async () => {
      const app = await start(revocation())
      const ann = app.browser()
      await ann.signIn()
      const sid = await sidOf(ann)
      expect(sid).to.match(/^[\w-]{22}$/)
      for (const text of [sid, `a.made-up.cookie.${sid}`, `x-${sid}`, `t-${sid}`]) {
        const mallory = app.browser()
        plant(mallory, text)
        await mallory.submit('/auth/signout')
        const other = app.browser()
        plant(other, text)
        await other.signIn({ username: 'mallory' })
        expect(await isIn(ann), text).to.equal(true)
      }
    })

    it(`SE-19: a token of another library whose id is like it ends no session (${isOn ? 'with' : 'without'} revocation)`, async () => {
      const foreign = (text: string): JWT | null => {
        const [, jti] = /^foreign-(.+)$/.exec(text) ?? []
        return jti === undefined ? null : { sub: 'mallory', name: 'Mallory', jti }
      }
      const app = await start({
        jwt: { encode, decode: async (params) => foreign(params.token ?? '') ?? decode(params) },
        ...revocation(),
      })
      const ann = app.browser()
      await ann.signIn()
      // Its hyphens are passed over in the id of a token.
      let sid = await sidOf(ann)
      while (sid.includes('-')) {
        await ann.signIn()
        sid = await sidOf(ann)
      }
      const mallory = app.browser()
      plant(mallory, `foreign-${sid}`)
      expect(await isIn(mallory)).to.equal(true)
      await mallory.submit('/auth/signout')
      expect(await isIn(ann)).to.equal(true)
    })
  }

  it('SE-03: the same for two requests that renew one foreign token at once, and ended with it', async () => {
    const legacy = { cookieName, until: soon() }
    const app = await start({ jwt: { legacy } })
    const text = await encodeLegacy({ token: { sub: 'ann', name: 'Ann' }, secret, salt: cookieName })
    const [one, other, copy] = [app.browser(), app.browser(), app.browser()]
    for (const browser of [one, other, copy]) browser.cookies.set(cookieName, text)
    expect(await Promise.all([isIn(one), isIn(other)])).to.deep.equal([true, true])
    expect(await sidOf(one)).to.equal(await sidOf(other))
    await one.submit('/auth/signout')
    expect([await isIn(other), await isIn(copy)]).to.deep.equal([false, false])
  })

  it('SE-03: of a foreign token ends it in each process that shares a store', async () => {
    const revocation = { store: memoryStore(), maxStale: 5 }
    const config = { jwt: { legacy: { cookieName, until: soon() } }, session: { revocation } }
    const text = await encodeLegacy({ token: { sub: 'ann', name: 'Ann' }, secret, salt: cookieName })
    const here = (await start(config)).browser()
    here.cookies.set(cookieName, text)
    expect(await isIn(here)).to.equal(true)
    const renewed = here.cookies.get(sessionName) ?? ''
    await here.submit('/auth/signout')
    clearSiteMemories()
    const there = await start(config)
    advanceClock(6)
    const [copy, foreign] = [there.browser(), there.browser()]
    plant(copy, renewed)
    foreign.cookies.set(cookieName, text)
    expect([await isIn(copy), await isIn(foreign)]).to.deep.equal([false, false])
  })

  it('SE-03: of an earlier version continues, and its end ends the foreign token of which it was made', async () => {
    const store = memoryStore()
    const config = { jwt: { legacy: { cookieName, until: soon() } }, session: { revocation: { store, maxStale: 5 } } }
    const text = await encodeLegacy({ token: { sub: 'ann', name: 'Ann' }, secret, salt: cookieName })
    const app = await start(config)
    const probe = app.browser()
    probe.cookies.set(cookieName, text)
    expect(await isIn(probe)).to.equal(true)
    const sid = await sidOf(probe)
    expect(sid).to.match(/^t-[\w-]{22}$/)
    // The name that a version before gave it.
    const before = sid.slice(2)
    const old = app.browser()
    const token = await heldSession(probe)
    plant(old, await encode({ token: { ...token, sid: before }, secret, salt: sessionName }))
    expect([await isIn(old), await sidOf(old)]).to.deep.equal([true, before])
    advanceClock(6)
    await old.submit('/auth/signout')
    clearSiteMemories()
    const there = await start(config)
    const copy = there.browser()
    copy.cookies.set(cookieName, text)
    expect(await isIn(copy)).to.equal(false)
  })
})
