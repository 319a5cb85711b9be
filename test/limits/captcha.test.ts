/**
 * Captchas: required only after failures, checked by a service on loopback, and never skipped because of its outage.
 * Through both doors.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { inspect } from 'node:util'
import { expect } from 'chai'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import { InvalidConfiguration } from '../../lib/errors.js'
import type { CaptchaContext, CaptchaOptions } from '../../lib/features/limits/captcha-types.js'
import { friendly, hcaptcha, turnstile } from '../../lib/features/limits/index.js'
import { ServerAuth } from '../../lib/server-auth.js'
import type { FullStackAuthConfig, ServerAuthConfig } from '../../lib/types/config.js'
import { credentials } from '../support/app.js'
import { type LoopbackServer, startLoopbackServer } from '../support/loopback-server.js'
import { base, doors, type LimitStage, openLimitStage } from './stage.js'

const keys = { siteKey: 'site-key', secretKey: 'secret-key' }
const secret = 'a-secret-for-tests-of-at-least-32-chars'
const json = { 'content-type': 'application/json' }

/** Behaves as the three services document their `siteverify`. Each token works once. */
class Service {
  readonly used = new Set<string>()
  asked = 0
  #server: LoopbackServer | undefined
  /** A handler that answers instead of the usual one. */
  fault: ((response: ServerResponse) => void) | undefined

  async start() {
    this.#server = await startLoopbackServer((request, response) => void this.#answer(request, response))
  }
  get endpoint() {
    return `${this.#server?.origin}/siteverify`
  }
  close = () => this.#server?.close()

  async #answer(request: IncomingMessage, response: ServerResponse) {
    this.asked += 1
    const body = await text(request)
    if (request.url === '/elsewhere') return void response.writeHead(200, json).end('{"success":true}')
    if (this.fault) return this.fault(response)
    const isJson = request.headers['content-type'] === 'application/json'
    const fields = isJson ? JSON.parse(body) : Object.fromEntries(new URLSearchParams(body))
    const secret = request.headers['x-api-key'] ?? fields.secret
    const isGood = fields.response.startsWith('good') && !this.used.has(fields.response)
    this.used.add(fields.response)
    const told = { hostname: 'app.test', action: 'login', data: { challenge: { origin: 'app.test' } } }
    if (isJson && secret !== keys.secretKey) return void response.writeHead(401, json).end('{"success":false}')
    const codes = secret === keys.secretKey ? 'timeout-or-duplicate' : 'invalid-input-secret'
    const answer =
      isGood && secret === keys.secretKey ? { success: true, ...told } : { success: false, 'error-codes': [codes] }
    response.writeHead(200, json).end(JSON.stringify(answer))
  }
}

const told = { rule: 'credentials', provider: 'x', host: 'app.test', request: {} } as const

const rejects = async (options: CaptchaOptions) => {
  try {
    await options.verify('good', told)
    return false
  } catch {
    return true
  }
}

describe('the captcha services', () => {
  const service = new Service()
  before(() => service.start())
  after(() => service.close())
  afterEach(() => {
    service.fault = undefined
    service.used.clear()
  })

  const faults: Record<string, (response: ServerResponse) => void> = {
    'is down': (response) => void response.destroy(),
    'answers 500': (response) => void response.writeHead(500).end('{"success":true}'),
    'answers garbage': (response) => void response.end('<html>'),
    'answers a text for success': (response) => void response.end('{"success":"true"}'),
    'answers too much': (response) => void response.end(`{"success":true,"x":"${'x'.repeat(70_000)}"}`),
    redirects: (response) => void response.writeHead(307, { location: '/elsewhere' }).end(),
  }

  for (const [name, make] of Object.entries({ turnstile, hcaptcha, friendly })) {
    const made = (more: object = {}) => make({ ...keys, endpoint: service.endpoint, ...more })

    it(`${name} accepts a valid token once, and no other`, async () => {
      expect([await made().verify('good', told), await made().verify('good', told)]).to.deep.equal([true, false])
      expect(await made().verify('bad', told)).to.equal(false)
    })

    it(`${name} compares the host if required`, async () => {
      expect(await made({ hostname: 'app.test' }).verify('good-1', told)).to.equal(true)
      expect(await made({ hostname: 'other.test' }).verify('good-2', told)).to.equal(false)
    })

    it(`${name} does not treat a wrong secret key as a rejection, and rejects invalid keys`, async () => {
      expect(await rejects(made({ secretKey: 'wrong' }))).to.equal(true)
      expect(() => made({ secretKey: '' })).to.throw(TypeError, `${name}: pass`)
      // Of such a header, the message of an error would have all.
      for (const secretKey of ['hid\nden', 'hidden\n', 'hidden key', 'hiddén']) {
        expect(() => made({ secretKey })).to.throw(TypeError, /^(?!.*hid).*letters, digits and signs/)
      }
      expect(() => made({ endpoint: 'nowhere' })).to.throw(TypeError, 'endpoint')
    })

    it(`${name} repeats nothing of an answer that is no JSON`, async () => {
      service.fault = (response) => void response.end('key=hidden')
      const thrown: unknown = await Promise.resolve(made().verify('good', told)).catch((error: unknown) => error)
      expect(thrown).to.be.an('error')
      expect(inspect(thrown)).to.include('answered no JSON').and.not.include('hidden')
    })

    for (const [what, fault] of Object.entries(faults)) {
      it(`${name} rejects when the service ${what}`, async () => {
        service.fault = fault
        expect(await rejects(made())).to.equal(true)
      })
    }
  }

  it('friendly reads the host out of an origin', async () => {
    const verify = async (origin: unknown, hostname: string) => {
      service.fault = (response) =>
        void response.writeHead(200, json).end(JSON.stringify({ success: true, data: { challenge: { origin } } }))
      return friendly({ ...keys, endpoint: service.endpoint, hostname }).verify('good', told)
    }
    expect(await verify('https://app.test', 'app.test')).to.equal(true)
    expect(await verify('https://app.test:8443', 'app.test')).to.equal(true)
    for (const origin of [
      'https://app.test.evil.test',
      'https://evil.test/app.test',
      'https://app.test@evil.test',
      '',
      null,
    ]) {
      expect(await verify(origin, 'app.test'), String(origin)).to.equal(false)
    }
  })

  it('turnstile compares the action if required', async () => {
    const made = (action: string) => turnstile({ ...keys, endpoint: service.endpoint, action })
    expect(await made('login').verify('good-1', told)).to.equal(true)
    expect(await made('other').verify('good-2', told)).to.equal(false)
  })
})

for (const [name, open] of Object.entries(doors)) {
  describe(`captchas, ${name}`, () => {
    const service = new Service()
    let stage: LimitStage
    before(() => service.start())
    after(() => service.close())
    afterEach(async () => {
      service.fault = undefined
      service.used.clear()
      service.asked = 0
      await stage.close()
    })

    const start = async (own: Partial<CaptchaOptions> = {}, config: Partial<FullStackAuthConfig> = {}) => {
      const captcha = { ...turnstile({ ...keys, endpoint: service.endpoint }), ...own }
      stage = await openLimitStage(open, {
        rateLimit: { captcha, rules: { credentials: { perAccount: 50, window: 60 } } },
        ...config,
      })
    }
    const fail = async (username: string, times = 3) => {
      for (let at = 0; at < times; at += 1) expect((await stage.guess(stage.stranger(), username)).status).to.equal(401)
    }
    const withToken = (token: string) => ({ 'x-captcha-token': token })
    const guess = (token: string, password = 'right') =>
      stage.guess(stage.stranger(), 'ann', password, withToken(token))

    it('asks after three failures, also for an unknown account', async () => {
      await start()
      await fail('nobody')
      const refused = await stage.guess(stage.stranger(), 'nobody')
      expect(refused.status).to.equal(403)
      expect(refused.body).to.deep.equal({
        error: 'CaptchaRequired',
        message: 'Please confirm that you are human, then try again.',
        siteKey: 'site-key',
      })
      expect([stage.evaluated.length, service.asked]).to.deep.equal([3, 0])
    })

    it('accepts a token in the header or the form, once; a wrong one is rejected before the work', async () => {
      await start()
      await fail('ann')
      expect([
        (await guess('bad')).status,
        (await guess('x'.repeat(10_001))).status,
        stage.evaluated.length,
      ]).to.deep.equal([403, 403, 3])
      expect([(await guess('good')).status, (await guess('good')).status]).to.deep.equal([200, 403])
      const answer = await stage.stranger().ask(`${base}/callback/credentials`, {
        form: { username: 'ann', password: 'right', 'cf-turnstile-response': 'good-2' },
        headers: { origin: stage.door.origin, 'sec-fetch-site': 'same-origin', accept: 'application/json' },
      })
      expect(answer.status).to.equal(200)
    })

    it('lets no more than three of many at once pass without one', async () => {
      await start()
      const answers = await Promise.all(Array.from({ length: 20 }, () => stage.guess(stage.stranger(), 'ann')))
      expect(answers.filter(({ status }) => status === 401)).to.have.length(3)
      expect(stage.evaluated).to.have.length(3)
    })

    it('counts no success', async () => {
      await start()
      for (let at = 0; at < 5; at += 1)
        expect((await stage.guess(stage.stranger(), 'ann', 'right')).status).to.equal(200)
    })

    it('does not ask a known browser because of strangers', async () => {
      await start()
      const owner = stage.stranger()
      expect((await stage.guess(owner, 'ann', 'right')).status).to.equal(200)
      await fail('ann')
      expect((await stage.guess(stage.stranger(), 'ann', 'right')).status).to.equal(403)
      expect((await stage.guess(owner, 'ann', 'right')).status).to.equal(200)
    })

    it('recognises a browser if the limits count no account', async () => {
      const captcha = turnstile({ ...keys, endpoint: service.endpoint })
      await start({}, { rateLimit: { captcha, rules: { credentials: { perClient: 50, window: 60 } } } })
      const owner = stage.stranger()
      expect((await stage.guess(owner, 'ann', 'right')).status).to.equal(200)
      await fail('ann')
      expect((await stage.guess(owner, 'ann', 'right')).status).to.equal(200)
    })

    it('answers 503 while the service is unavailable, and counts that for no client', async () => {
      await start(
        {},
        {
          rateLimit: {
            captcha: turnstile({ ...keys, endpoint: service.endpoint }),
            rules: { credentials: { perAccount: 4, window: 60 } },
          },
        },
      )
      await fail('ann')
      service.fault = (response) => void response.destroy()
      for (let at = 0; at < 5; at += 1) expect((await guess('good')).status).to.equal(503)
      service.fault = undefined
      expect([stage.evaluated.length, (await guess('good')).status]).to.deep.equal([3, 200])
      expect(inspect(stage.door.log.errors)).to.include('CaptchaUnavailable').and.not.include('secret-key')
    })

    const once = name === 'express' ? it : undefined
    once?.('waits five seconds for the service', async () => {
      await start({ required: () => true })
      service.fault = () => {}
      const begun = Date.now()
      expect((await guess('good')).status).to.equal(503)
      expect(Date.now() - begun).to.be.within(4500, 8000)
    }).timeout(15_000)

    it('informs browser clients by the URL, and a form by its page', async () => {
      await start({ required: () => true })
      const client = await stage.guess(stage.stranger(), 'ann', 'right', { 'x-auth-return-redirect': '1' })
      expect([client.status, new URL(client.body.url).searchParams.get('error')]).to.deep.equal([
        200,
        'CaptchaRequired',
      ])
      const asForm = { accept: 'text/html', 'sec-fetch-mode': 'navigate' }
      const form = await stage.guess(stage.stranger(), 'ann', 'right', asForm)
      expect([form.status, form.headers.location]).to.deep.equal([
        303,
        `${stage.door.origin}${base}/signin?error=CaptchaRequired`,
      ])
      const wrong = await stage.guess(stage.stranger(), 'ann', 'wrong', { ...asForm, ...withToken('good') })
      expect(wrong.headers.location).to.include('error=CredentialsSignin').and.include('captcha=1')
      service.fault = (response) => void response.destroy()
      const away = await stage.guess(stage.stranger(), 'ann', 'right', { ...asForm, ...withToken('good-2') })
      expect([away.status, away.text.includes('Please try again later')]).to.deep.equal([503, true])
      const told = await stage.guess(stage.stranger(), 'ann', 'right', {
        'x-auth-return-redirect': '1',
        ...withToken('good-3'),
      })
      expect([told.status, told.body.error]).to.deep.equal([503, 'CaptchaUnavailable'])
    })

    it('asks for new users of a credentials provider after three of a client, once for a sign-in', async () => {
      await start({}, { adapter: memoryAdapter(), providers: [credentials()] })
      const signUp = async (username: string, headers = {}) =>
        (await stage.guess(stage.stranger(), username, 'right', headers)).status
      expect([await signUp('a'), await signUp('b'), await signUp('c'), await signUp('d')]).to.deep.equal([
        200, 200, 200, 403,
      ])
      expect([await signUp('d', withToken('good')), await signUp('a'), service.asked]).to.deep.equal([200, 200, 1])
    })

    it('lifts no limit', async () => {
      await start(
        {},
        {
          rateLimit: {
            captcha: turnstile({ ...keys, endpoint: service.endpoint }),
            rules: { credentials: { perAccount: 3, window: 60 } },
          },
        },
      )
      await fail('ann')
      expect((await guess('good')).status).to.equal(429)
    })

    it('asks by `required` alone if it is set, and answers 503 if it fails', async () => {
      let answer: () => boolean = () => true
      await start({ required: () => answer() })
      expect((await stage.guess(stage.stranger(), 'ann', 'right')).status).to.equal(403)
      answer = () => false
      await fail('ann', 5)
      answer = () => {
        throw new Error('no')
      }
      expect((await guess('good')).status).to.equal(503)
    })

    it('asks after the CSRF check only', async () => {
      await start({ required: () => true })
      const answer = await stage.guess(stage.stranger(), 'ann', 'right', {
        'sec-fetch-site': 'cross-site',
        ...withToken('good'),
      })
      expect([answer.status, answer.body.error, service.asked]).to.deep.equal([403, 'MissingCSRF', 0])
    })

    it('asks for mails after three of a client', async () => {
      const email = { id: 'email', name: 'Email', type: 'email' as const, sendVerificationRequest() {} }
      await start({}, { adapter: memoryAdapter(), providers: [email, credentials()] })
      const ask = async (at: number, token?: string) => {
        const headers = {
          origin: stage.door.origin,
          'sec-fetch-site': 'same-origin',
          accept: 'application/json',
          ...(token && withToken(token)),
        }
        return (await stage.stranger().ask(`${base}/signin/email`, { form: { email: `p${at}@example.com` }, headers }))
          .status
      }
      expect([await ask(1), await ask(2), await ask(3), await ask(4), await ask(4, 'good')]).to.deep.equal([
        200, 200, 200, 403, 200,
      ])
    })

    it('shows the widget on the sign-in page then, and lets only that page load it', async () => {
      await start()
      const who = stage.door.browser()
      const usual = await who.ask(`${base}/signin`)
      expect(usual.text + usual.headers['content-security-policy']).to.not.include('cloudflare')
      const page = await who.ask(`${base}/signin?error=CaptchaRequired`)
      expect(page.text)
        .to.include('class="cf-turnstile" data-sitekey="site-key"')
        .and.include('<noscript>')
        .and.include('that you are human')
      const policy = String(page.headers['content-security-policy'])
      for (const directive of ['script-src', 'frame-src', 'connect-src'])
        expect(policy).to.match(new RegExp(`${directive}[^;]* https://challenges\\.cloudflare\\.com`))
    })

    it('shows the widget from the start if `required` returns true, or fails', async () => {
      let answer: (told: CaptchaContext) => boolean = ({ rule, provider }) =>
        rule === 'credentials' && provider === 'credentials'
      await start({ required: (told) => answer(told) })
      const shown = async () => (await stage.door.browser().ask(`${base}/signin`)).text.includes('cf-turnstile')
      expect(await shown()).to.equal(true)
      answer = () => false
      expect(await shown()).to.equal(false)
      answer = () => {
        throw new Error('no')
      }
      expect(await shown()).to.equal(true)
    })
  })
}

describe('rateLimit.captcha', () => {
  const wrong: Readonly<Record<string, [setting: unknown, reason: RegExp]>> = {
    'no object': ['turnstile', /captcha.*must be an object, such as `turnstile/],
    'no verify': [{}, /verify.*must be a function/],
    'a number of failures that is none': [{ verify: () => true, after: 0 }, /after.*from 1 to 100/],
    'a field of the form': [{ verify: () => true, field: 'csrfToken' }, /field.*does not have itself/],
    'a source that would open the policy': [
      { verify: () => true, origins: ["https://x.example; script-src '*'"] },
      /origins/,
    ],
    'a script that is no URL': [{ verify: () => true, script: 'api.js' }, /script/],
    'a word that is no option': [{ verify: () => true, sitekey: 'x' }, /sitekey/],
  }
  for (const [what, [captcha, reason]] of Object.entries(wrong)) {
    it(`rejects ${what}`, () => {
      const config = { secret, providers: [credentials()], rateLimit: { captcha } } as unknown as ServerAuthConfig
      expect(() => ServerAuth(config)).to.throw(InvalidConfiguration, reason)
    })
  }
})
