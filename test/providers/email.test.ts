/** The provider over SMTP: what it takes, what it says to a mail server, and what it does without its package. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect } from 'chai'
import Email, { type EmailOptions } from '../../lib/providers/email.js'
import Nodemailer from '../../lib/providers/nodemailer.js'
import type { VerificationRequest } from '../../lib/types/provider.js'
import { type MailServer, startMailServer } from '../support/mail-server.js'
import { rejectionOf, thrownBy } from '../support/rejection.js'

const from = 'Example <hello@example.com>'

function letter(changes: Partial<VerificationRequest> = {}): VerificationRequest {
  return {
    purpose: 'sign-in',
    identifier: 'ann@example.com',
    url: 'https://app.test/auth/callback/email?token=t',
    token: 't',
    expires: new Date(),
    provider: Email({ server: 'smtp://mail.test', from }),
    theme: {},
    locale: 'en',
    request: new Request('https://app.test/auth/signin/email'),
    mail: { subject: 'Sign in to app.test', html: '<p>HTML ünd</p>', text: 'text ünd' },
    fetch,
    ...changes,
  }
}

describe('Email', () => {
  it('is a provider of the kind `email`', () => {
    const provider = Email({ server: 'smtps://user:pass@mail.test', from })
    expect(provider).to.include({ id: 'email', name: 'Email', type: 'email', from })
    expect(Email({ server: 'smtp://mail.test', from, id: 'mail2', name: 'Post' })).to.include({
      id: 'mail2',
      name: 'Post',
    })
  })

  it('is `Nodemailer` too, with its id', async () => {
    const server = { jsonTransport: true }
    const provider = Nodemailer({ server, from })
    expect(provider).to.include({ id: 'nodemailer', name: 'Nodemailer', type: 'email', from, server })
    await provider.sendVerificationRequest(letter())
    const error = thrownBy(() => Nodemailer({ from } as EmailOptions))
    expect(error.message).to.match(/^Nodemailer needs `server`/)
  })

  it('needs nothing where the developer sends the mail', () => {
    const sendVerificationRequest = () => {}
    for (const create of [Email, Nodemailer]) {
      expect(create({ sendVerificationRequest })).to.include({ type: 'email', sendVerificationRequest })
    }
  })

  for (const [what, options, message] of [
    ['no options', undefined, /`server`/],
    ['no server', { from }, /`server`/],
    ['an empty server', { server: '', from }, /`server`/],
    ['no sender', { server: 'smtp://mail.test' }, /`from`/],
    ['a host name as server', { server: 'mail.test', from }, /smtp:\/\//],
    ['another kind of URL', { server: 'https://mail.test', from }, /smtp:\/\//],
    ['an URL with a password that breaks it', { server: 'smtp://user:pa/ss#1@[mail', from }, /percent-encoded/],
  ] as const) {
    it(`refuses ${what} at once, and repeats none of it`, () => {
      const error = thrownBy(() => Email(options as EmailOptions))
      expect(error).to.be.an.instanceOf(TypeError)
      expect(error.message).to.match(message).and.not.include('pa/ss')
    })
  }
})

describe('sendVerificationRequest of Email', () => {
  let server: MailServer
  before(async () => {
    server = await startMailServer()
  })
  beforeEach(() => server.reset())
  after(() => server.stop())
  const send = (changes: Partial<VerificationRequest> = {}, options: Partial<EmailOptions> = {}) =>
    Email({ server: server.url, from, ...options } as EmailOptions).sendVerificationRequest(letter(changes))

  it('mails HTML and text, in UTF-8, from `from`, to one recipient', async () => {
    await send()
    const { to, parsed, raw } = await server.next()
    expect(to).to.deep.equal(['ann@example.com'])
    expect(parsed.from?.value).to.deep.equal([{ name: 'Example', address: 'hello@example.com' }])
    expect(parsed.subject).to.equal('Sign in to app.test')
    expect(parsed.text?.trim()).to.equal('text ünd')
    expect(parsed.html).to.equal('<p>HTML ünd</p>')
    expect(parsed.attachments).to.deep.equal([])
    expect(raw).to.match(/^Content-Type: multipart\/alternative/m)
  })

  it('accepts options of nodemailer, and a custom transport', async () => {
    await send({}, { server: { host: '127.0.0.1', port: server.port } })
    expect((await server.next()).to).to.deep.equal(['ann@example.com'])
    const sent: unknown[] = []
    class Transport {
      readonly name = 'own'
      readonly version = '1'
      send({ data }: { data: { subject?: string } }, done: (error: null, info: object) => void) {
        sent.push(data.subject)
        done(null, {})
      }
    }
    await send({}, { server: new Transport() })
    expect(sent).to.deep.equal(['Sign in to app.test'])
  })

  it('mails one address, whatever it looks like', async () => {
    for (const identifier of [
      "o'brien@example.com",
      'a+b@example.com',
      'a=b?c@example.com',
      '{a|b}@xn--bcher-kva.example',
    ]) {
      await send({ identifier })
      const { to, parsed } = await server.next()
      expect(to).to.deep.equal([identifier])
      expect(parsed.cc).to.equal(undefined)
    }
    for (const identifier of ['a@example.com,b@example.com', 'a@example.com\r\nBcc: b@example.com']) {
      await Promise.resolve(send({ identifier })).catch(() => {})
      for (const { to, raw } of server.mails.splice(0)) {
        expect(to).to.have.length.at.most(1)
        expect(to).to.not.include('b@example.com').and.not.include('a@example.com')
        expect(raw).to.not.match(/^Bcc:/im)
      }
      server.reset()
    }
  })

  it('keeps line breaks out of the headers', async () => {
    await send({ mail: { subject: 'Sign in\r\nBcc: b@example.com', html: '<p>x</p>', text: 'x' } })
    const { to, raw, parsed } = await server.next()
    expect(to).to.deep.equal(['ann@example.com'])
    expect(raw).to.not.match(/^Bcc:/im)
    expect(parsed.bcc).to.equal(undefined)
  })

  it('reads no file and no URL for what a mail says', async () => {
    const mail = { subject: 's', html: { path: '/etc/hostname' } as unknown as string, text: 'x' }
    await rejectionOf(Promise.resolve(send({ mail })))
    expect(server.mails).to.deep.equal([])
  })

  it('rejects where the server refuses the recipient', async () => {
    server.mood = 'refuses'
    const error = await rejectionOf(Promise.resolve(send()))
    expect(error).to.include({ code: 'EENVELOPE', responseCode: 550 })
  })

  it('rejects where the transport says that the recipient was not accepted', async () => {
    for (const info of [{ rejected: ['ann@example.com'] }, { pending: ['ann@example.com'] }]) {
      const transport = {
        name: 'own',
        version: '1',
        send: (_mail: unknown, done: (error: null, info: object) => void) => done(null, info),
      }
      const error = await rejectionOf(Promise.resolve(send({}, { server: transport })))
      expect(error.message).to.equal('The mail server did not accept the recipient.')
    }
  })

  it('rejects where there is no server, and works when there is one again', async () => {
    const provider = Email({ server: server.url, from })
    await server.stop()
    try {
      expect(await rejectionOf(Promise.resolve(provider.sendVerificationRequest(letter())))).to.have.property('code')
    } finally {
      await server.start()
    }
    await provider.sendVerificationRequest(letter())
    expect((await server.next()).to).to.deep.equal(['ann@example.com'])
  })

  for (const [what, options] of [
    ['URL', () => ({ server: `${server.url}/?greetingTimeout=50` })],
    ['options', () => ({ server: { host: '127.0.0.1', port: server.port, greetingTimeout: 50 } })],
  ] as const) {
    it(`gives up a silent server, after the time that the ${what} say`, async () => {
      server.mood = 'silent'
      const error = await rejectionOf(Promise.resolve(send({}, options())))
      expect(error).to.have.property('code', 'ETIMEDOUT')
    })
  }

  it('gives up a silent server after some seconds by default', async () => {
    const seen: object[] = []
    // nodemailer hands its options to this function instead of connecting.
    const getSocket = (options: object, done: (error: Error) => void) => {
      seen.push(options)
      done(new Error('no socket'))
    }
    await rejectionOf(Promise.resolve(send({}, { server: { host: 'mail.test', getSocket } })))
    expect(seen[0]).to.include({ connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 10_000 })
  })
})

describe('Email without the package nodemailer', function () {
  this.slow(10_000)

  /** Returns the output of a script in a process without the package. */
  async function printed(script: string): Promise<string[]> {
    const hooks = `export async function resolve(name, context, next) {
        if (name === 'nodemailer') throw Object.assign(new Error('Cannot find it'), { code: 'ERR_MODULE_NOT_FOUND' })
        return next(name, context)
      }`
    const whole = `
      import { register } from 'node:module'
      register(${JSON.stringify(`data:text/javascript,${encodeURIComponent(hooks)}`)})
      const { default: Email } = await import('./lib/providers/email.ts')
      ${script}`
    const arguments_ = ['--import=tsx', '--input-type=module', '--eval', whole]
    const { stdout } = await promisify(execFile)(process.execPath, arguments_)
    return stdout.trim().split('\n')
  }

  it('says at the start what to install', async () => {
    const lines = await printed(`
      try {
        Email({ server: { jsonTransport: true }, from: 'a@x.test' })
        console.log('no word')
      } catch (error) {
        console.log(error.name + ': ' + error.message + ' | ' + error.cause?.code)
      }`)
    expect(lines).to.deep.equal([
      'TypeError: Sign-in by e-mail over SMTP needs the package nodemailer: npm install nodemailer | ERR_MODULE_NOT_FOUND',
    ])
  })

  it('is not missed by a `sendVerificationRequest` of yours', async () => {
    const lines = await printed(`
      const { sendVerificationRequest } = Email({ sendVerificationRequest: () => console.log('sent') })
      sendVerificationRequest()`)
    expect(lines).to.deep.equal(['sent'])
  })
})
