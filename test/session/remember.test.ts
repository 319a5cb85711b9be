/**
 * "Keep me signed in": a session of its own length, with every sign-in method. And sessions whose end is set when they
 * begin.
 */
import { expect } from 'chai'
import { ServerAuth, type ServerAuthConfig, startSession } from '../../lib/index.js'
import type { StartSessionUserOptions } from '../../lib/types/calls.js'
import { useStage } from '../flows/oauth/stage.js'
import { strategies, usePasskeys } from '../flows/webauthn/stage.js'
import { type Browser, credentials, secret, target } from '../support/app.js'
import { advanceClock, freezeClock, restoreClock } from '../support/clock.js'
import type { Answer } from '../support/http-browser.js'
import { cookieLines, heldSession } from '../support/session.js'

const hour = 3600
const session = { maxAge: 12 * hour, rememberMaxAge: 720 * hour, updateAge: hour }
const email = 'ann@example.com'

/** Returns the lifetime of the session cookie in the browser: seconds, or `browser` if it ends with the browser. */
function lifeOfCookie(response: Answer): number | 'browser' {
  const [line = ''] = cookieLines(response)
  expect(line).to.match(/^auth\.session-token=./)
  const expires = /; Expires=([^;]+)/.exec(line)?.[1]
  expect(line).to.not.include('Max-Age')
  return expires === undefined ? 'browser' : Math.round((Date.parse(expires) - Date.now()) / 1000)
}

async function lives(browser: Browser): Promise<number | null> {
  const shown = (await browser.session()) as { expires: string } | null
  return shown && Math.round((Date.parse(shown.expires) - Date.now()) / 1000)
}

for (const strategy of strategies) {
  describe(`"Keep me signed in", strategy ${strategy}`, () => {
    const stage = usePasskeys()
    beforeEach(() => freezeClock())
    afterEach(restoreClock)
    const start = (own: object = session) => stage.start({ strategy, session: own })

    it('checked, gives the session its longer lifetime', async () => {
      await start()
      const browser = stage.app.browser()
      const response = await browser.signIn({ remember: '1' })
      expect(lifeOfCookie(response)).to.equal(session.rememberMaxAge)
      expect(await lives(browser)).to.equal(session.rememberMaxAge)
      advanceClock(13 * hour)
      const read = await browser.get('/auth/session')
      expect(lifeOfCookie(read), 'after it was extended').to.equal(session.rememberMaxAge)
      advanceClock(session.rememberMaxAge - 1)
      expect(await browser.session()).to.have.property('user')
      advanceClock(session.rememberMaxAge + 1)
      expect(await browser.session()).to.equal(null)
    })

    it('unchecked, ends with the browser, and after the shorter lifetime', async () => {
      await start()
      const browser = stage.app.browser()
      for (const fields of [{}, { remember: '0' }, { remember: 'false' }, { remember: ['1', '1'] }]) {
        const response = await browser.signIn(fields)
        expect(lifeOfCookie(response), JSON.stringify(fields)).to.equal('browser')
      }
      advanceClock(2 * hour)
      expect(lifeOfCookie(await browser.get('/auth/session')), 'after it was extended').to.equal('browser')
      expect(await lives(browser)).to.equal(session.maxAge)
      advanceClock(session.maxAge + 1)
      expect(await browser.session()).to.equal(null)
    })

    it('is not shown without the option, and a field has no effect', async () => {
      await start({ maxAge: 12 * hour })
      const browser = stage.app.browser()
      expect(lifeOfCookie(await browser.signIn({ remember: '1' }))).to.equal(12 * hour)
      expect((await browser.get('/auth/signin')).text).to.not.include('remember')
      await browser.submit('/auth/signin/email', { email, remember: '1' })
      expect(browser.cookies.has('auth.remember')).to.equal(false)
    })

    it('is remembered until an email link is opened, and no longer', async () => {
      await start()
      const browser = stage.app.browser()
      await browser.submit('/auth/signin/email', { email, remember: 'on' })
      expect(browser.cookies.get('auth.remember')).to.equal('1')
      const response = await browser.get(stage.mails.at(-1)?.url ?? '')
      expect(lifeOfCookie(response)).to.equal(session.rememberMaxAge)
      expect(browser.cookies.has('auth.remember')).to.equal(false)
      expect(lifeOfCookie(await stage.enterByMail(browser, email)), 'the next time').to.equal('browser')
    })

    it('is asked for again if an email link is opened in another browser', async () => {
      await start()
      const link = await stage.askForLink(stage.app.browser(), email)
      const other = stage.app.browser()
      expect((await other.get(link)).text).to.match(/<input type="checkbox" name="remember"/)
      const fields = { ...Object.fromEntries(new URL(link).searchParams), remember: '1' }
      expect(lifeOfCookie(await other.submit('/auth/callback/email', fields))).to.equal(session.rememberMaxAge)
    })

    it('is the last choice, if the checkbox was checked before', async () => {
      await start()
      const [asking, browser] = [stage.app.browser(), stage.app.browser()]
      for (const [ticked, life] of [
        [{}, 'browser'],
        [{ remember: '1' }, session.rememberMaxAge],
      ] as const) {
        const link = await stage.askForLink(asking, email)
        // A visitor checked it in this browser before, and never opened the link.
        await browser.submit('/auth/signin/email', { email: 'bob@example.com', remember: '1' })
        const page = (await browser.get(link)).text
        expect(page).to.match(/<input type="checkbox" name="remember"[^>]* checked>/)
        const hidden = [...page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)]
        const fields = Object.fromEntries(hidden.map(([, name, value = '']) => [name, value.replaceAll('&amp;', '&')]))
        expect(lifeOfCookie(await browser.post('/auth/callback/email', { ...fields, ...ticked }))).to.equal(life)
        await browser.submit('/auth/signout')
      }
    })

    it('holds for passkeys', async () => {
      await start()
      const ann = stage.person()
      expect(lifeOfCookie(await ann.register({ email }))).to.equal('browser')
      await ann.signOut()
      expect(lifeOfCookie(await ann.signIn({}, { fields: { remember: '1' } }))).to.equal(session.rememberMaxAge)
    })

    it('leaves sessions from before the option as they are', async () => {
      await start({ maxAge: session.maxAge, updateAge: hour })
      const browser = stage.app.browser()
      await browser.signIn()
      const held = browser.cookies
      const later = await stage.serve({ strategy, session })
      const same = later.browser()
      for (const [name, value] of held) same.cookies.set(name, value)
      advanceClock(2 * hour)
      expect(lifeOfCookie(await same.get('/auth/session'))).to.equal(session.maxAge)
    })

    it('ends with the option: who was kept signed in has the life that all have', async () => {
      await start()
      const browser = stage.app.browser()
      await browser.signIn({ remember: '1' })
      const later = await stage.serve({ strategy, session: { maxAge: session.maxAge, updateAge: hour } })
      const same = later.browser()
      for (const [name, value] of browser.cookies) same.cookies.set(name, value)
      expect(await lives(same)).to.equal(session.maxAge)
    })

    it('cannot be set by a `jwt` callback or a client', async () => {
      await stage.start({
        strategy,
        session: { ...session, updateAge: 0 },
        ...(strategy === 'jwt' && {
          callbacks: { jwt: ({ token, session: sent }) => ({ ...token, ...(sent as object), auth_remember: true }) },
        }),
      })
      const browser = stage.app.browser()
      await browser.signIn()
      await browser.submit('/auth/session', { data: { auth_remember: true, auth_end: 9e9 } })
      expect(await lives(browser)).to.equal(session.maxAge)
      if (strategy === 'jwt') expect(await heldSession(browser)).to.include({ auth_remember: false })
    })
  })

  describe(`a session whose end is set at its beginning, strategy ${strategy}`, () => {
    const stage = usePasskeys()
    beforeEach(() => freezeClock())
    afterEach(restoreClock)

    async function begin(options: Partial<StartSessionUserOptions>, own: object = { updateAge: 0 }) {
      const app = await stage.start(
        { strategy, session: own },
        {
          after: (express, config) => {
            express.get('/hand-over', (req, res, next) => {
              const user = { email, emailVerified: true } as const
              startSession(req, res, config, { user, amr: [], ...options }).then(() => res.end(), next)
            })
          },
        },
      )
      const browser = app.browser()
      return { browser, response: await browser.get('/hand-over') }
    }

    it('ends then, however active it is', async () => {
      const { browser, response } = await begin({ maxAge: 900 })
      expect(lifeOfCookie(response)).to.equal(900)
      for (const minute of [1, 2, 3]) {
        advanceClock(240)
        expect(await lives(browser), `${4 * minute}`).to.equal(900 - minute * 240)
      }
      advanceClock(181)
      expect(await browser.session()).to.equal(null)
    })

    it('never lives longer than one of the configuration', async () => {
      const { browser } = await begin({ maxAge: 9000 }, { maxAge: 600, updateAge: 0 })
      expect(await lives(browser)).to.equal(600)
      advanceClock(601)
      expect(await browser.session()).to.equal(null)
    })

    it('ends then too where that is no whole second, or is for ever', async () => {
      const { browser } = await begin({ maxAge: 90.75 })
      expect(await lives(browser)).to.equal(90)
      for (const _step of [1, 2, 3]) {
        advanceClock(25)
        await browser.session()
      }
      advanceClock(16)
      expect(await browser.session()).to.equal(null)
      expect(await lives((await begin({ maxAge: Number.MAX_VALUE })).browser)).to.equal(720 * hour)
    })

    it('may keep the user signed in', async () => {
      expect(lifeOfCookie((await begin({ remember: true }, session)).response)).to.equal(session.rememberMaxAge)
      expect(lifeOfCookie((await begin({}, session)).response)).to.equal('browser')
      expect(lifeOfCookie((await begin({ remember: true }, {})).response)).to.equal(720 * hour)
    })

    it('is rejected for invalid values', async () => {
      for (const maxAge of [0, -1, Number.NaN, '900' as unknown as number]) {
        const { response } = await begin({ maxAge })
        expect([response.status, response.body.type]).to.deep.equal([500, 'InvalidConfiguration'])
        expect(response.body.error).to.match(/startSession\.maxAge/)
        expect(cookieLines(response)).to.deep.equal([])
      }
    })
  })
}

describe('"Keep me signed in" with a provider', () => {
  const stage = useStage()
  beforeEach(() => freezeClock())
  afterEach(restoreClock)

  it('is remembered until the user returns', async () => {
    await stage.restart({}, { session })
    for (const [fields, life] of [
      [{ remember: '1' }, session.rememberMaxAge],
      [{}, 'browser'],
    ] as const) {
      const browser = stage.newBrowser()
      const began = await browser.submit('/auth/signin/test', { callbackUrl: '/welcome', ...fields })
      const response = await browser.get(stage.provider.authorize(target(began)))
      expect(lifeOfCookie(response)).to.equal(life)
      expect(browser.cookies.has('auth.remember')).to.equal(false)
    }
  })

  it('is the choice of the last of two tabs, and cannot be set by the provider', async () => {
    await stage.restart({}, { session })
    const { browser } = stage
    const began = await browser.submit('/auth/signin/test', { remember: '1' })
    await browser.submit('/auth/signin/test')
    const response = await browser.get(stage.provider.authorize(target(began), { remember: '1' }))
    expect(lifeOfCookie(response)).to.equal('browser')
  })
})

describe('session.rememberMaxAge', () => {
  const make = (config: Partial<ServerAuthConfig>) => () =>
    ServerAuth({ secret, providers: [credentials()], ...config })

  it('is rejected for invalid values, with the remedy', () => {
    expect(make({ session: { rememberMaxAge: 60 } })).to.throw(/less than `session\.maxAge`.*Lower `session\.maxAge`/)
    expect(make({ session: { maxAge: 60, rememberMaxAge: 600, absoluteMaxAge: 300 } })).to.throw(/absoluteMaxAge/)
    expect(make({ session: { maxAge: 60, rememberMaxAge: 600 }, jwt: { maxAge: 50 } })).to.throw(/Remove `jwt\.maxAge`/)
    expect(make({ session: { rememberMaxAge: 0 } })).to.throw(/rememberMaxAge/)
    expect(make({ session: { maxAge: 60, rememberMaxAge: 600 } })).to.not.throw()
  })
})
