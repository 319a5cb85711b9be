import { expect } from 'chai'
import { combine, type SessionStore } from '../../lib/adapters/index.js'
import { memoryAdapter, memoryStore } from '../../lib/adapters/memory/index.js'
import { resolveConfig } from '../../lib/config/resolve.js'
import { type Provider, ServerAuth, type ServerAuthConfig } from '../../lib/index.js'
import GitHub from '../../lib/providers/github.js'
import { credentials, secret } from '../support/app.js'
import { tokensIn, withRecords } from '../support/stores.js'

const provider = { ...GitHub({ clientId: 'id', clientSecret: 'secret' }) } as Provider

function configured(tokens: unknown, providers: Provider[] = [provider]): () => unknown {
  return () => ServerAuth({ secret, providers, tokens } as ServerAuthConfig)
}

/** The sessions of an adapter as a store of their own. */
function sessionsOf(adapter: ReturnType<typeof memoryAdapter>): SessionStore {
  return { ...adapter, getSession: () => null, deleteSessionsByUserId: () => {} }
}

describe('the option tokens', () => {
  for (const store of [memoryStore(), 'cookie']) {
    it(`takes ${typeof store === 'string' ? store : 'a store'}`, () => {
      expect(configured({ store })).to.not.throw()
    })
  }

  const wrong: ReadonlyArray<[what: string, tokens: unknown, message: RegExp]> = [
    ['a store in the place of the option', memoryStore(), /tokens: \{ store: sqlStore\(db\) \}/],
    ['no store', {}, /tokens\.store.*sqlStore/],
    ['a word', { store: 'cookies' }, /tokens\.store/],
    ['a store without a lease', { store: withRecords(memoryStore(), { lease: undefined as never }) }, /lacks lease/],
    ['another option', { store: 'cookie', maxAge: 3 }, /maxAge/],
    ['a boolean', true, /must be \{ store \}/],
  ]
  it('is missed where a provider lists scopes to ask for later', () => {
    const asking = { ...provider, incrementalScopes: ['repo'] } as Provider
    expect(configured(undefined, [asking])).to.throw(/providers\.github\.incrementalScopes.*tokens/)
    expect(configured({ store: memoryStore() }, [asking])).to.not.throw()
  })

  for (const [what, tokens, message] of wrong) {
    it(`refuses ${what}, and says what to write`, () => {
      expect(configured(tokens)).to.throw(message).with.property('type', 'InvalidConfiguration')
    })
  }

  it('takes the store of the adapter, the same one each time', () => {
    const adapter = memoryAdapter()
    const resolve = () => resolveConfig({ secret, providers: [provider], adapter, tokens: { store: true } })
    expect(resolve().tokens?.store).to.equal(adapter.store().records)
    expect(resolve().tokens?.store).to.equal(resolve().tokens?.store)
    const joined = combine(adapter, { sessions: sessionsOf(adapter) })
    expect(joined.store?.()).to.equal(adapter.store())
  })

  it('says what to write where the adapter has none', () => {
    expect(configured({ store: true })).to.throw(/tokens\.store.*there is no `adapter`.*sqlStore\(db\)/)
    const { store: _none, ...adapter } = memoryAdapter()
    const resolve = () => resolveConfig({ secret, providers: [provider], adapter, tokens: { store: true } })
    expect(resolve).to.throw(/this `adapter` has no store with `records`/)
  })

  it('forgets the tokens of a user who is deleted', async () => {
    const adapter = memoryAdapter()
    const store = tokensIn(adapter.store())
    await adapter.createUser({ id: 'ada', email: 'ada@example.com', emailVerified: null })
    const row = {
      provider: 'github',
      providerAccountId: '1',
      sealed: 'x',
      expiresAt: null,
      scope: null,
      needsConsent: false,
    }
    await store.write({ ...row, userId: 'ada' }, 0)
    await store.write({ ...row, providerAccountId: '2', userId: 'bob' }, 0)
    await adapter.deleteUser('ada')
    expect(await store.findByUser('ada')).to.deep.equal([])
    expect(await store.findByUser('bob')).to.have.length(1)
  })

  it('refuses to keep tokens where no provider gives any', () => {
    expect(configured({ store: 'cookie' }, [credentials()])).to.throw(/tokens/)
  })

  it('refuses a wrong refresh of a provider', () => {
    const bad = { ...provider, refresh: true } as unknown as Provider
    expect(configured({ store: 'cookie' }, [bad])).to.throw(/refresh.*false or \{ minTtl \}/)
  })
})
