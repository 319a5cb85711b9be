/** Sign-in attempts: the values that were sent are required back, once, in time, in the same browser. */
import { expect } from 'chai'
import { startApp, target } from '../../support/app.js'
import { advanceClock, freezeClock } from '../../support/clock.js'
import type { TokenAnswer } from '../../support/hostile-provider.js'
import { useStage } from './stage.js'

const slot = 'auth.transaction.0'

describe('GET /auth/callback/:provider (transactions)', () => {
  const stage = useStage()

  /** Checks that no code was sent: the provider received no token request. */
  function expectNoTokenRequest() {
    expect(stage.provider.count('/token')).to.equal(0)
  }

  describe('state', () => {
    const noOpenSignIn = /no open sign-in for the returned state/
    const noState = /no state, or several/

    for (const checks of [undefined, ['state'], ['pkce'], ['none']]) {
      it(`ST-01 rejects a wrong state with \`checks: ${JSON.stringify(checks)}\``, async () => {
        await stage.restart(checks && { checks })
        await stage.expectRefused(await stage.signIn({ state: 'x'.repeat(43) }), 'InvalidCheck', noOpenSignIn)
        expectNoTokenRequest()
        expect(stage.transactions(), 'the attempt itself stays open').to.deep.equal([slot])
      })
    }

    it('ST-01 rejects the state of another browser, although its cookie is genuine', async () => {
      const theirs = await stage.begin()
      stage.newBrowser()
      await stage.begin()
      const response = await stage.browser.get(stage.provider.authorize(theirs))
      await stage.expectRefused(response, 'InvalidCheck', noOpenSignIn)
      expectNoTokenRequest()
    })

    for (const [what, state, reason] of [
      ['a missing', null, noState],
      ['an empty', '', noState],
    ] as const) {
      it(`ST-02 rejects ${what} state`, async () => {
        await stage.expectRefused(await stage.signIn({ state }), 'InvalidCheck', reason)
        expectNoTokenRequest()
      })
    }

    it('rejects a return without a code', async () => {
      await stage.expectRefused(await stage.signIn({ code: null }), 'OAuthCallbackError', /no authorization code/)
      expectNoTokenRequest()
    })

    it('answers JSON with 400 if JSON is requested', async () => {
      const callback = stage.provider.authorize(await stage.begin(), { state: 'other' })
      const { status, body } = await stage.browser.get(callback, { accept: 'application/json' })
      expect(status).to.equal(400)
      expect(body.error).to.equal('InvalidCheck')
      expect(body.message).to.match(/was already used/)
    })
  })

  describe('cookie', () => {
    const noOpenSignIn = /no open sign-in for the returned state/

    it('ST-03 is required, and a page says to start again', async () => {
      const callback = stage.provider.authorize(await stage.begin())
      const victim = stage.newBrowser()
      const response = await victim.get(callback)
      await stage.expectRefused(response, 'InvalidCheck', noOpenSignIn)
      expectNoTokenRequest()
      const page = await victim.get(target(response))
      expect(page.status).to.be.within(400, 499)
      expect(page.text).to.include('/auth/signin')
    })

    it('ST-12 is rejected with any byte flipped', async function () {
      this.timeout(60_000)
      const callback = stage.provider.authorize(await stage.begin())
      const genuine = stage.browser.cookies.get(slot) ?? ''
      const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
      for (const [at, character] of [...genuine].entries()) {
        const flipped = alphabet[(alphabet.indexOf(character) ^ 1) % 64] ?? 'A'
        stage.browser.cookies.set(slot, genuine.slice(0, at) + flipped + genuine.slice(at + 1))
        const response = await stage.browser.get(callback)
        expect(target(response), `byte ${at}`).to.equal(`${stage.app.origin}/auth/error?error=InvalidCheck`)
      }
      expectNoTokenRequest()
      expect(stage.app.log.errors).to.have.length(genuine.length)
      stage.app.log.errors.length = 0
      stage.browser.cookies.set(slot, genuine)
      await stage.expectSignedIn(await stage.browser.get(callback))
    })

    it('is rejected when spliced from two', async () => {
      const callback = stage.provider.authorize(await stage.begin())
      await stage.begin()
      const [first = '', second = ''] = [0, 1].map((at) => stage.browser.cookies.get(`auth.transaction.${at}`))
      const parts = first.split('.')
      for (const at of [0, 2, 3, 4]) {
        const spliced = parts.map((part, index) => (index === at ? second.split('.')[at] : part)).join('.')
        if (spliced === first) continue
        stage.browser.cookies.clear()
        stage.browser.cookies.set(slot, spliced)
        const response = await stage.browser.get(callback)
        expect(target(response), `part ${at}`).to.match(/error=InvalidCheck$/)
      }
      expectNoTokenRequest()
    })

    it('is still read after the secret was rotated', async () => {
      const callback = stage.provider.authorize(await stage.begin())
      const held = new Map(stage.browser.cookies)
      const old = stage.app.config.secret as string
      // The redirect URI holds the port, which a second application cannot share: the reply says how far it came.
      const second = await startApp({
        ...stage.app.config,
        secret: ['another-secret-of-more-than-32-characters', old],
      })
      const browser = second.browser()
      for (const [name, value] of held) browser.cookies.set(name, value)
      await browser.get(callback)
      await second.close()
      expect(stage.lastFault()).to.match(/another URL than the one the sign-in was started with/)
    })

    it('opens no session instead of the session cookie', async () => {
      await stage.begin()
      stage.browser.cookies.set('auth.session-token', stage.browser.cookies.get(slot) ?? '')
      expect(await stage.browser.session()).to.equal(null)
    })

    it('cannot be made of a session cookie', async () => {
      await stage.expectSignedIn(await stage.signIn())
      const session = stage.browser.cookies.get('auth.session-token') ?? ''
      stage.provider.requests.length = 0
      stage.newBrowser()
      const callback = stage.provider.authorize(await stage.begin())
      stage.browser.cookies.set(slot, session)
      expect(target(await stage.browser.get(callback))).to.match(/error=InvalidCheck$/)
      expectNoTokenRequest()
    })

    it('is cleared by the sign-in that used it, with the attributes it was set with', async () => {
      const response = await stage.signIn()
      await stage.expectSignedIn(response)
      const cleared = response.cookies.filter((line) => line.startsWith(`${slot}=`))
      expect(cleared).to.deep.equal([`${slot}=; Max-Age=0; Path=/auth; HttpOnly; SameSite=Lax`])
      expect(stage.transactions()).to.deep.equal([])
    })

    const failures: ReadonlyArray<[what: string, reason: RegExp, onToken: TokenAnswer]> = [
      ['the token endpoint refuses', /invalid_grant/, () => ({ status: 400, body: { error: 'invalid_grant' } })],
      ['the token endpoint is broken', /unexpected HTTP/, () => ({ status: 500, body: 'oops' })],
      ['the id_token is not good', /"aud"/, (body) => stage.provider.tokens(body, { aud: 'somebody-else' })],
    ]
    for (const [what, reason, onToken] of failures) {
      it(`is cleared when ${what}`, async () => {
        stage.provider.onToken = onToken
        await stage.expectRefused(await stage.signIn(), 'OAuthCallbackError', reason)
        expect(stage.transactions()).to.deep.equal([])
      })
    }

    it('is cleared when the provider answers with an error', async () => {
      const response = await stage.signIn({ code: null, error: 'access_denied' })
      await stage.expectCancelled(response)
      expect(stage.transactions()).to.deep.equal([])
      expectNoTokenRequest()
    })

    it('is cleared by each error code that means "Cancel", and no other error of the provider is a debug message', async () => {
      for (const error of ['user_cancelled_login', 'user_cancelled_authorize']) {
        await stage.restart()
        await stage.expectCancelled(await stage.signIn({ code: null, error }))
      }
      for (const error of ['server_error', 'invalid_scope', 'unauthorized_client', 'temporarily_unavailable']) {
        await stage.restart()
        await stage.expectRefused(await stage.signIn({ code: null, error }), 'OAuthCallbackError', new RegExp(error))
      }
      await stage.restart()
      stage.provider.onToken = () => ({ status: 400, body: { error: 'access_denied' } })
      await stage.expectRefused(await stage.signIn(), 'OAuthCallbackError', /access_denied/)
    })

    it('has the secure prefix on https', async () => {
      await stage.leave()
      const app = await startApp({ providers: [stage.config()] }, { trustProxy: true })
      const browser = app.browser()
      browser.headers['x-forwarded-proto'] = 'https'
      const response = await browser.submit('/auth/signin/test')
      await app.close()
      const [line] = response.cookies.filter((each) => each.includes('transaction'))
      expect(line).to.match(/^__Secure-auth\.transaction\.0=.*; Path=\/auth; .*HttpOnly; Secure; SameSite=Lax$/)
    })
  })

  describe('single use', () => {
    it('ST-04 rejects the same callback again, requests no second token, and keeps the session', async () => {
      const callback = stage.provider.authorize(await stage.begin())
      const held = stage.browser.cookies.get(slot) ?? ''
      await stage.expectSignedIn(await stage.browser.get(callback))
      const session = stage.browser.cookies.get('auth.session-token')
      for (const cookie of [undefined, held]) {
        if (cookie !== undefined) stage.browser.cookies.set(slot, cookie)
        // A signed-in user continues, as after a reload.
        expect(target(await stage.browser.get(callback))).to.equal(`${stage.app.origin}/welcome`)
        expect(stage.lastFault()).to.equal('')
        const stranger = stage.app.browser()
        if (cookie !== undefined) {
          stranger.cookies.set(slot, cookie)
          stranger.cookies.set('auth.browser', stage.browser.cookies.get('auth.browser') ?? '')
        }
        expect(target(await stranger.get(callback))).to.match(/error=InvalidCheck$/)
        expect(stage.lastFault()).to.match(cookie === undefined ? /no open sign-in/ : /was completed before/)
        stage.app.log.errors.length = 0
      }
      expect(stage.provider.count('/token')).to.equal(1)
      expect(stage.browser.cookies.get('auth.session-token')).to.equal(session)
      expect(await stage.browser.session()).to.have.property('user')
      expect(stage.signedIn).to.have.length(1)
    })

    it('rejects another code for a used attempt', async () => {
      const url = await stage.begin()
      const held = stage.browser.cookies.get(slot) ?? ''
      await stage.expectSignedIn(await stage.browser.get(stage.provider.authorize(url)))
      const known = stage.browser.cookies.get('auth.browser') ?? ''
      stage.newBrowser().cookies.set(slot, held)
      stage.browser.cookies.set('auth.browser', known)
      const response = await stage.browser.get(stage.provider.authorize(url))
      await expectOnlyCompletedBefore(target(response))
      expect(stage.provider.count('/token')).to.equal(1)
    })

    it('counts a failed attempt as used too', async () => {
      stage.provider.onToken = () => ({ status: 500, body: 'oops' })
      const callback = stage.provider.authorize(await stage.begin())
      const held = stage.browser.cookies.get(slot) ?? ''
      await stage.browser.get(callback)
      stage.browser.cookies.set(slot, held)
      const again = await stage.browser.get(callback)
      await expectOnlyCompletedBefore(target(again))
      expect(stage.provider.count('/token')).to.equal(1)
    })

    async function expectOnlyCompletedBefore(location: string) {
      expect(location).to.equal(`${stage.app.origin}/auth/error?error=InvalidCheck`)
      expect(stage.lastFault()).to.match(/was completed before/)
      expect(await stage.browser.session()).to.equal(null)
    }

    it('is not touched by HEAD', async () => {
      const callback = stage.provider.authorize(await stage.begin())
      const head = await stage.browser.send('head', callback)
      expect(head.status).to.equal(200)
      expect(head.headers).not.to.have.property('set-cookie')
      expectNoTokenRequest()
      await stage.expectSignedIn(await stage.browser.get(callback))
    })
  })

  describe('several attempts', () => {
    it('has five slots, and the oldest makes room', async () => {
      const urls: string[] = []
      freezeClock()
      for (let attempt = 0; attempt < 7; attempt++) {
        advanceClock(1)
        urls.push(await stage.begin())
        expect(stage.transactions().length).to.be.at.most(5)
      }
      expect(stage.transactions()).to.have.members([0, 1, 2, 3, 4].map((at) => `auth.transaction.${at}`))
      for (const url of urls.slice(0, 2)) {
        expect(target(await stage.browser.get(stage.provider.authorize(url)))).to.match(/error=InvalidCheck$/)
      }
      stage.app.log.errors.length = 0
      for (const url of urls.slice(2))
        await stage.expectSignedIn(await stage.browser.get(stage.provider.authorize(url)))
      expect(stage.provider.count('/token')).to.equal(5)
      expect(stage.transactions()).to.deep.equal([])
    })

    it('keeps every cookie small enough for five of them with the longest callback URL', async () => {
      // As a cookie holds it: encoded.
      const long = `/${'x'.repeat(1024 - encodeURIComponent(`${stage.app.origin}/`).length)}`
      for (let attempt = 0; attempt < 6; attempt++) {
        const response = await stage.browser.submit('/auth/signin/test', { callbackUrl: long })
        expect(response.status).to.equal(303)
      }
      const held = stage.transactions().map((name) => stage.browser.cookies.get(name)?.length ?? 0)
      expect(held).to.have.length(5)
      for (const length of held) expect(length).to.be.below(3000)
      const url = target(await stage.browser.submit('/auth/signin/test', { callbackUrl: long }))
      const response = await stage.browser.get(stage.provider.authorize(url))
      expect(target(response)).to.equal(`${stage.app.origin}${long}`)
    })

    it('uses the default page for a callback URL over 1,024 characters', async () => {
      const long = `/${'x'.repeat(1024 - stage.app.origin.length)}`
      const url = target(await stage.browser.submit('/auth/signin/test', { callbackUrl: long }))
      expect((stage.browser.cookies.get(slot) ?? '').length).to.be.below(1000)
      const response = await stage.browser.get(stage.provider.authorize(url))
      expect(target(response)).to.equal(`${stage.app.origin}/`)
      expect(await stage.browser.session()).to.have.property('user')
    })

    it('ST-07 sends 50 parallel starts of one browser to the provider, with five cookies at most', async () => {
      const csrfToken = await stage.browser.csrf()
      const responses = await Promise.all(
        Array.from({ length: 50 }, () => stage.browser.post('/auth/signin/test', { csrfToken })),
      )
      for (const response of responses) expect(response.status).to.equal(303)
      expect(stage.transactions().length).to.be.within(1, 5)
      await stage.expectSignedIn(await stage.signIn())
    })

    it('treats a slot whose cookie it cannot read as free', async () => {
      stage.browser.cookies.set(slot, 'garbage')
      await stage.expectSignedIn(await stage.signIn())
    })

    it('goes to the callback URL of the attempt that came back, whatever the cookie says now', async () => {
      const csrf = await stage.browser.csrf()
      const start = async (callbackUrl: string) =>
        target(await stage.browser.post('/auth/signin/test', { csrfToken: csrf, callbackUrl }))
      const first = await start('/first')
      const second = await start('/second')
      stage.browser.cookies.set('auth.callback-url', encodeURIComponent('https://evil.test/'))
      const landed = async (url: string) => target(await stage.browser.get(stage.provider.authorize(url)))
      expect(await landed(first)).to.equal(`${stage.app.origin}/first`)
      expect(await landed(second)).to.equal(`${stage.app.origin}/second`)
    })
  })

  describe('a sign-in that fails', () => {
    it('keeps the session that was there', async () => {
      await stage.expectSignedIn(await stage.signIn())
      const session = stage.browser.cookies.get('auth.session-token')
      const before = await stage.browser.session()
      stage.provider.onToken = () => ({ status: 500, body: 'oops' })
      const response = await stage.signIn()
      expect(target(response)).to.equal(`${stage.app.origin}/auth/signin?error=OAuthCallbackError`)
      expect(String(response.headers['set-cookie'])).not.to.include('session-token')
      expect(stage.browser.cookies.get('auth.session-token')).to.equal(session)
      expect(await stage.browser.session()).to.deep.equal(before)
    })

    it('can be started again immediately', async () => {
      stage.provider.onToken = () => ({ status: 500, body: 'oops' })
      await stage.expectRefused(await stage.signIn(), 'OAuthCallbackError', /unexpected HTTP/)
      stage.app.log.errors.length = 0
      stage.provider.onToken = (body) => stage.provider.tokens(body)
      await stage.expectSignedIn(await stage.signIn())
    })
  })
})
