/** The option `logout` of a provider, and its requirements. */
import { expect } from 'chai'
import { memoryAdapter, memoryStore } from '../../lib/adapters/memory/index.js'
import { readEnv } from '../../lib/base/env.js'
import { resolveConfig } from '../../lib/config/resolve.js'
import type { ResolvedOAuthProvider } from '../../lib/contracts/index.js'
import { InvalidConfiguration, MissingAdapterMethods } from '../../lib/errors.js'
import type { ServerAuthConfig } from '../../lib/types/config.js'
import { createLog, secret } from '../support/app.js'
import { thrownBy } from '../support/rejection.js'

const company = { id: 'company', name: 'Company', clientId: 'x', clientSecret: 'y', issuer: 'https://op.example' }
const plain = {
  ...company,
  type: 'oauth',
  authorization: 'https://op.example/a',
  token: 'https://op.example/t',
  userinfo: 'https://op.example/u',
}

function resolve(logout: unknown, config: Partial<ServerAuthConfig> = {}, provider: object = company) {
  return (resolveAll(logout, config, provider).providers.get('company') as ResolvedOAuthProvider).logout
}

function resolveAll(logout: unknown, config: Partial<ServerAuthConfig> = {}, provider: object = company) {
  const full = {
    secret,
    logger: createLog().logger,
    providers: [{ type: 'oidc', ...provider, logout }],
    ...config,
  } as ServerAuthConfig
  return resolveConfig(full, readEnv())
}

describe('providers.<id>.logout', () => {
  it('records for all processes which logout tokens were used, if there is a store and a provider sends them', () => {
    const session = { strategy: 'jwt' as const, revocation: memoryStore() }
    const knows = (logout: object, config: Partial<ServerAuthConfig>) =>
      resolveAll(logout, config).logoutTokens !== undefined
    expect(knows({ backchannel: true }, { session })).to.equal(true)
    expect(knows({ backchannel: true }, { adapter: memoryAdapter() })).to.equal(true)
    expect(knows({ frontchannel: true }, { adapter: memoryAdapter() })).to.equal(false)
    const { store: _none, ...adapter } = memoryAdapter()
    expect(knows({ backchannel: true }, { adapter })).to.equal(false)
    const broken = { ...adapter, store: () => ({ log: { find: () => {} } }) as never }
    const error = thrownBy(() => resolveAll({ backchannel: true }, { adapter: broken }))
    expect(error).to.be.instanceOf(InvalidConfiguration)
    expect(error.message).to.include('adapter.store()').and.include('add, replace')
  })

  it('lets users choose by default, and accepts no logout of a provider', () => {
    const byDefault = { rpInitiated: 'ask', backchannel: false, frontchannel: false, revokeTokens: false }
    expect(resolve(undefined)).to.deep.equal(byDefault)
    expect(resolve({})).to.deep.equal(byDefault)
    expect(resolve({ rpInitiated: 'always', url: 'https://op.example/end' })).to.include({
      rpInitiated: 'always',
      url: 'https://op.example/end',
    })
  })

  it('is off with OAuth 2.0, and can be set to off', () => {
    expect(resolve(undefined, {}, plain).rpInitiated).to.equal('never')
    expect(resolve({ rpInitiated: 'never', backchannel: false }, {}, plain).rpInitiated).to.equal('never')
  })

  it('accepts a provider’s logout with database sessions', () => {
    const adapter = memoryAdapter()
    expect(resolve({ backchannel: true }, { adapter }).backchannel).to.equal(true)
    expect(resolve({ frontchannel: true }, { adapter }).frontchannel).to.equal(true)
  })

  it('accepts a provider’s logout with JWT sessions that can be ended', () => {
    const session = { revocation: memoryStore() }
    expect(resolve({ backchannel: true }, { session }).backchannel).to.equal(true)
  })

  const refused: ReadonlyArray<[title: string, message: RegExp, run: () => unknown]> = [
    ['another word', /logout\.rpInitiated` must be "never", "ask" or "always"/, () => resolve({ rpInitiated: 'yes' })],
    ['a text for a boolean', /logout\.backchannel` must be true or false/, () => resolve({ backchannel: 'true' })],
    ['a misspelt option', /no option `providers.company.logout.backChannel`/, () => resolve({ backChannel: true })],
    ['no object', /logout` must be an object/, () => resolve(true)],
    ['an endpoint that is no URL', /logout\.url` must be an absolute/, () => resolve({ url: '/logout' })],
    ['an endpoint that is not https', /logout\.url` must be https/, () => resolve({ url: 'http://op.example/logout' })],
    ['plain OAuth', /logout\.rpInitiated` is for OpenID Connect/, () => resolve({ rpInitiated: 'ask' }, {}, plain)],
    ['plain OAuth with a URL', /logout\.url` is for OpenID/, () => resolve({ url: 'https://x.example' }, {}, plain)],
    ['tokens of plain OAuth', /logout\.revokeTokens` is for/, () => resolve({ revokeTokens: true }, {}, plain)],
    ['JWT sessions', /logout\.backchannel` needs sessions that can be ended/, () => resolve({ backchannel: true })],
    [
      'frames for JWT sessions whose store knows no names',
      /logout\.frontchannel` needs a store with `list` and `listed`/,
      () => {
        const { add, replace, find } = memoryStore().log
        return resolve({ frontchannel: true }, { session: { revocation: { log: { add, replace, find } } } })
      },
    ],
    [
      'JWT sessions beside an adapter',
      /logout\.frontchannel` needs sessions that can be ended/,
      () => resolve({ frontchannel: true }, { adapter: memoryAdapter(), session: { strategy: 'jwt' } }),
    ],
  ]
  for (const [title, message, run] of refused) {
    it(`rejects ${title}`, () => {
      const error = thrownBy(run)
      expect(error).to.be.instanceOf(InvalidConfiguration)
      expect(error.message).to.match(message)
    })
  }

  it('rejects an adapter that cannot keep the links, naming the methods', () => {
    const { linkSession: _one, listSessionLinks: _other, ...adapter } = memoryAdapter()
    const error = thrownBy(() => resolve({ backchannel: true }, { adapter }))
    expect(error).to.be.instanceOf(MissingAdapterMethods)
    expect(error.message).to.match(/`linkSession`, `listSessionLinks`.*logout\.backchannel/)
  })
})
