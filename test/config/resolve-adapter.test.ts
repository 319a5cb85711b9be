/** The option `adapter`, and what follows from it: the strategy, and the methods that each feature needs. */
import { expect } from 'chai'
import { combine } from '../../lib/adapters/combine.js'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import { connect, sqlAdapter } from '../../lib/adapters/sql/index.js'
import { resolveConfig } from '../../lib/config/resolve.js'
import {
  AdapterError,
  InvalidConfiguration,
  MissingAdapter,
  MissingAdapterMethods,
  UnsupportedStrategy,
} from '../../lib/errors.js'
import { ServerAuth, type ServerAuthConfig } from '../../lib/index.js'
import type { Adapter, AdapterMethod } from '../../lib/types/adapter.js'
import { createLog, credentials, secret } from '../support/app.js'
import { rejectionOf, thrownBy } from '../support/rejection.js'

const oidc = {
  id: 'op',
  name: 'OP',
  type: 'oidc',
  issuer: 'https://op.test',
  clientId: 'c',
  clientSecret: 's',
} as const
const email = { id: 'email', name: 'E-mail', type: 'email', sendVerificationRequest: () => {} } as const

function resolve(options: object) {
  return resolveConfig({ providers: [], secret, logger: createLog().logger, ...options } as ServerAuthConfig)
}

/** An adapter with these methods only. */
function adapterOf(names: readonly AdapterMethod[]): Adapter {
  return Object.fromEntries(names.map((name) => [name, () => null]))
}

describe('the time that a method of the adapter may take', () => {
  const realSetTimeout = globalThis.setTimeout

  afterEach(() => {
    globalThis.setTimeout = realSetTimeout
  })

  /** The milliseconds after which a method that hangs is given up. */
  async function patience(options: object): Promise<unknown[]> {
    const waited: unknown[] = []
    const adapter = { ...memoryAdapter(), getUserByEmail: () => new Promise(() => {}) }
    const { store } = resolve({ adapter, ...options })
    globalThis.setTimeout = ((late: () => void, milliseconds: number) => {
      waited.push(milliseconds)
      return realSetTimeout(late, 0)
    }) as typeof setTimeout
    const error = await rejectionOf(Promise.resolve(store?.getUserByEmail('ann@example.com')))
    expect(error).to.be.instanceOf(AdapterError)
    return waited
  }

  it('is 5 seconds, or what is set', async () => {
    expect(await patience({})).to.deep.equal([5000])
    expect(await patience({ timeout: 20 })).to.deep.equal([20_000])
    expect(await patience({ timeout: 1 })).to.deep.equal([1000])
  })
})

describe('session.strategy', () => {
  it('is "jwt" without an adapter, "database" with one', () => {
    expect(resolve({}).session.strategy).to.equal('jwt')
    expect(resolve({ adapter: undefined }).session.strategy).to.equal('jwt')
    expect(resolve({ adapter: memoryAdapter() }).session.strategy).to.equal('database')
  })

  it('is what is said', () => {
    expect(resolve({ adapter: memoryAdapter(), session: { strategy: 'jwt' } }).session.strategy).to.equal('jwt')
    expect(resolve({ adapter: memoryAdapter(), session: { strategy: 'database' } }).session.strategy).to.equal(
      'database',
    )
  })

  for (const [options, Class, message] of [
    [{ session: { strategy: 'database' } }, MissingAdapter, /"database" needs an `adapter`/],
    [
      { session: { legacy: { cookieName: 'old', until: '2999-01-01' } } },
      UnsupportedStrategy,
      /`session\.legacy` is for database sessions\. For JWT sessions use `jwt\.legacy`/,
    ],
    [
      { adapter: memoryAdapter(), callbacks: { jwt: () => null } },
      InvalidConfiguration,
      /`callbacks\.jwt` never runs with database sessions.*`callbacks\.session`, which gets the stored `user`, or set `session: { strategy: "jwt" }`/,
    ],
    [{ session: { cacheFor: 10 } }, UnsupportedStrategy, /`session\.cacheFor` is for database sessions\..* Remove it/],
    [
      { adapter: memoryAdapter(), session: { legacy: { cookieName: 'old' } } },
      InvalidConfiguration,
      /`session\.legacy` needs `cookieName`.*and `until`/,
    ],
    [
      { adapter: memoryAdapter(), session: { legacy: { cookieName: 'old', until: 'soon' } } },
      InvalidConfiguration,
      /`session\.legacy` needs/,
    ],
    [
      { adapter: memoryAdapter(), session: { legacy: { cookieName: '', until: '2999-01-01' } } },
      InvalidConfiguration,
      /`session\.legacy\.cookieName` must be a non-empty string/,
    ],
    [
      { adapter: memoryAdapter(), session: { legacy: { cookieName: 'old', until: '2999-01-01', banana: 1 } } },
      InvalidConfiguration,
      /no option `session\.legacy\.banana`/,
    ],
  ] as const) {
    it(`is refused, at construction: ${message.source.slice(0, 50)}`, () => {
      const error = thrownBy(() => resolve(options))
      expect(error).to.be.instanceOf(Class)
      expect(error.message).to.match(message)
      expect(thrownBy(() => ServerAuth({ providers: [], secret, ...options } as ServerAuthConfig))).to.be.instanceOf(
        Class,
      )
    })
  }

  it('takes `bearer` with both strategies', () => {
    for (const strategy of ['jwt', 'database'] as const) {
      const { session } = resolve({ adapter: memoryAdapter(), session: { strategy, bearer: true } })
      expect(session).to.include({ strategy, bearer: true })
    }
  })

  it('takes `legacy` until its date, and warns after it', () => {
    const until = new Date(Date.now() + 60_000)
    const adapter = memoryAdapter()
    expect(resolve({ adapter, session: { legacy: { cookieName: 'old', until } } }).session.legacy).to.deep.equal({
      cookieName: 'old',
      until: until.getTime(),
    })
    const log = createLog()
    const past = { legacy: { cookieName: 'old', until: '2020-01-01' } }
    expect(
      resolve({ adapter, providers: [credentials()], logger: log.logger, session: past }).session,
    ).to.not.have.property('legacy')
    expect(log.warnings.map(({ code }) => code)).to.deep.equal(['legacy-ended'])
  })
})

describe('adapter', () => {
  for (const [what, value, message] of [
    ['a function', memoryAdapter, /`adapter` must be an adapter's object, not a function\. Call it/],
    ['null', null, /`adapter` must be an adapter's object, not null/],
    ['an array', [memoryAdapter()], /`adapter` must be an adapter's object, not an array/],
    [
      'a text',
      'postgres://localhost',
      /`adapter` must be an adapter's object, not a string\. Open the database: `adapter: sqlAdapter/,
    ],
    ['a promise', Promise.resolve(memoryAdapter()), /`adapter` must be an adapter's object, not a promise\. Await it/],
  ] as const) {
    it(`is not ${what}`, () => {
      for (const session of [{}, { strategy: 'jwt' }]) {
        const error = thrownBy(() => resolve({ adapter: value, session }))
        expect(error).to.be.instanceOf(InvalidConfiguration)
        expect(error.message).to.match(message).and.not.include('postgres:')
      }
    })
  }

  it('is not the database itself, nor a store of sessions alone: the error says what makes an adapter of it', () => {
    const database = { selectFrom: () => {} }
    const sessions = { getSession: () => null, createSession: () => null }
    expect(thrownBy(() => resolve({ adapter: database })).message).to.contain('sqlAdapter(db)')
    expect(thrownBy(() => resolve({ adapter: sessions })).message).to.contain('combine(users, { sessions })')
  })

  it('is missing for sign-in by email', () => {
    const error = thrownBy(() => resolve({ providers: [email] }))
    expect(error).to.be.instanceOf(MissingAdapter)
    expect(error.message).to.match(/Email links require a database\. Set an `adapter`/)
  })

  it('may be of a class, whose methods are on the prototype and keep their `this`', async () => {
    class Database {
      readonly #rows = memoryAdapter()
      createUser = this.#rows.createUser
      getUser(id: string) {
        return this.#rows.getUser(id)
      }
      getUserByEmail(address: string) {
        return this.#rows.getUserByEmail(address)
      }
      getUserByAccount(key: Parameters<NonNullable<Adapter['getUserByAccount']>>[0]) {
        return this.#rows.getUserByAccount(key)
      }
      updateUser = this.#rows.updateUser
      linkAccount = this.#rows.linkAccount
      createSession = this.#rows.createSession
      getSessionAndUser(text: string) {
        return this.#rows.getSessionAndUser(text)
      }
      updateSession = this.#rows.updateSession
      deleteSession = this.#rows.deleteSession
    }
    const { store } = resolve({ adapter: new Database() })
    expect(await store?.getUser('nobody')).to.equal(null)
    expect(await store?.getSessionAndUser('none')).to.equal(null)
  })

  it('is never written to', () => {
    const adapter = Object.freeze(memoryAdapter())
    expect(resolve({ adapter }).store?.abilities.transact).to.equal(true)
  })
})

describe('the methods of an adapter', () => {
  const users = ['createUser', 'getUser', 'getUserByEmail', 'updateUser'] as const
  const accounts = [...users, 'getUserByAccount', 'linkAccount'] as const
  const sessions = [...accounts, 'createSession', 'getSessionAndUser', 'updateSession', 'deleteSession'] as const
  const links = ['createVerificationToken', 'useVerificationToken'] as const
  const jwt = { session: { strategy: 'jwt' } }

  const features: ReadonlyArray<[what: string, options: object, needs: readonly AdapterMethod[], words: RegExp]> = [
    ['database sessions', { providers: [credentials()] }, sessions, /needed for database sessions.*strategy: "jwt"/],
    ['OAuth with JWT sessions', { ...jwt, providers: [oidc] }, accounts, /needed for users who sign in with OAuth/],
    ['e-mail with JWT sessions', { ...jwt, providers: [email] }, [...users, ...links], /needed for sign-in by email/],
    ['e-mail with database sessions', { providers: [email] }, [...sessions, ...links], /needed for/],
  ]
  for (const [what, options, needs, words] of features) {
    it(`are enough for ${what} where all of these are there`, () => {
      expect(resolve({ adapter: adapterOf(needs), ...options }).store).to.be.an('object')
    })

    for (const missing of needs) {
      it(`are too few for ${what} without \`${missing}\``, () => {
        const adapter = adapterOf(needs.filter((name) => name !== missing))
        const error = thrownBy(() => resolve({ adapter, ...options }))
        expect(error).to.be.instanceOf(MissingAdapterMethods)
        expect(error.message).to.include(`\`${missing}\``).and.match(words)
      })
    }
  }

  it('that are missing are named all at once, and those alone', () => {
    const error = thrownBy(() => resolve({ adapter: adapterOf(users) }))
    expect(error.message).to.match(
      /lacks `getUserByAccount`, `linkAccount`, `createSession`, `getSessionAndUser`, `updateSession`, `deleteSession`, needed/,
    )
    for (const name of users) expect(error.message).to.not.include(`\`${name}\``)
  })

  it('of passkeys are missing in the presets of other libraries, which is said of an adapter joined to Redis, too', () => {
    const db = connect(':memory:')
    const providers = [{ id: 'passkey', name: 'Passkey', type: 'passkey' }]
    for (const [preset, message] of [
      ['kysely', /lacks `getAuthenticator`.*The preset `kysely` has no table of passkeys/],
      ['pg', /lacks `getAuthenticator`.*The preset `pg` has no table of passkeys/],
    ] as const) {
      const made = sqlAdapter(db, { preset, ...(preset === 'pg' && { dialect: 'postgres' }) })
      for (const adapter of [made, combine(made, { sessions: { ...memoryAdapter(), getSession: () => null } })]) {
        const experimental = { enableWebAuthn: true }
        expect(thrownBy(() => resolve({ adapter, providers, experimental })).message).to.match(message)
      }
    }
    return db.destroy()
  })

  it('are no methods when they are no functions', () => {
    const adapter = { ...adapterOf(sessions), deleteSession: true }
    expect(thrownBy(() => resolve({ adapter })).message).to.include('lacks `deleteSession`')
  })

  it('are not needed by what is not used: credentials with JWT sessions', () => {
    expect(resolve({ adapter: {}, ...jwt, providers: [credentials()] }).session.strategy).to.equal('jwt')
  })
})

describe('the store of an adapter', () => {
  it('FO-06: a promise of a store is refused, and does not pass for no store', () => {
    const adapter = memoryAdapter()
    const late = { ...adapter, store: async () => adapter.store() }
    const make = (session: object) => thrownBy(() => resolve({ adapter: late, session }))
    for (const session of [{}, { strategy: 'jwt' }, { strategy: 'jwt', revocation: true }]) {
      const error = make(session)
      expect(error).to.be.instanceOf(InvalidConfiguration)
      expect(error.message).to.equal('`adapter.store()` must return the store itself, not a promise.')
    }
  })
})
