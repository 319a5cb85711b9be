/** Providers of mail services: the request to each, and the error if a service rejects a mail. */
import type { IncomingHttpHeaders } from 'node:http'
import { expect } from 'chai'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import { readEnv } from '../../lib/base/env.js'
import { resolveConfig } from '../../lib/config/resolve.js'
import type { ResolvedEmailProvider } from '../../lib/contracts/index.js'
import { InvalidConfiguration } from '../../lib/errors.js'
import Mailgun, { type MailgunOptions } from '../../lib/providers/mailgun.js'
import Resend from '../../lib/providers/resend.js'
import SendGrid from '../../lib/providers/sendgrid.js'
import type { EmailConfig, Provider, VerificationRequest } from '../../lib/types/provider.js'
import { customFetch } from '../../lib/types/symbols.js'
import { useMailStage } from '../flows/email/stage.js'
import { createLog, secret } from '../support/app.js'
import { type LoopbackServer, startLoopbackServer } from '../support/loopback-server.js'
import { linkIn } from '../support/mail-server.js'
import { rejectionOf, thrownBy } from '../support/rejection.js'
import { link, mail, mailServices } from './rows/mail-services.js'

const from = 'Example <hello@example.com>'

interface Asked {
  readonly method: string | undefined
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

type Answer = { status?: number; headers?: Record<string, string>; body?: string } | 'silent' | 'endless' | 'broken'

/** All services at once, on loopback. */
class MailService {
  readonly asked: Asked[] = []
  answer: Answer = {}
  #server: LoopbackServer | undefined

  /** A `fetch` that asks this server in place of the real one. */
  readonly fetch: typeof fetch = (input, init) => {
    const { host, pathname } = new URL(String(input))
    return fetch(`${this.#server?.origin}/${host}${pathname}`, init)
  }

  async start(): Promise<void> {
    this.#server = await startLoopbackServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      const { method, url = '', headers } = request
      this.asked.push({ method, url: url.replace('/', 'https://'), headers, body: Buffer.concat(chunks) })
      if (this.answer === 'silent') return
      if (this.answer === 'endless' || this.answer === 'broken') {
        response.writeHead(500).write('x'.repeat(20_000))
        if (this.answer === 'broken') setImmediate(() => response.destroy())
        return
      }
      const { status = 200, headers: answered, body = '{}' } = this.answer
      response.writeHead(status, answered).end(body)
    })
  }

  async stop(): Promise<void> {
    await this.#server?.close()
  }
}

function resolve(provider: unknown, env: Readonly<Record<string, string>> = {}): ResolvedEmailProvider {
  const config = { providers: [provider as Provider], secret, logger: createLog().logger, adapter: memoryAdapter() }
  const [resolved] = resolveConfig(config, readEnv(env)).providers.values()
  if (resolved?.kind !== 'email') throw new Error('not an e-mail provider')
  return resolved
}

const service = new MailService()

/** Hooks the services into the suite around. */
function useService(): void {
  before(() => service.start())
  after(() => service.stop())
  beforeEach(() => {
    service.asked.length = 0
    service.answer = {}
  })
}

/** Sends the tests' mail as the engine does. */
async function send(provider: EmailConfig, changes: Partial<VerificationRequest> = {}): Promise<void> {
  const { config } = resolve(provider)
  await config.sendVerificationRequest({
    purpose: 'sign-in',
    identifier: 'ann@example.com',
    url: link,
    token: 't',
    expires: new Date(),
    provider: config,
    theme: {},
    locale: 'en',
    request: new Request('https://app.test/auth/signin/mail'),
    mail,
    fetch: service.fetch,
    ...changes,
  })
}

const failure = (provider: EmailConfig, changes?: Partial<VerificationRequest>) => rejectionOf(send(provider, changes))

function lastAsked(): Asked {
  const last = service.asked.at(-1)
  if (!last) throw new Error('nobody asked the service')
  return last
}

/** The body as an object: of JSON, or of a form with parts. */
async function bodyOf({ headers, body }: Asked): Promise<unknown> {
  const type = headers['content-type'] ?? ''
  if (type === 'application/json') return JSON.parse(body.toString())
  expect(type).to.match(/^multipart\/form-data; boundary=/)
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData()
  return Object.fromEntries(form)
}

for (const [id, { create, name, required, url, headers, body, refusal }] of Object.entries(mailServices)) {
  const variable = `AUTH_${id.toUpperCase()}_KEY`
  const make = create as (options?: object) => EmailConfig
  const provider = () => make({ ...required, apiKey: 'key_1' })

  describe(`${id}.ts`, () => {
    useService()

    it('has the id of its file, a name, and gives the options back', () => {
      const options = { apiKey: 'key_1' }
      expect(make(options)).to.include({ id, name, type: 'email', options })
    })

    it('sends exactly this, in one request', async () => {
      await send(provider())
      expect(service.asked).to.have.length(1)
      const asked = lastAsked()
      expect(asked).to.include({ method: 'POST', url })
      expect(asked.headers).to.include({ accept: 'application/json', ...headers })
      expect(await bodyOf(asked)).to.deep.equal(body)
    })

    it('tells status and message where the service says no', async () => {
      const text = typeof refusal.body === 'string' ? refusal.body : JSON.stringify(refusal.body)
      service.answer = { status: refusal.status, body: text }
      const error = await failure(provider())
      expect(error.message).to.equal(`${name} answered ${refusal.status}: ${refusal.message}`)
    })

    it('takes its key from the environment, as function and as object', () => {
      for (const given of [make(required), make({ ...required, apiKey: undefined })]) {
        expect(resolve(given, { [variable]: 'key of the environment' }).config.apiKey).to.equal(
          'key of the environment',
        )
      }
      const called = (options: object) => make({ ...required, ...options })
      expect(resolve(called, { [variable]: 'key_2' }).config.apiKey).to.equal('key_2')
      expect(resolve(provider(), { [variable]: 'key_2' }).config.apiKey).to.equal('key_1')
    })

    it('says at construction what is missing', () => {
      const noKey = thrownBy(() => resolve(make(required)))
      expect(noKey).to.be.an.instanceOf(InvalidConfiguration)
      expect(noKey.message).to.equal(`Provider "${id}": \`apiKey\` is missing. Pass it, or set ${variable}.`)
      expect(thrownBy(() => resolve(make({ ...required, apiKey: '' }))).message).to.include(`providers.${id}.apiKey`)
      for (const option of Object.keys(required)) {
        const lacking = { ...required, apiKey: 'key_1', [option]: undefined }
        const message = `Provider "${id}": \`${option}\` is missing. Pass it.`
        expect(thrownBy(() => resolve(make(lacking))).message).to.equal(message)
        expect(thrownBy(() => resolve(make, { [variable]: 'key_1' })).message).to.equal(message)
      }
    })

    it('needs neither key nor sender where the developer sends the mail', async () => {
      const sent: unknown[] = []
      const options = { sendVerificationRequest: ({ identifier }: VerificationRequest) => void sent.push(identifier) }
      await send(make(options))
      expect(sent).to.have.length(1)
      expect(service.asked).to.deep.equal([])
    })

    it('sends the mail to the one address only', async () => {
      for (const identifier of [
        'a@example.com,b@example.com',
        'a@example.com\r\nBcc: b@example.com',
        'A <a@b.example>',
      ]) {
        expect((await failure(provider(), { identifier })).message).to.include('not one plain email address')
      }
      expect(service.asked).to.deep.equal([])
    })
  })
}

describe('mail services', () => {
  useService()
  const resend = () => Resend({ from, apiKey: 're_secret' })

  it('never tell the key, nor more than 200 letters of a message', async () => {
    service.answer = { status: 401, body: JSON.stringify({ message: `re_secret is no key. ${'x'.repeat(300)}` }) }
    const { message, stack, cause } = await failure(resend())
    expect(message).to.equal(`Resend answered 401: ${`[apiKey] is no key. ${'x'.repeat(300)}`.slice(0, 200)}`)
    expect(stack).not.to.include('re_secret')
    expect(cause).to.equal(undefined)
    // A key that was pasted with a line break: Node's own error repeats the header.
    const pasted = await failure(Resend({ from, apiKey: 're_\nsecret' }))
    expect(pasted.message).to.match(/^Resend could not be reached: .*\[apiKey\]/)
    expect(pasted.stack).not.to.include('secret')
    expect(pasted.cause).to.equal(undefined)
  })

  it('tell a text in one line, and the status alone where there is none', async () => {
    service.answer = { status: 502, body: '<html>\r\n  Bad\tGateway\u0000</html>' }
    expect((await failure(resend())).message).to.equal('Resend answered 502: <html> Bad Gateway </html>')
    service.answer = { status: 500, body: '' }
    expect((await failure(resend())).message).to.equal('Resend answered 500')
    service.answer = { status: 400, body: '{"error":{"message":"nested"}}' }
    expect((await failure(resend())).message).to.equal('Resend answered 400: nested')
    service.answer = { status: 400, body: '[1]' }
    expect((await failure(resend())).message).to.equal('Resend answered 400: [1]')
  })

  it('do not wait for the end of an error that has none', async () => {
    service.answer = 'endless'
    expect((await failure(resend())).message).to.equal(`Resend answered 500: ${'x'.repeat(200)}`)
    service.answer = 'broken'
    expect((await failure(resend())).message).to.match(/^Resend answered 500/)
  })

  it('are not followed to another address', async () => {
    service.answer = { status: 307, headers: { location: 'https://elsewhere.test/' }, body: '' }
    expect((await failure(resend())).message).to.equal('Resend answered 307')
    expect(service.asked).to.have.length(1)
  })

  it('have ten seconds to answer', async () => {
    service.answer = 'silent'
    const { timeout } = AbortSignal
    const times: number[] = []
    AbortSignal.timeout = (milliseconds) => {
      times.push(milliseconds)
      return timeout.call(AbortSignal, 20)
    }
    try {
      const error = await failure(resend())
      expect(error.message).to.equal('Resend could not be reached: it did not answer within 10 seconds.')
    } finally {
      AbortSignal.timeout = timeout
    }
    expect(times).to.deep.equal([10_000])
  })

  it('tell why they cannot be reached', async () => {
    const unreachable = async () => {
      throw new TypeError('fetch failed', { cause: new Error('getaddrinfo ENOTFOUND api.resend.com') })
    }
    expect((await failure(resend(), { fetch: unreachable })).message).to.equal(
      'Resend could not be reached: fetch failed (getaddrinfo ENOTFOUND api.resend.com)',
    )
  })

  it('have the developer’s `fetch`, else the global one as it is then', () => {
    const own = async () => new Response()
    expect(resolve(Resend({ from, apiKey: 'k', [customFetch]: own })).fetch).to.equal(own)
    const wrong = { from, apiKey: 'k', [customFetch]: 'fetch' as unknown as typeof fetch }
    expect(thrownBy(() => resolve(Resend(wrong))).message).to.include('[customFetch] must be a function')
  })
})

describe('Mailgun', () => {
  useService()
  const urlFor = async (options: Partial<MailgunOptions>) => {
    await send(Mailgun({ from, apiKey: 'k', ...options }))
    return lastAsked().url
  }

  it('asks the region of the domain, and the domain that is given', async () => {
    expect(await urlFor({ region: 'US' })).to.equal('https://api.mailgun.net/v3/example.com/messages')
    expect(await urlFor({ region: 'EU' })).to.equal('https://api.eu.mailgun.net/v3/example.com/messages')
    expect(await urlFor({ domain: 'mg.example.com' })).to.equal('https://api.mailgun.net/v3/mg.example.com/messages')
    expect(await urlFor({ from: 'hello@plain.example' })).to.equal('https://api.mailgun.net/v3/plain.example/messages')
  })

  it('refuses other regions, and a sender without a domain', () => {
    expect(thrownBy(() => Mailgun({ from, region: 'eu' as 'EU' })).message).to.match(/`region` must be "US" or "EU"/)
    expect(thrownBy(() => Mailgun({ from: 'Example' })).message).to.match(/`from` must be an address/)
  })
})

describe('SendGrid', () => {
  useService()
  for (const [sender, parts] of Object.entries({
    'hello@example.com': { email: 'hello@example.com' },
    '<hello@example.com>': { email: 'hello@example.com' },
    '"Example, Inc." <hello@example.com>': { email: 'hello@example.com', name: 'Example, Inc.' },
  })) {
    it(`sends from ${sender}`, async () => {
      await send(SendGrid({ from: sender, apiKey: 'k' }))
      expect(await bodyOf(lastAsked())).to.have.deep.property('from', parts)
    })
  }
})

describe('sign-in through a mail service', () => {
  useService()
  const stage = useMailStage()
  const resend = () => Resend({ from, apiKey: 're_secret', [customFetch]: service.fetch })

  it('leads from the address to a session', async () => {
    await stage.restart({}, { providers: [resend()] })
    await stage.ask('Ann@Example.com', { provider: 'resend' })
    await stage.settled()
    const sent = (await bodyOf(lastAsked())) as { to: string[]; subject: string; html: string; text: string }
    expect(sent.to).to.deep.equal(['ann@example.com'])
    expect(sent.subject).to.match(/^Sign in to 127\.0\.0\.1/)
    const mailed = linkIn(sent)
    expect(new URL(mailed).pathname).to.equal('/auth/callback/resend')
    expect(sent.html).to.include('/auth/callback/resend?')
    await stage.expectSignedIn(await stage.browser.get(mailed), 'ann@example.com')
    expect(stage.logged()).to.deep.equal([])
  })

  it('logs what the service said, without key and address', async () => {
    await stage.restart({}, { providers: [resend()] })
    service.answer = { status: 422, body: '{"message":"Invalid `to` field: ann@example.com, for re_secret."}' }
    await stage.ask('ann@example.com', { provider: 'resend' })
    await stage.settled()
    expect(stage.logged()).to.deep.equal(['EmailSignInError'])
    const [error] = stage.failures.map(({ error }) => (error.cause as { err: Error }).err.message)
    expect(error).to.equal('Resend answered 422: Invalid `to` field: [address], for [apiKey].')
  })
})
