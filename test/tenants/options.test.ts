/** The options of a tenant's configuration: the stores in them, and objects of classes. */
import { expect } from 'chai'
import { memoryAdapter, memoryStore } from '../../lib/adapters/memory/index.js'
import { resolveConfig } from '../../lib/config/resolve.js'
import { Totp } from '../../lib/features/factors/index.js'
import GitHub from '../../lib/providers/github.js'
import Password from '../../lib/providers/password.js'
import { tenantConfiguration } from '../../lib/tenants/configuration.js'
import { createScope } from '../../lib/tenants/scope.js'
import type { EmailConfig } from '../../lib/types/provider.js'
import type { Store } from '../../lib/types/store.js'
import { quickHasher } from '../password/stage.js'
import { credentials, secret } from '../support/app.js'
import { rejectionOf } from '../support/rejection.js'

const prefix = createScope('acme', new Set()).name('')
const settings = { secrets: () => [secret], sharedProviders: new Set<string>() }

describe('the options of a tenant', () => {
  let store: Store
  /** The keys of ended users that were written, and of passwords that were read. */
  let written: string[]
  beforeEach(() => {
    written = []
    const { log, ...rest } = memoryStore()
    const add: typeof log.add = (revocations) => {
      written.push(...revocations.map(({ key }) => key))
      return log.add(revocations)
    }
    const replace: typeof log.replace = (revocation) => {
      written.push(revocation.key)
      return log.replace(revocation)
    }
    const find: typeof rest.records.find = (table, key) => {
      written.push(...Object.values(key))
      return rest.records.find(table, key)
    }
    store = { ...rest, records: { ...rest.records, find }, log: { ...log, add, replace } }
  })

  /** Returns the stores of records that a tenant uses. Its users are disabled and enabled. */
  const storesOf = async (config: object): Promise<unknown[]> => {
    const loaded = { origins: ['http://acme.test'], adapter: memoryAdapter(), ...config }
    const resolved = resolveConfig(tenantConfiguration('acme', loaded as never, settings).config)
    await resolved.session.revocation?.disable('ann')
    const { factors, tokens, deletion, providers } = resolved
    const passwords = [...providers.values()].map((each) => (each.kind === 'credentials' ? each.password : undefined))
    for (const each of passwords) await each?.store.find('ann')
    return [factors, tokens, deletion, ...passwords].map((each) => each?.store).filter((each) => each !== undefined)
  }
  const mail: EmailConfig = {
    ...{ id: 'email', name: 'Email', type: 'email', limit: false },
    sendVerificationRequest: () => {},
  }
  const passwords = () => Password({ store, hash: quickHasher(), mail })
  const assertScoped = (found: readonly unknown[]) => {
    for (const each of found) expect(each).to.not.equal(store.records)
    expect(written).to.not.deep.equal([])
    for (const key of written) expect(key).to.satisfy((text: string) => text.startsWith(prefix))
  }

  it('TN-02 replaces every store', async () => {
    const found = await storesOf({
      providers: [passwords(), GitHub({ clientId: 'c', clientSecret: 's' })],
      factors: { methods: [Totp()], store },
      tokens: { store },
      deletion: { store },
      session: { revocation: store },
    })
    expect(found).to.have.length(4)
    assertScoped(found)
  })

  it('TN-02 replaces those in objects of a class, and of providers that are functions', async () => {
    class Revocation {
      readonly #store = store
      get store() {
        return this.#store
      }
    }
    const session = Object.assign(Object.create(null), { revocation: new Revocation() })
    const found = await storesOf({ session, providers: [() => passwords()] })
    expect(found).to.have.length(1)
    assertScoped(found)
  })

  it('TN-02 replaces those behind a provider that resolves another configuration', async () => {
    const nested = () => {
      resolveConfig({ providers: [], secret })
      return credentials()
    }
    const found = await storesOf({ providers: [nested, passwords()], session: { revocation: store } })
    expect(found).to.have.length(1)
    assertScoped(found)
  })

  it('TN-02 replaces none of a later configuration that is no tenant', async () => {
    await storesOf({ providers: [credentials()], session: { revocation: store } })
    written = []
    const { session } = resolveConfig({ providers: [credentials()], secret, session: { revocation: store } })
    await session.revocation?.disable('ann')
    expect(written).to.not.deep.equal([])
    for (const key of written) expect(key).to.not.include(prefix)
  })

  for (const [what, own] of Object.entries({
    'lacks methods': () => ({ records: { find: () => null } }),
    'is no store': () => ({ records: true, log: memoryStore().log }),
    'is a promise': async () => memoryStore(),
  })) {
    it(`TN-10 rejects a store of the adapter that ${what}`, async () => {
      const adapter = { ...memoryAdapter(), store: own }
      const error = await rejectionOf(storesOf({ adapter, providers: [credentials()], factors: { methods: [Totp()] } }))
      expect(error).to.have.property('name', 'InvalidConfiguration')
      expect(error.message).to.include('adapter.store()')
    })
  }

  it('TN-10 rejects a configuration that is an object of a class, whose inherited options would be lost', () => {
    class Config {
      readonly origins = ['http://acme.test']
      readonly providers = [credentials()]
      get rateLimit() {
        return { store }
      }
    }
    expect(() => tenantConfiguration('acme', new Config() as never, settings)).to.throw('must return a plain object')
  })
})
