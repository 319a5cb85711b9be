/** The options of `Password`, and the invalid ones that throw at construction, with the remedy. */
import { expect } from 'chai'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import { ServerAuth, type ServerAuthConfig } from '../../lib/index.js'
import Password, { type PasswordProviderOptions } from '../../lib/providers/password.js'
import type { Adapter } from '../../lib/types/adapter.js'
import type { EmailConfig } from '../../lib/types/provider.js'
import { createLog, credentials, secret, startApp, target } from '../support/app.js'

const mail: EmailConfig = { id: 'mail', name: 'Mail', type: 'email', sendVerificationRequest() {} }

describe('Password()', () => {
  it('is a provider of credentials, as published clients know them', () => {
    const provider = Password({ minLength: 12 })
    expect(provider).to.deep.include({
      id: 'password',
      name: 'Password',
      type: 'credentials',
      password: { minLength: 12 },
    })
    expect(Object.keys(provider.credentials)).to.deep.equal(['email', 'password'])
    expect(provider.credentials.password).to.include({ type: 'password', autocomplete: 'current-password' })
    expect(Password({ id: 'pw', name: 'PW' })).to.include({ id: 'pw', name: 'PW' })
    expect(provider.authorize({}, new Request('https://app.test'))).to.equal(null)
  })

  function make(options: PasswordProviderOptions | undefined, config: Partial<ServerAuthConfig> = {}): () => unknown {
    const base = { secret, logger: createLog().logger, adapter: memoryAdapter(), providers: [Password(options)] }
    return () => ServerAuth({ ...base, ...config })
  }

  it('takes what is right', () => {
    expect(make({ mail })).to.not.throw()
    expect(make({}, { providers: [Password(), mail] })).to.not.throw()
    expect(make({}, { providers: [mail, Password, credentials()] })).to.not.throw()
    expect(
      make({ mail, minLength: 8, maxLength: 64, signUp: false, changeRevokes: 'none' }, { pages: { signUp: '/join' } }),
    ).to.not.throw()
  })

  const { store: _store, ...bare } = memoryAdapter()
  const refusals: Record<string, [() => unknown, RegExp]> = {
    'nothing that mails': [make({}), /cannot send emails.*mail: Nodemailer/],
    'no adapter': [() => ServerAuth({ secret, providers: [Password({ mail })] }), /Set an `adapter`/],
    'an adapter that keeps no passwords': [make({ mail }, { adapter: bare as Adapter }), /sqlStore\(db\)/],
    'two of them': [
      make({}, { providers: [Password({ mail }), Password({ id: 'other', mail })] }),
      /"password" and "other"/,
    ],
    'a length below 8': [make({ mail, minLength: 7 }), /minLength.*8 to 64/],
    'a limit below 64': [make({ mail, maxLength: 63 }), /maxLength.*64 to 1024/],
    'a mailer that is none': [make({ mail: credentials() as unknown as EmailConfig }), /mail.*email provider/],
    'a store that is none': [make({ mail, store: {} as never }), /store` must be true, or a store with `records`/],
    'a misspelt option': [make({ mail, minLenght: 15 } as never), /minLenght/],
    'a hasher that is none': [make({ mail, hash: (() => '') as never }), /hash.*verify and needsRehash/],
    'a list that is none': [make({ mail, imported: {} as never }), /imported.*array/],
  }
  for (const [name, [work, message]] of Object.entries(refusals)) {
    it(`refuses ${name}`, () => {
      expect(work).to.throw(message)
    })
  }

  it('in production email links need AUTH_URL', () => {
    const before = { ...process.env }
    try {
      process.env.NODE_ENV = 'production'
      delete process.env.AUTH_URL
      expect(make({ mail })).to.throw(/AUTH_URL/)
    } finally {
      process.env = before
    }
  })

  it('without it the paths are the application’s own', async () => {
    const app = await startApp(
      {},
      { after: (own) => own.get('/auth/password/reset', (_req, res) => void res.json({ own: true })) },
    )
    expect((await app.browser().get('/auth/password/reset')).body).to.deep.equal({ own: true })
    expect((await app.browser().get('/auth/signup/credentials')).body).to.include({ app: true })
    await app.close()
  })

  it('`signUp: false`: no page, no link to it, and no sign-up', async () => {
    const app = await startApp({ adapter: memoryAdapter(), providers: [Password({ mail, signUp: false })] })
    const browser = app.browser()
    expect((await browser.get('/auth/signup/password')).status).to.equal(404)
    const answer = await browser.submit('/auth/signup/password', {
      email: 'a@example.com',
      password: 'four words in a row',
    })
    expect(answer.status).to.equal(404)
    const page = await browser.get('/auth/signin')
    expect(page.text).to.include('/auth/password/forgot').and.not.include('/auth/signup/')
    await app.close()
  })

  it('custom pages replace ours, and receive the error', async () => {
    const pages = { signUp: '/join', forgotPassword: '/lost', resetPassword: '/new', changePassword: '/settings' }
    const app = await startApp({ adapter: memoryAdapter(), providers: [Password({ mail })], pages })
    const browser = app.browser()
    expect(target(await browser.get('/auth/signup/password?callbackUrl=/x'))).to.equal(
      `${app.origin}/join?callbackUrl=${encodeURIComponent(`${app.origin}/x`)}`,
    )
    expect(target(await browser.get('/auth/password/forgot'))).to.equal(`${app.origin}/lost`)
    const refused = await browser.submit('/auth/signup/password', { email: 'a@example.com', password: 'short' })
    expect(new URL(target(refused)).searchParams.get('code')).to.equal('short')
    expect(new URL(target(refused)).searchParams.get('error')).to.equal('PasswordRejected')
    await app.close()
  })

  it('answers programs in JSON', async () => {
    const app = await startApp({ adapter: memoryAdapter(), providers: [Password({ mail })] })
    const browser = app.browser()
    const ask = (path: string, fields: object) => browser.submit(path, fields, { accept: 'application/json' })
    const refused = await ask('/auth/signup/password', { email: 'a@example.com', password: 'short' })
    expect([refused.status, refused.body.error, refused.body.code]).to.deep.equal([400, 'PasswordRejected', 'short'])
    expect(refused.body.message).to.be.a('string')
    const taken = await ask('/auth/signup/password', { email: 'a@example.com', password: 'four words in a row' })
    expect([taken.status, Object.keys(taken.body)]).to.deep.equal([200, ['url']])
    await app.close()
  })
})
