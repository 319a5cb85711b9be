/** `server-auth/client/webauthn` in a custom page: real browser, virtual authenticator, a server that is a stub. */
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { isPasskeySupported, registerPasskey, signInWithPasskey } from '../../lib/client/webauthn.js'
import { describeInBrowser, type OpenPage } from '../support/browser.js'
import { type Authenticator, addAuthenticator, begin, call, optionsFor, useSite } from './webauthn-stage.js'

const stay = { redirect: false }

/** The answer of a passkey, as it reaches the callback. */
function answerIn(data: string | undefined): { id: string; type: string; response: Record<string, unknown> } {
  return JSON.parse(data ?? 'null')
}

describe('server-auth/client/webauthn on a server', () => {
  it('can be loaded, and reports that there are no passkeys', async () => {
    expect(isPasskeySupported()).to.equal(false)
    for (const result of [await signInWithPasskey(), await registerPasskey({ email: 'ada@example.com' })]) {
      expect(result).to.include({ ok: false, reason: 'unsupported' })
    }
  })
})

describeInBrowser('server-auth/client/webauthn', (open) => {
  const site = useSite()

  async function start(opened?: OpenPage): Promise<OpenPage & { authenticator: Authenticator }> {
    const { page, ...rest } = opened ?? (await open())
    const authenticator = await addAuthenticator(page)
    await page.goto(site.url('/module'))
    return { page, authenticator, ...rest }
  }

  describe('signInWithPasskey(options)', () => {
    it('requests options, and posts the answer of the passkey', async () => {
      const { page, authenticator, problems } = await start()
      const id = await authenticator.addPasskey()
      const result = await call(page, 'signInWithPasskey', { ...stay, redirectTo: '/orders' })
      expect(result).to.deep.equal({ ok: true, url: site.url('/done') })
      expect(site.asked).to.deep.equal([{ url: '/auth/webauthn-options/passkey', action: 'authenticate' }])
      const [{ data, ...posted } = {}, ...others] = site.posted
      expect(others).to.deep.equal([])
      expect(posted).to.deep.equal({
        url: '/auth/callback/passkey',
        csrfToken: 'a-token',
        callbackUrl: '/orders',
        action: 'authenticate',
      })
      const answer = answerIn(data)
      expect(answer).to.include({ id, type: 'public-key' })
      expect(answer.response).to.include.all.keys('authenticatorData', 'clientDataJSON', 'signature', 'userHandle')
      expect(site.headers[0]).to.include({ 'x-auth-return-redirect': '1', accept: 'application/json' })
      expect(page.url()).to.equal(site.url('/module'))
      expect(problems).to.deep.equal([])
    })

    it('leaves for the URL in the server’s answer', async () => {
      const { page, authenticator } = await start()
      await authenticator.addPasskey()
      await begin(page, 'signInWithPasskey')
      await page.waitForURL(site.url('/done'))
      expect(site.posted[0]).to.include({ callbackUrl: site.url('/module') })
    })

    it('returns to this page without the error of an earlier attempt', async () => {
      const { page, authenticator } = await start()
      await authenticator.addPasskey()
      await page.goto(site.url('/module?a=1&error=AccessDenied&code=x&reference=y'))
      await call(page, 'signInWithPasskey', stay)
      expect(site.posted[0]).to.include({ callbackUrl: site.url('/module?a=1') })
    })

    it('loads the page again if only the part behind # differs', async () => {
      const { page, authenticator } = await start()
      await authenticator.addPasskey()
      site.callback = (_request, response) => void response.json({ url: site.url('/module#orders') })
      await page.evaluate(() => Reflect.set(window, 'before', true))
      await begin(page, 'signInWithPasskey')
      await page.waitForFunction(() => !Reflect.has(window, 'before'))
      expect(page.url()).to.equal(site.url('/module#orders'))
    })

    it('names the provider, the mount, and the user of the passkeys', async () => {
      const { page, authenticator } = await start()
      await authenticator.addPasskey()
      const options = { ...stay, provider: 'a key', basePath: '/elsewhere/auth/', email: 'ada@example.com' }
      expect(await call(page, 'signInWithPasskey', options)).to.include({ ok: true })
      const url = '/elsewhere/auth/webauthn-options/a%20key'
      expect(site.asked).to.deep.equal([{ url, action: 'authenticate', email: 'ada@example.com' }])
      expect(site.posted[0]).to.include({ url: '/elsewhere/auth/callback/a%20key' })
    })

    it('finds the mount of a Next.js page', async () => {
      const opened = await open()
      await opened.page.addInitScript(() => Reflect.set(window, '__next_f', []))
      const { page, authenticator } = await start(opened)
      await authenticator.addPasskey()
      expect(await call(page, 'signInWithPasskey', stay)).to.include({ ok: true })
      expect(site.posted[0]).to.include({ url: '/api/auth/callback/passkey' })
    })

    it('works if the server has switched the CSRF check off', async () => {
      const { page, authenticator } = await start()
      await authenticator.addPasskey()
      site.csrf = (_request, response) => void response.status(404).end()
      expect(await call(page, 'signInWithPasskey', stay)).to.include({ ok: true })
      expect(site.posted[0]).to.include({ csrfToken: '' })
    })
  })

  describe('registerPasskey(options)', () => {
    it('creates a passkey for a new account', async () => {
      const { page, authenticator, problems } = await start()
      const who = { email: 'ada@example.com', name: 'Ada', fields: { company: 'Acme & Co' } }
      const result = await call(page, 'registerPasskey', { ...stay, ...who })
      expect(result).to.deep.equal({ ok: true, url: site.url('/done') })
      expect(await authenticator.passkeys()).to.equal(1)
      const [asked] = site.asked
      expect(asked).to.include({ action: 'register', email: who.email, name: who.name, ...who.fields })
      expect(site.posted[0]).to.include({ action: 'register' })
      const { response } = answerIn(site.posted[0]?.data)
      expect(response).to.include.all.keys('attestationObject', 'clientDataJSON', 'transports')
      expect(problems).to.deep.equal([])
    })

    it('needs no fields if a user is signed in', async () => {
      const { page } = await start()
      expect(await call(page, 'registerPasskey', stay)).to.include({ ok: true })
      expect(site.asked).to.deep.equal([{ url: '/auth/webauthn-options/passkey', action: 'register' }])
    })

    it('reports that the device has one already', async () => {
      const { page, authenticator } = await start()
      site.credentials = [{ id: await authenticator.addPasskey(), type: 'public-key' }]
      const result = await call(page, 'registerPasskey', stay)
      expect(result).to.include({ ok: false, reason: 'already-registered' })
      expect(result)
        .to.have.property('message')
        .that.matches(/already has a passkey/)
      expect(site.posted).to.deep.equal([])
    })
  })

  describe('rejections by a user or the browser', () => {
    it('cancelled, too slow, or no passkey: browsers do not distinguish them, and neither does the result', async () => {
      const { page, authenticator } = await start()
      const none = await call(page, 'signInWithPasskey', stay)
      await authenticator.addPasskey()
      await authenticator.set({ verified: false })
      const refused = await call(page, 'signInWithPasskey', stay)
      for (const result of [none, refused]) {
        expect(result).to.deep.include({ ok: false, reason: 'cancelled' })
        expect(result)
          .to.have.property('message')
          .that.matches(/cancelled, took too long, or found no passkey/)
      }
      const unmade = await call(page, 'registerPasskey', stay)
      expect(unmade).to.deep.include({ ok: false, reason: 'cancelled' })
      expect(unmade)
        .to.have.property('message')
        .that.matches(/^No passkey was made: this was cancelled/)
      expect(site.posted).to.deep.equal([])
    })

    it('returns the thrown error to developers', async () => {
      const { page } = await start()
      const name = page.evaluate(async () => {
        const { cause } = await Reflect.get(window, 'passkeys').signInWithPasskey()
        return cause.name
      })
      expect(await name).to.equal('NotAllowedError')
    })

    it('a passkey of another domain than the page', async () => {
      const { page } = await start()
      await page.goto(site.url('/module', '127.0.0.1'))
      for (const name of ['signInWithPasskey', 'registerPasskey']) {
        const result = await call(page, name, stay)
        expect(result).to.include({ ok: false, reason: 'insecure' })
        expect(result)
          .to.have.property('message')
          .that.matches(/beginning with https/)
      }
    })

    const missing = { unsupported: true, insecure: false }
    for (const [reason, isSecureContext] of Object.entries(missing)) {
      it(`a browser without passkeys: ${reason}`, async () => {
        const { page } = await open()
        await page.addInitScript((isSecureContext) => {
          Reflect.deleteProperty(window, 'PublicKeyCredential')
          Object.defineProperty(window, 'isSecureContext', { value: isSecureContext })
        }, isSecureContext)
        await page.goto(site.url('/module'))
        expect(await page.evaluate('[passkeys.isPasskeySupported()]')).to.deep.equal([false])
        expect(await page.evaluate('passkeys.isPasskeyAutofillSupported()')).to.equal(false)
        for (const [name, options] of [
          ['signInWithPasskey', {}],
          ['signInWithPasskey', { autofill: true }],
          ['registerPasskey', {}],
        ] as const) {
          expect(await call(page, name, { ...stay, ...options })).to.include({ ok: false, reason })
        }
        expect(site.asked).to.deep.equal([])
      })
    }

    it('and a browser that has passkeys is reported as such', async () => {
      const { page } = await start()
      expect(await page.evaluate('passkeys.isPasskeySupported()')).to.equal(true)
      expect(await page.evaluate('passkeys.isPasskeyAutofillSupported()')).to.equal(true)
    })

    it('a kind of passkey that the device cannot create', async () => {
      const { page } = await start()
      site.options = (_request, response) => {
        const options = { ...optionsFor('register', site), pubKeyCredParams: [{ type: 'of-the-future', alg: -7 }] }
        response.json({ action: 'register', options })
      }
      expect(await call(page, 'registerPasskey', stay)).to.include({ ok: false, reason: 'unsupported' })
    })

    it('a page that may not use passkeys', async () => {
      site.permissions = 'publickey-credentials-get=(), publickey-credentials-create=()'
      const { page } = await start()
      for (const name of ['signInWithPasskey', 'registerPasskey']) {
        expect(await call(page, name, stay)).to.include({ ok: false, reason: 'not-allowed' })
      }
    })
  })

  describe('rejections by the server', () => {
    const sentence = 'There is an account with this address. Sign in to it first.'

    it('options: with its own sentence', async () => {
      const { page } = await start()
      site.options = (_request, response) =>
        void response.status(403).json({ error: 'AccessDenied', message: sentence })
      expect(await call(page, 'registerPasskey', stay)).to.deep.include({
        ok: false,
        reason: 'refused',
        error: 'AccessDenied',
        message: sentence,
      })
    })

    const answers: ReadonlyArray<[name: string, status: number, body: string]> = [
      ['a page of a proxy', 502, '<h1>Bad gateway</h1>'],
      ['no options', 200, '{}'],
      ['null', 200, 'null'],
      [
        'options of the other ceremony',
        200,
        JSON.stringify({ action: 'register', options: optionsFor('register', { credentials: [] }) }),
      ],
      ['options without a challenge', 200, '{"action":"authenticate","options":{"challenge":1}}'],
      ['no JSON', 200, 'hello'],
    ]
    for (const [name, status, body] of answers) {
      it(`options: ${name}`, async () => {
        const { page, authenticator } = await start()
        await authenticator.addPasskey()
        site.options = (_request, response) => void response.status(status).send(body)
        const result = await call(page, 'signInWithPasskey', stay)
        expect(result).to.include({ ok: false, reason: 'refused' })
        expect(result)
          .to.have.property('message')
          .that.matches(/^The site .*[Pp]lease try again/)
        expect(site.posted).to.deep.equal([])
      })
    }

    it('the answer: by the query of the URL', async () => {
      const { page, authenticator } = await start()
      await authenticator.addPasskey()
      const url = site.url('/auth/error?error=WebAuthnVerificationError')
      site.callback = (_request, response) => void response.json({ url })
      const result = await call(page, 'signInWithPasskey')
      expect(result).to.include({ ok: false, reason: 'refused', error: 'WebAuthnVerificationError', url })
      expect(page.url()).to.equal(site.url('/module'))
    })

    it('the answer: by a status', async () => {
      const { page, authenticator } = await start()
      await authenticator.addPasskey()
      site.callback = (_request, response) =>
        void response.status(403).json({ error: 'MissingCSRF', message: sentence })
      const result = await call(page, 'signInWithPasskey')
      expect(result).to.include({ ok: false, reason: 'refused', error: 'MissingCSRF', message: sentence })
    })

    for (const [what, answer, left] of [
      ['refuses it', (_request, response) => void response.status(403).json({ error: 'AccessDenied', message: '' }), 0],
      [
        'says so by an URL',
        (_request, response) => void response.json({ url: '/auth/error?error=AccountNotLinked' }),
        0,
      ],
      ['takes it', (_request, response) => void response.json({ url: '/done' }), 1],
      ['has a problem', (_request, response) => void response.status(503).json({ error: 'AdapterError' }), 1],
      ['says that it has a problem', (_request, response) => void response.json({ url: '/e?error=Configuration' }), 1],
      ['says nothing that can be read', (_request, response) => void response.status(403).send('<h1>proxy</h1>'), 1],
      ['hangs up', (request) => void request.socket.destroy(), 1],
    ] satisfies ReadonlyArray<readonly [string, typeof site.callback, number]>) {
      it(`a new passkey: the device ${left ? 'keeps' : 'drops'} it where the server ${what}`, async () => {
        const { page, authenticator } = await start()
        site.callback = answer
        await call(page, 'registerPasskey', stay)
        expect(await authenticator.passkeys()).to.equal(left)
      })
    }

    it('an older passkey: the device keeps it', async () => {
      const { page, authenticator } = await start()
      await authenticator.addPasskey()
      site.callback = (_request, response) => void response.status(403).json({ error: 'AccessDenied' })
      expect(await call(page, 'signInWithPasskey')).to.include({ ok: false, reason: 'refused' })
      expect(await authenticator.passkeys()).to.equal(1)
    })

    it('none, if the page to return to has an `error` of its own', async () => {
      const { page, authenticator } = await start()
      await authenticator.addPasskey()
      const url = site.url('/done?error=of-the-application')
      site.callback = (_request, response) => void response.json({ url })
      const result = await call(page, 'signInWithPasskey', { ...stay, redirectTo: '/done?error=of-the-application' })
      expect(result).to.deep.equal({ ok: true, url })
    })

    for (const url of ['javascript:document.title="hurt"', 'data:text/html,x', 'http://[', 42, undefined]) {
      it(`and the page never leaves for ${JSON.stringify(url)}`, async () => {
        const { page, authenticator } = await start()
        await authenticator.addPasskey()
        site.callback = (_request, response) => void response.json({ url })
        const result = await call(page, 'signInWithPasskey')
        expect(result).to.include({ ok: false, reason: 'refused' })
        expect([await page.title(), page.url()]).to.deep.equal(['Module', site.url('/module')])
      })
    }

    it('a server that does not answer', async () => {
      const { page, authenticator } = await start()
      await authenticator.addPasskey()
      const hangUp = (request: { socket: { destroy(): void } }) => request.socket.destroy()
      for (const endpoint of ['options', 'csrf', 'callback'] as const) {
        site.reset()
        site[endpoint] = hangUp
        const result = await call(page, 'signInWithPasskey', stay)
        expect(result, endpoint).to.include({ ok: false, reason: 'network' })
        expect(result)
          .to.have.property('message')
          .that.matches(/could not be reached/)
      }
    })
  })

  it('ends the wait for a server that never answers, and the next call works', async () => {
    const { page, authenticator } = await start()
    await authenticator.addPasskey()
    await page.evaluate(() => {
      const timeout = AbortSignal.timeout.bind(AbortSignal)
      AbortSignal.timeout = (milliseconds) => timeout(milliseconds / 100)
    })
    for (const endpoint of ['options', 'csrf', 'callback'] as const) {
      site.reset()
      site[endpoint] = () => undefined
      expect(await call(page, 'signInWithPasskey', stay), endpoint).to.include({ ok: false, reason: 'network' })
    }
    site.reset()
    expect(await call(page, 'signInWithPasskey', stay)).to.include({ ok: true })
  })

  it('sends nothing if the token cannot be loaded, which does not mean that the check is off', async () => {
    const { page, authenticator } = await start()
    await authenticator.addPasskey()
    site.csrf = (_request, response) => void response.status(503).json({ error: 'AdapterError', message: 'Later.' })
    const result = await call(page, 'signInWithPasskey', stay)
    expect(result).to.deep.include({ ok: false, reason: 'refused', error: 'AdapterError', message: 'Later.' })
    expect(site.posted).to.deep.equal([])
  })

  describe('signal', () => {
    /** Calls with a signal, and aborts it once `when` is fulfilled. */
    async function abortedWhen(page: Page, options: object, when: () => Promise<unknown>): Promise<unknown> {
      await page.evaluate((options) => {
        const controller = new AbortController()
        Reflect.set(window, 'controller', controller)
        const { signInWithPasskey } = Reflect.get(window, 'passkeys')
        Reflect.set(window, 'result', signInWithPasskey({ ...options, signal: controller.signal }))
      }, options)
      await when()
      return page.evaluate(async () => {
        Reflect.get(window, 'controller').abort()
        const { ok, reason } = await Reflect.get(window, 'result')
        return { ok, reason }
      })
    }
    const aborted = { ok: false, reason: 'aborted' }

    it('stops a call that has not begun', async () => {
      const { page } = await start()
      const result = page.evaluate(() =>
        Reflect.get(window, 'passkeys').signInWithPasskey({ signal: AbortSignal.abort() }),
      )
      expect(await result).to.include(aborted)
      expect(site.asked).to.deep.equal([])
    })

    it('stops the request for options', async () => {
      const { page } = await start()
      site.options = () => undefined
      expect(await abortedWhen(page, {}, () => asked(1))).to.deep.equal(aborted)
    })

    for (const autofill of [false, true]) {
      it(`stops ${autofill ? 'the wait for a suggestion to be picked' : 'the dialog'}, and the next one works`, async () => {
        const { page, authenticator } = await start()
        await authenticator.addPasskey()
        await authenticator.set({ present: false })
        expect(await abortedWhen(page, { autofill }, () => requested(page))).to.deep.equal(aborted)
        expect(site.posted).to.deep.equal([])
        await authenticator.set({ present: true })
        expect(await call(page, 'signInWithPasskey', stay)).to.include({ ok: true })
      })
    }

    it('is not missed while the browser is asked whether it can suggest passkeys', async () => {
      const { page, authenticator } = await start()
      await authenticator.addPasskey()
      await authenticator.set({ present: false })
      await page.evaluate(() => {
        const ask = PublicKeyCredential.isConditionalMediationAvailable.bind(PublicKeyCredential)
        let asked = 0
        PublicKeyCredential.isConditionalMediationAvailable = async () => {
          asked += 1
          // The first is ours. The second is the library's, which begins when it has its answer.
          if (asked === 2) Reflect.get(window, 'controller').abort()
          return ask()
        }
      })
      expect(await abortedWhen(page, { autofill: true }, () => requested(page))).to.deep.equal(aborted)
    })
  })

  describe('one at a time', () => {
    it('a button ends the wait for a suggestion, and then has the browser for itself', async () => {
      const { page, authenticator } = await start()
      await authenticator.addPasskey()
      await authenticator.set({ present: false })
      await begin(page, 'signInWithPasskey', { autofill: true })
      await requested(page)
      await authenticator.set({ present: true })
      expect(await call(page, 'signInWithPasskey', stay)).to.include({ ok: true })
      expect(await ended(page)).to.deep.include({ ok: false, reason: 'aborted' })
      expect(site.posted).to.have.length(1)
    })

    it('of two simultaneous calls the second one wins, and its challenge is the last that was requested', async () => {
      const { page, authenticator } = await start()
      await authenticator.addPasskey()
      const results = await page.evaluate(async () => {
        const { signInWithPasskey } = Reflect.get(window, 'passkeys')
        const calls = ['first', 'second', 'third'].map((email) => signInWithPasskey({ redirect: false, email }))
        return (await Promise.all(calls)).map(({ ok, reason }) => reason ?? ok)
      })
      expect(results).to.deep.equal(['aborted', 'aborted', true])
      expect(site.asked.at(-1)).to.include({ email: 'third' })
      expect(site.posted).to.have.length(1)
    })
  })

  describe('autofill', () => {
    it('signs in with the picked passkey', async () => {
      const { page, authenticator } = await start()
      await authenticator.addPasskey()
      expect(await call(page, 'signInWithPasskey', { ...stay, autofill: true })).to.include({ ok: true })
      expect(site.posted[0]).to.include({ action: 'authenticate' })
    })

    it('requests a new challenge before the old one has expired', async () => {
      const opened = await open()
      await opened.page.clock.install()
      const { page, authenticator } = await start(opened)
      await authenticator.addPasskey()
      await authenticator.set({ present: false })
      await begin(page, 'signInWithPasskey', { ...stay, autofill: true })
      await requested(page)
      await page.clock.runFor('09:59')
      expect(site.asked).to.have.length(1)
      await page.clock.runFor('00:02')
      await requested(page, 2)
      await authenticator.set({ present: true })
      await page.clock.runFor('10:01')
      expect(await ended(page)).to.include({ ok: true })
      expect(site.asked).to.have.length(3)
    })

    it('and after the computer has slept, when the page is visible again', async () => {
      const opened = await open()
      await opened.page.clock.install()
      const { page, authenticator } = await start(opened)
      await authenticator.addPasskey()
      await authenticator.set({ present: false })
      await begin(page, 'signInWithPasskey', { ...stay, autofill: true })
      await requested(page)
      const look = () => page.evaluate(() => void document.dispatchEvent(new Event('visibilitychange')))
      await look()
      expect(site.asked).to.have.length(1)
      await page.clock.setSystemTime(Date.now() + 60 * 60 * 1000)
      await look()
      await requested(page, 2)
      expect(site.asked).to.have.length(2)
    })

    it('ends if no passkey can be suggested, or the server rejects', async () => {
      const { page, authenticator } = await start()
      expect(await call(page, 'signInWithPasskey', { autofill: true })).to.include({ ok: false, reason: 'cancelled' })
      await authenticator.addPasskey()
      site.options = (_request, response) => void response.status(429).json({ error: 'TooManyRequests' })
      expect(await call(page, 'signInWithPasskey', { autofill: true })).to.include({ reason: 'refused' })
    })
  })

  /** Waits until the server received that many requests. */
  async function asked(times: number): Promise<void> {
    while (site.asked.length < times) await new Promise((resolve) => setTimeout(resolve, 10))
  }

  /** Waits until the browser received that many requests. The first of them may be on its way. */
  async function requested(page: Page, times = 1): Promise<void> {
    await page.waitForFunction((times) => Reflect.get(window, 'requests') >= times, times)
  }

  /** Returns the result of the call that was started. */
  function ended(page: Page): Promise<{ ok: boolean; reason?: string }> {
    return page.evaluate(async () => {
      const { ok, reason } = await Reflect.get(window, 'begun')
      return { ok, reason }
    })
  }
})
