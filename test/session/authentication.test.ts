/**
 * The facts that a session has of its sign-in: when (`auth_time`), and by which methods (`amr`, RFC 8176). Only the
 * engine sets them.
 */
import { expect } from 'chai'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import type { ServerAuthConfig } from '../../lib/index.js'
import type { Authentication } from '../../lib/types/config.js'
import { useStage } from '../flows/oauth/stage.js'
import { strategies, usePasskeys } from '../flows/webauthn/stage.js'
import { type Browser, startApp, type TestApp } from '../support/app.js'
import { Authenticator } from '../support/authenticator.js'
import { advanceClock, freezeClock, restoreClock, seconds } from '../support/clock.js'
import { heldSession, plantSession } from '../support/session.js'

const email = 'ann@example.com'

/** Callbacks with which the session shows the arguments of the callback. */
const showing: ServerAuthConfig['callbacks'] = {
  session: ({ session, authentication }) => ({ ...session, authentication }),
}

async function shown(browser: Browser): Promise<Authentication> {
  const session = (await browser.session()) as { authentication: Authentication }
  return session.authentication
}

for (const strategy of strategies) {
  describe(`a session has the facts of its sign-in, strategy ${strategy}`, () => {
    const stage = usePasskeys()
    beforeEach(() => freezeClock())
    afterEach(restoreClock)
    const start = () => stage.start({ strategy, callbacks: showing, session: { updateAge: 0 } })

    it('by credentials, and keeps them after an extension', async () => {
      await start()
      const browser = stage.app.browser()
      const auth_time = seconds()
      await browser.signIn()
      expect(await shown(browser)).to.deep.equal({ auth_time, aal: 1, amr: ['pwd'] })
      advanceClock(1000)
      await browser.get('/auth/session')
      expect(await shown(browser)).to.deep.equal({ auth_time, aal: 1, amr: ['pwd'] })
    })

    it('by an email link', async () => {
      await start()
      const browser = stage.app.browser()
      await stage.enterByMail(browser, email)
      expect(await shown(browser)).to.deep.equal({ auth_time: seconds(), aal: 1, amr: ['otp'] })
    })

    it('by a passkey: made, and used; in hardware or synchronised; with a second factor or without', async () => {
      await start()
      const ann = await stage.member(email)
      expect((await shown(ann.browser)).amr).to.deep.equal(['swk', 'user', 'mfa'])
      const key = ann.with({ key: new Authenticator({ be: false, bs: false }) })
      await stage.expectSignedIn(await key.register(), key, email)
      // Attaching a passkey proves nothing about the user: the session keeps its own proof.
      expect((await shown(ann.browser)).amr).to.deep.equal(['swk', 'user', 'mfa'])
      await key.signOut()
      advanceClock(10)
      await stage.expectSignedIn(await key.signIn(), key, email)
      expect(await shown(ann.browser)).to.deep.equal({ auth_time: seconds(), aal: 2, amr: ['hwk', 'user', 'mfa'] })
    })

    it('again at each sign-in', async () => {
      await start()
      const browser = stage.app.browser()
      await browser.signIn()
      advanceClock(100)
      await browser.signIn()
      expect(await shown(browser)).to.deep.equal({ auth_time: seconds(), aal: 1, amr: ['pwd'] })
    })
  })

  describe(`the methods that a provider reports, strategy ${strategy}`, () => {
    const stage = useStage()
    const start = (provider: Parameters<typeof stage.restart>[0] = {}) =>
      stage.restart(provider, { callbacks: showing, ...(strategy === 'database' && { adapter: memoryAdapter() }) })

    async function allOf(amr: unknown) {
      stage.provider.onToken = (body) => stage.provider.tokens(body, { amr })
      await stage.expectSignedIn(await stage.signIn())
      return shown(stage.browser)
    }
    const amrOf = async (amr: unknown) => (await allOf(amr)).reported_amr ?? []

    it('MF-13: are kept apart from those that were verified here', async () => {
      await start()
      const { amr, aal, reported_amr } = await allOf(['pwd', 'hwk', 'mfa'])
      expect({ amr, aal, reported_amr }).to.deep.equal({ amr: [], aal: 1, reported_amr: ['pwd', 'hwk', 'mfa'] })
    })

    it('count where `trustAmr` of the provider accepts them', async () => {
      await start({ trustAmr: ['hwk'] })
      const { amr, reported_amr } = await allOf(['pwd', 'hwk'])
      expect({ amr, reported_amr }).to.deep.equal({ amr: ['hwk'], reported_amr: ['pwd'] })
      await start({ trustAmr: true })
      expect((await allOf(['pwd', 'hwk'])).amr).to.deep.equal(['pwd', 'hwk'])
    })

    it('count in a sign-in that `trustAcr` accepts', async () => {
      await start({ trustAcr: ({ amr }) => (Array.isArray(amr) && amr.includes('mfa') ? 2 : 1) })
      const { amr, aal } = await allOf(['pwd', 'mfa'])
      expect({ amr, aal }).to.deep.equal({ amr: ['pwd', 'mfa'], aal: 2 })
    })

    it('are taken from the id_token, where it is a list of words', async () => {
      await start()
      expect(await amrOf(['pwd', 'otp', 'mfa'])).to.deep.equal(['pwd', 'otp', 'mfa'])
      expect(await amrOf(['urn:ietf:rfc:1', 'user.x', 'a-b'])).to.deep.equal(['urn:ietf:rfc:1', 'user.x', 'a-b'])
    })

    it('are empty if it returns none', async () => {
      await start()
      for (const amr of [undefined, null, 'mfa', { 0: 'mfa' }, [], [5, null, ['mfa']], ['m f a', 'x'.repeat(33)]]) {
        expect(await amrOf(amr), JSON.stringify(amr)).to.deep.equal([])
      }
    })

    it('fill no cookie', async () => {
      await start()
      expect(await amrOf(Array.from({ length: 5000 }, (_, at) => `m${at}`))).to.have.length(8)
    })
  })
}

describe('the sign-in facts of a JWT session', () => {
  let app: TestApp
  afterEach(() => app.close())

  it('cannot be set by the `jwt` callback or a client', async () => {
    app = await startApp({
      callbacks: {
        ...showing,
        jwt: ({ token, trigger, session }) => {
          token.amr?.toString()
          if (Array.isArray(token.amr)) token.amr.push('mfa')
          return trigger === 'update' ? { ...token, ...(session as object) } : token
        },
      },
    })
    const browser = app.browser()
    await browser.signIn()
    const before = await heldSession(browser)
    expect(before?.amr).to.deep.equal(['pwd'])
    await browser.submit('/auth/session', { data: { amr: ['hwk', 'mfa'], auth_time: 5 } })
    expect(await heldSession(browser)).to.deep.include({ amr: ['pwd'], auth_time: before?.auth_time })
    expect(await shown(browser)).to.deep.equal({ aal: 1, amr: ['pwd'], auth_time: before?.auth_time })
  })

  it('are unknown for a session from before they were stored, and stay unknown', async () => {
    app = await startApp({ callbacks: showing, session: { updateAge: 0 } })
    const browser = app.browser()
    await plantSession(browser, { sub: 'ann', sid: 'x'.repeat(22), auth_time: 1000 })
    expect(await shown(browser)).to.deep.equal({ aal: 1 })
    expect(await shown(browser)).to.deep.equal({ aal: 1 })
    await plantSession(browser, { sub: 'ann', sid: 'no session of ours', auth_time: 1000, amr: ['mfa'] })
    expect(await shown(browser), 'what another library calls amr and auth_time').to.deep.equal({ aal: 1 })
  })
})
