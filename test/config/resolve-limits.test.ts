/** The option `rateLimit`: what is refused, and what it comes to. */
import { expect } from 'chai'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import { connect, sqlAdapter } from '../../lib/adapters/sql/index.js'
import { resolveConfig } from '../../lib/config/resolve.js'
import type { ServerAuthConfig } from '../../lib/types/config.js'
import { createLog, credentials, secret } from '../support/app.js'
import { thrownBy } from '../support/rejection.js'

const resolve = (config: Partial<ServerAuthConfig>) =>
  resolveConfig({ secret, logger: createLog().logger, providers: [credentials()], ...config })
const limits = (rateLimit: unknown, config: Partial<ServerAuthConfig> = {}) =>
  resolve({ rateLimit: rateLimit as never, ...config }).rateLimit

describe('the option rateLimit', () => {
  for (const [what, value, words] of [
    ['true', true, /`rateLimit` must be false, or/],
    ['a text', 'on', /`rateLimit` must be false/],
    ['a misspelt option', { rule: {} }, /`rateLimit\.rule`.*`rules`/],
    ['a rule that there is not', { rules: { credential: { perClient: 1, window: 1 } } }, /`credentials`/],
    ['a rule of nothing', { rules: { credentials: { window: 60 } } }, /`perAccount`/],
    ['a rule without a window', { rules: { credentials: { perClient: 1 } } }, /window/],
    ['a limit of nothing', { rules: { credentials: { perClient: 0, window: 60 } } }, /perClient/],
    ['a limit that is too high to keep', { rules: { credentials: { perClient: 2001, window: 60 } } }, /2000/],
    ['half an attempt', { rules: { credentials: { perAccount: 1.5, window: 60 } } }, /perAccount/],
    ['another delay', { rules: { credentials: { perAccount: 5, window: 60, delay: 'linear' } } }, /exponential/],
    ['accounts where there are none', { rules: { oauthStart: { perAccount: 5, window: 60 } } }, /names no account/],
    ['a delay of mails', { rules: { mail: { perAccount: 5, window: 60, delay: 'exponential' } } }, /perClient/],
    ['a word for an outage', { onOutage: 'ignore' }, /onOutage/],
    ['a client for a store', { store: {} }, /a store with `counter`.*it is/],
    ['a counter that counts nothing', { store: { counter: {} } }, /lacks consume, refund/],
    ['the store of no adapter', { store: true }, /sqlStore\(db\)/],
  ] as const) {
    it(`refuses ${what}`, () => {
      expect(thrownBy(() => limits(value)).message).to.match(words)
    })
  }

  it('refuses an adapter without a store, and takes that of one which has it', () => {
    const without = { ...memoryAdapter(), store: () => ({}) }
    expect(thrownBy(() => limits({ store: true }, { adapter: without })).message).to.include(
      'has no store with `counter`',
    )
    const adapter = sqlAdapter(connect(':memory:'))
    expect(limits({ store: true }, { adapter, session: { strategy: 'jwt' } })?.store).to.be.an('object')
  })

  it('has all rules by default, and replaces or drops what is said', () => {
    expect(Object.keys(limits({})?.rules ?? {}).sort()).to.deep.equal([
      'apiKey',
      'appToken',
      'credentials',
      'factor',
      'invitation',
      'inviter',
      'logoutToken',
      'mailToken',
      'oauthCallback',
      'oauthStart',
      'passkey',
      'passkeyOptions',
      'reset',
      'signUp',
    ])
    const rules = limits({ rules: { signUp: false, passkey: { perClient: 3, window: 5 } } })?.rules
    expect(rules?.signUp).to.equal(undefined)
    expect(rules?.passkey).to.deep.equal({ perClient: 3, window: 5 })
    expect(limits(false)).to.equal(undefined)
    expect(limits(undefined)).to.equal(undefined)
  })

  it('gives providers of mails their limit, which their own replaces', () => {
    const email = (limit?: object) => {
      const provider = { id: 'mail', name: 'Mail', type: 'email', limit, sendVerificationRequest() {} } as const
      const { providers } = resolve({
        adapter: memoryAdapter(),
        providers: [provider as never],
        rateLimit: { rules: { mail: { perAccount: 2, perClient: 7, window: 60 } } },
      })
      const resolved = providers.get('mail')
      return resolved?.kind === 'email' ? resolved.limit : undefined
    }
    expect(email()).to.deep.equal({ perAddress: 2, perClient: 7, window: 60 })
    expect(email({ perAddress: 9 })).to.deep.equal({ perAddress: 9, perClient: 7, window: 60 })
  })

  for (const [fields, identifiers] of [
    [{ username: {}, password: { type: 'password' } }, ['username']],
    [{ otp: {}, code: {}, badge: {}, password: {} }, ['badge']],
    [{ company: {}, email: {} }, ['email']],
    [{ name: {}, phone: {}, email: {} }, ['email', 'name', 'phone']],
    [{ name: {}, password: {} }, ['name']],
    [{ password: { type: 'password' } }, []],
  ] as const) {
    it(`counts by ${identifiers.join() || 'nothing'} with the fields ${Object.keys(fields).join(', ')}`, () => {
      const provider = resolve({ providers: [credentials({ credentials: fields })] }).providers.get('credentials')
      expect(provider).to.have.property('identifiers').that.deep.equals(identifiers)
    })
  }

  it('counts by the field that a provider names, and refuses one that it does not have', () => {
    const fields = { company: {}, email: {} }
    const of = (identifier: string) =>
      resolve({ providers: [credentials({ credentials: fields, identifier })] }).providers.get('credentials')
    expect(of('company')).to.have.property('identifiers').that.deep.equals(['company'])
    expect(thrownBy(() => of('name')).message).to.match(/`providers\.credentials\.identifier`.*company, email/)
  })
})
