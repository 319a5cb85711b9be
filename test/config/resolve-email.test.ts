import { expect } from 'chai'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import { readEnv } from '../../lib/base/env.js'
import { resolveConfig } from '../../lib/config/resolve.js'
import type { ResolvedEmailProvider } from '../../lib/contracts/index.js'
import { AuthError, MissingAdapter, MissingSecretError } from '../../lib/errors.js'
import Email from '../../lib/providers/email.js'
import type { ServerAuthConfig } from '../../lib/types/config.js'
import type { Provider } from '../../lib/types/provider.js'
import { createLog, secret } from '../support/app.js'
import { thrownBy } from '../support/rejection.js'

const own = 'the-secret-of-the-provider-with-32-characters'
const plain = { id: 'mail', name: 'Mail', type: 'email', sendVerificationRequest: () => {} } as const

/** Resolves one provider of any shape, under exactly this environment. */
function resolve(
  provider: unknown,
  { env = {}, config = {} }: { env?: Record<string, string>; config?: Partial<ServerAuthConfig> } = {},
): ResolvedEmailProvider {
  const { providers } = resolveConfig(
    { providers: [provider as Provider], secret, logger: createLog().logger, adapter: memoryAdapter(), ...config },
    readEnv(env),
  )
  const [resolved] = providers.values()
  if (resolved?.kind !== 'email') throw new Error('not an e-mail provider')
  return resolved
}

/** Returns the error that resolving a provider throws. */
function refusal(provider: unknown, options?: Parameters<typeof resolve>[1]): AuthError {
  const error = thrownBy(() => resolve(provider, options))
  if (error instanceof AuthError) return error
  throw error
}

describe('resolveEmail', () => {
  it('has defaults', async () => {
    const resolved = resolve(plain)
    expect(resolved).to.deep.include({
      id: 'mail',
      name: 'Mail',
      type: 'email',
      maxAge: 86_400,
      secrets: [secret],
      limit: { perAddress: 5, perClient: 50, window: 900 },
    })
    expect(resolved.normalizeIdentifier).to.equal(undefined)
    const tokens = [await resolved.generateToken(), await resolved.generateToken()]
    expect(tokens[0])
      .to.match(/^[0-9a-f]{64}$/)
      .and.to.not.equal(tokens[1])
    expect(Object.isFrozen(resolved) && Object.isFrozen(resolved.limit)).to.equal(true)
  })

  it('prefers the options of `Email` to its own values, and the name to the id', () => {
    const options = { server: 'smtp://mail.test', from: 'a@x.test', id: 'post', name: 'Post', maxAge: 60, secret: own }
    expect(resolve(Email(options))).to.deep.include({ id: 'post', name: 'Post', maxAge: 60, secrets: [own] })
    expect(resolve({ ...plain, name: undefined })).to.have.property('name', 'mail')
  })

  it('sends by `sendVerificationRequest` of the options instead of SMTP', () => {
    const sendVerificationRequest = () => {}
    const provider = Email({ server: 'smtp://mail.test', from: 'a@x.test', sendVerificationRequest })
    expect(resolve(provider).config.sendVerificationRequest).to.equal(sendVerificationRequest)
  })

  it("calls the developer's functions as methods of the provider", async () => {
    const provider = {
      ...plain,
      prefix: 'p-',
      generateVerificationToken() {
        return `${this.prefix}token`
      },
      normalizeIdentifier(typed: string) {
        return `${this.prefix}${typed}`
      },
    }
    const resolved = resolve(provider)
    expect(await resolved.generateToken()).to.equal('p-token')
    expect(resolved.normalizeIdentifier?.('ann@x.test')).to.equal('p-ann@x.test')
  })

  it('completes a limit, and accepts `false` for none', () => {
    expect(resolve({ ...plain, limit: { perAddress: 2 } }).limit).to.deep.equal({
      perAddress: 2,
      perClient: 50,
      window: 900,
    })
    expect(resolve({ ...plain, limit: false }).limit).to.equal(undefined)
  })

  it('does not change the object of the developer', () => {
    const provider = Object.freeze({ ...plain, options: Object.freeze({ maxAge: 60, limit: Object.freeze({}) }) })
    expect(resolve(provider).maxAge).to.equal(60)
  })

  for (const [what, change, message] of [
    [
      'no `sendVerificationRequest`',
      { sendVerificationRequest: undefined },
      /mail\.sendVerificationRequest` must be a function/,
    ],
    ['another kind of it', { sendVerificationRequest: 'smtp' }, /must be a function that sends the mail, not a string/],
    ['a `maxAge` of 0', { maxAge: 0 }, /providers\.mail\.maxAge/],
    ['a `maxAge` of minus one', { maxAge: -1 }, /providers\.mail\.maxAge/],
    ['a `maxAge` that is no number', { maxAge: '60' }, /providers\.mail\.maxAge/],
    ['an endless `maxAge`', { maxAge: Number.POSITIVE_INFINITY }, /providers\.mail\.maxAge/],
    ['a `limit` that is no object', { limit: true }, /providers\.mail\.limit/],
    ['a number as `limit`', { limit: 5 }, /providers\.mail\.limit/],
    ['a `limit` of nothing', { limit: { perAddress: 0 } }, /providers\.mail\.limit\.perAddress/],
    ['half a mail as `limit`', { limit: { perClient: 1.5 } }, /providers\.mail\.limit\.perClient/],
    ['a `limit` without end', { limit: { perClient: Number.POSITIVE_INFINITY } }, /providers\.mail\.limit\.perClient/],
    ['a window of nothing', { limit: { window: 0 } }, /providers\.mail\.limit\.window/],
    ['a mistyped key of `limit`', { limit: { perAdress: 1 } }, /perAddress/],
    ['a generator that is none', { generateVerificationToken: 'x' }, /providers\.mail\.generateVerificationToken/],
    ['a rule that is none', { normalizeIdentifier: /x/ }, /providers\.mail\.normalizeIdentifier/],
  ] as const) {
    it(`rejects ${what}`, () => {
      const error = refusal({ ...plain, ...change })
      expect(error.type).to.equal('InvalidConfiguration')
      expect(error.message).to.match(message)
    })
  }

  it('rejects an invalid secret of its own', () => {
    for (const value of ['', null, 7, [], ['']]) {
      expect(refusal({ ...plain, secret: value })).to.be.an.instanceOf(MissingSecretError)
    }
  })

  it('warns of a secret of its own that may be guessed', () => {
    const log = createLog()
    resolve({ ...plain, secret: 'short' }, { config: { logger: log.logger } })
    expect(log.warnings.map(({ code }) => code)).to.include('short-secret')
  })

  it('uses all secrets of the configuration', () => {
    expect(resolve(plain, { config: { secret: [own, secret] } }).secrets).to.deep.equal([own, secret])
  })

  it('throws in production if AUTH_URL does not set the origin of links', () => {
    const error = refusal(plain, { env: { NODE_ENV: 'production' } })
    expect(error.type).to.equal('InvalidConfiguration')
    expect(error.message).to.match(/Provider "mail": AUTH_URL must be set in production/)
    for (const name of ['AUTH_TRUST_HOST', 'VERCEL']) {
      expect(refusal(plain, { env: { NODE_ENV: 'production', [name]: '1' } }).message).to.match(/AUTH_URL must be set/)
    }
    expect(refusal(plain, { env: { NODE_ENV: 'production' }, config: { trustHost: true } }).message).to.match(
      /AUTH_URL/,
    )
    expect(resolve(plain, { env: { NODE_ENV: 'production', AUTH_URL: 'https://app.test' } }).id).to.equal('mail')
  })

  it('throws without an adapter, and with one that cannot keep links', () => {
    const withoutOne = thrownBy(() =>
      resolveConfig({ providers: [plain], secret, logger: createLog().logger }, readEnv({})),
    )
    expect(withoutOne).to.be.an.instanceOf(MissingAdapter)
    const { createVerificationToken: _left, ...lacking } = memoryAdapter()
    const error = refusal(plain, { config: { adapter: lacking } })
    expect(error.type).to.equal('MissingAdapterMethods')
    expect(error.message).to.include('`createVerificationToken`').and.include('sign-in by email')
  })
})
