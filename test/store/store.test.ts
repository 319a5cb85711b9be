/** The guard around an adapter: faults have one class, records one shape, and nothing passes for a "no" that is none. */
import { expect } from 'chai'
import { siteMemory } from '../../lib/base/memory.js'
import type { AdapterStore } from '../../lib/contracts/index.js'
import { AccountNotLinked, AdapterError, MissingAdapterMethods } from '../../lib/errors.js'
import { createGuardedStore } from '../../lib/store/index.js'
import type { Adapter, AdapterMethod } from '../../lib/types/adapter.js'
import { never } from '../support/adapter.js'
import { createLog } from '../support/app.js'
import { rejectionOf } from '../support/rejection.js'

const user = { id: 'u1', email: 'ann@example.com', emailVerified: null }
const session = { sessionToken: 'h1_x', userId: 'u1', expires: new Date(1e12) }
const account = { userId: 'u1', type: 'oidc' as const, provider: 'op', providerAccountId: 'a1' }
const passkey = {
  userId: 'u1',
  providerAccountId: 'handle',
  credentialID: 'c1',
  credentialPublicKey: 'key',
  counter: 0,
  credentialBackedUp: false,
  credentialDeviceType: 'singleDevice',
  transports: null,
}
const use = { credentialBackedUp: true, lastUsedAt: new Date(1e12) }
const token = { identifier: 'ann@example.com', token: 'hash', expires: new Date(1e12) }

function storeOf(adapter: Record<string, unknown>, timeout = 1000): AdapterStore {
  return createGuardedStore(adapter as Adapter, { logger: createLog().logger, timeout, memory: siteMemory('test') })
}

/** Every method of the store, with the adapter's that it calls. */
const calls: ReadonlyArray<[method: AdapterMethod, act: (store: AdapterStore) => Promise<unknown>]> = [
  ['createUser', (store) => store.createUser(user)],
  ['getUser', (store) => store.getUser('u1')],
  ['getUserByEmail', (store) => store.getUserByEmail('ann@example.com')],
  ['getUserByAccount', (store) => store.getUserByAccount({ provider: 'op', providerAccountId: 'a1' })],
  ['updateUser', (store) => store.updateUser(user)],
  ['listUsers', (store) => store.listUsers({ part: 'email', prefix: 'ann', limit: 50 })],
  ['linkAccount', (store) => store.linkAccount(account)],
  ['unlinkAccount', (store) => store.unlinkAccount({ provider: 'op', providerAccountId: 'a1' })],
  ['getAccount', (store) => store.getAccount('a1', 'op')],
  ['createSession', (store) => store.createSession(session)],
  ['getSessionAndUser', async (store) => store.getSessionAndUser('h1_x')],
  ['updateSession', (store) => store.updateSession(session)],
  ['deleteSession', (store) => store.deleteSession('h1_x')],
  ['createVerificationToken', (store) => store.createVerificationToken(token)],
  ['useVerificationToken', (store) => store.useVerificationToken(token)],
  ['deleteVerificationTokens', (store) => store.deleteVerificationTokens('ann@example.com')],
  ['listAccountsByUserId', (store) => store.listAccounts('u1')],
  ['listSessionsByUserId', (store) => store.listSessions('u1')],
  ['listAuthenticatorsByUserId', (store) => store.listAuthenticators('u1')],
  ['getAuthenticator', (store) => store.getAuthenticator('c1')],
  ['createAuthenticator', (store) => store.createAuthenticator(passkey)],
  ['updateAuthenticatorCounter', (store) => store.updateAuthenticatorCounter('c1', 1, use)],
  ['renameAuthenticator', (store) => store.renameAuthenticator('c1', 'My phone')],
  ['deleteAuthenticator', (store) => store.deleteAuthenticator('c1')],
  ['transaction', (store) => store.transaction(async () => 'done')],
]

describe('a method of the adapter', () => {
  const fault = new Error('connection refused')
  const failures: ReadonlyArray<[what: string, method: () => unknown]> = [
    [
      'throws',
      () => {
        throw fault
      },
    ],
    ['rejects', () => Promise.reject(fault)],
    ['rejects with no error', () => Promise.reject('a text')],
    ['rejects with nothing', () => Promise.reject(undefined)],
    ['rejects with an error of ours', () => Promise.reject(new AccountNotLinked('of the adapter'))],
    ['rejects with an error whose parts are no texts', () => Promise.reject(oddError())],
  ]
  function oddError(): Error {
    return Object.assign(new Error('x'), { message: { a: 1 }, stack: null, name: 5, code: {} })
  }

  for (const [method, act] of calls) {
    for (const [what, failing] of failures) {
      // Our errors come out of a transaction unchanged, because the work within has thrown them.
      if (method === 'transaction' && what.includes('of ours')) continue
      it(`\`${method}\` that ${what} is an AdapterError that names it`, async () => {
        const error = await rejectionOf(act(storeOf({ [method]: failing })))
        expect(error).to.be.instanceOf(AdapterError)
        expect(error.message).to.equal(`The adapter's method \`${method}\` failed.`)
        expect(error).to.have.nested.property('cause.method', method)
        expect(error).to.have.nested.property('cause.err').that.is.an('error')
      })
    }

    it(`\`${method}\` that hangs is an AdapterError that says so`, async () => {
      const error = await rejectionOf(act(storeOf({ [method]: never }, 5)))
      expect(error).to.be.instanceOf(AdapterError)
      expect(error).to.have.nested.property('cause.err.name', 'TimeoutError')
      expect(error)
        .to.have.nested.property('cause.err.message')
        .that.matches(new RegExp(`\`${method}\` took longer`))
    })

    if (method === 'transaction') continue
    it(`\`${method}\` that is missing is named`, async () => {
      const error = await rejectionOf(act(storeOf({})))
      expect(error).to.be.instanceOf(MissingAdapterMethods)
      expect(error.message).to.include(`\`${method}\``)
    })
  }

  it('is called on the adapter, from its prototype as well', async () => {
    class Database {
      readonly #rows = new Map([['u1', user]])
      async getUser(id: string) {
        return this.#rows.get(id) ?? null
      }
      async getAccount() {
        return null
      }
    }
    const store = createGuardedStore(new Database(), {
      logger: createLog().logger,
      timeout: 1000,
      memory: siteMemory('test'),
    })
    expect(store.abilities.getAccounts).to.equal(true)
    expect(store.abilities.listAccounts).to.equal(false)
    expect(await store.getUser('u1')).to.deep.equal(user)
  })

  it('that comes later, or is behind a getter which throws until then, is an ability from then on', () => {
    let isConnected = false
    const adapter: Adapter = {
      get transaction(): NonNullable<Adapter['transaction']> {
        if (isConnected) return async (work) => work(adapter)
        throw new Error('It is not connected.')
      },
    }
    const store = createGuardedStore(adapter, { logger: createLog().logger, timeout: 1000, memory: siteMemory('test') })
    expect(store.abilities.getAccounts).to.equal(false)
    adapter.getAccount = async () => null
    isConnected = true
    expect(store.abilities.getAccounts).to.equal(true)
    expect(store.abilities.transact).to.equal(true)
  })

  it('is told to the debug log by its name alone', async () => {
    const log = createLog()
    await createGuardedStore({ getUser: () => null } as Adapter, {
      logger: log.logger,
      timeout: 1000,
      memory: siteMemory('test'),
    }).getUser('secret-id')
    expect(log.debugs).to.deep.equal([{ message: 'adapter: getUser', details: [] }])
  })

  it('that fails after its time-out causes no unhandled rejection', async () => {
    let fail: (error: Error) => void = () => {}
    const late = new Promise((_resolve, reject) => {
      fail = reject
    })
    await rejectionOf(storeOf({ getUser: () => late }, 5).getUser('u1'))
    const unhandled: unknown[] = []
    const note = (error: unknown) => void unhandled.push(error)
    process.on('unhandledRejection', note)
    fail(new Error('late'))
    await new Promise((resolve) => setImmediate(resolve))
    process.off('unhandledRejection', note)
    expect(unhandled).to.deep.equal([])
  })
})

describe('an error of a driver', () => {
  async function faultOf(thrown: object, act: (store: AdapterStore) => Promise<unknown>, method: AdapterMethod) {
    const adapter = { [method]: () => Promise.reject(Object.assign(new Error('x'), thrown)) }
    const error = (await rejectionOf(act(storeOf(adapter)))) as AdapterError
    return error.cause?.err as Error & Record<string, unknown>
  }

  it('keeps its name and its code', async () => {
    const fault = await faultOf({ name: 'DatabaseError', code: '23505' }, (store) => store.getUser('u1'), 'getUser')
    expect(fault).to.include({ name: 'DatabaseError', code: '23505' })
    expect(fault).to.be.an('error')
  })

  it('loses statements, parameters, rows and what else hangs on it', async () => {
    const thrown = {
      detail: 'Key (email)=(ann@example.com) already exists.',
      sql: "insert into users values ('ann@example.com', 'hunter2')",
      parameters: ['hunter2'],
      query: 'select',
      cause: new Error('hunter2'),
      errors: [new Error('hunter2')],
    }
    const fault = await faultOf(thrown, (store) => store.createUser(user), 'createUser')
    expect(Object.getOwnPropertyNames(fault)).to.have.members(['message', 'name', 'stack'])
    expect(fault.cause).to.equal(undefined)
  })

  it('repeats no value of the call, however it is quoted', async () => {
    const linked = {
      ...account,
      access_token: 'opaque-token',
      refresh_token: 'Short pass',
      expires_at: 5,
      session_state: 'st',
    }
    const message = `Failed query: insert into "account" values ($1, $2)\nparams: op,oidc,opaque-token,'Short pass'`
    const fault = await faultOf(
      { message, stack: `Error: ${message}\n    at query` },
      (s) => s.linkAccount(linked),
      'linkAccount',
    )
    expect(fault.message).to.include('insert into "account"').and.include('op,oidc')
    for (const text of [fault.message, fault.stack]) expect(text).to.not.match(/opaque-token|Short pass/)
  })

  it('repeats no address, token or password', async () => {
    const hash = `h1_${'0f'.repeat(32)}`
    for (const secret of [
      ['ann@example.com', "Duplicate entry 'ann@example.com' for key 'users.email'"],
      [hash, `no row for ${hash}`],
      ['hunter2', 'connect to postgres://app:hunter2@db.test/app failed'],
      ['hunter2', "password='hunter2' is wrong"],
    ] as const) {
      const fault = await faultOf(
        { message: secret[1], stack: `Error: ${secret[1]}`, code: secret[1] },
        (store) => store.getUserByEmail('other@example.com'),
        'getUserByEmail',
      )
      for (const text of [fault.message, fault.stack, String(fault.code)]) expect(text).to.not.include(secret[0])
    }
  })
})

describe('a record of the adapter', () => {
  const garbage = [undefined, true, 5, 'text', [], [null], () => {}, Symbol('x')]
  const brokenUsers = [
    {},
    { ...user, id: '' },
    { ...user, id: null },
    { ...user, id: Number.NaN },
    { ...user, id: 2 ** 53 },
    { ...user, id: {} },
    { ...user, email: 5 },
    { ...user, email: {} },
    { ...user, emailVerified: 'yesterday' },
    { ...user, emailVerified: true },
  ]

  for (const method of ['createUser', 'updateUser'] as const) {
    const act = (value: unknown) => storeOf({ [method]: () => value })[method](user)
    it(`of \`${method}\` is a user, or a fault`, async () => {
      expect(await act(user)).to.deep.equal(user)
      for (const value of [null, ...garbage, ...brokenUsers]) {
        expect(await rejectionOf(act(value)), String(JSON.stringify(value))).to.be.instanceOf(AdapterError)
      }
    })
  }

  for (const [method, act] of calls.filter(([name]) => name.startsWith('getUser'))) {
    it(`of \`${method}\` is a user, null, or a fault`, async () => {
      expect(await act(storeOf({ [method]: () => user }))).to.deep.equal(user)
      for (const nobody of [null, undefined]) expect(await act(storeOf({ [method]: () => nobody }))).to.equal(null)
      for (const value of [...garbage.slice(1), ...brokenUsers]) {
        const error = await rejectionOf(act(storeOf({ [method]: () => value })))
        expect(error, String(JSON.stringify(value))).to.be.instanceOf(AdapterError)
      }
    })
  }

  it('has an id that is text, whatever the database counts with', async () => {
    for (const id of [7, 7n, '7']) {
      expect(await storeOf({ getUser: () => ({ ...user, id }) }).getUser('7')).to.deep.equal({ ...user, id: '7' })
    }
  })

  it('of `getUser` has exactly the id that was asked for', async () => {
    for (const [asked, id] of [
      ['ANN', 'ann'],
      ['7 or so', 7],
      ['07', 7],
      ['ann ', 'ann'],
    ] as const) {
      expect(await storeOf({ getUser: () => ({ ...user, id }) }).getUser(asked), asked).to.equal(null)
    }
  })

  it('keeps further columns of a user', async () => {
    const row = { ...user, role: 'admin', image: null }
    expect(await storeOf({ getUser: () => row }).getUser('u1')).to.deep.equal(row)
  })

  it('has times that are dates: of a date, a text or a number', async () => {
    const at = new Date('2030-01-31T10:00:00.000Z')
    for (const expires of [at, at.toISOString(), at.getTime(), BigInt(at.getTime())]) {
      const store = storeOf({
        getSessionAndUser: () => ({ session: { ...session, userId: 1, expires }, user }),
        useVerificationToken: () => ({ ...token, expires }),
        getUser: () => ({ ...user, emailVerified: expires }),
      })
      expect(await store.getSessionAndUser('h1_x')).to.deep.equal({
        session: { ...session, userId: '1', expires: at },
        user,
      })
      expect(await store.useVerificationToken(token)).to.deep.equal({ ...token, expires: at })
      expect(await store.getUser('u1')).to.deep.include({ emailVerified: at })
    }
  })

  it('of `getSessionAndUser` is both, nothing, or a fault: never "signed out" for what is not understood', async () => {
    const act = async (value: unknown) => storeOf({ getSessionAndUser: () => value }).getSessionAndUser('h1_x')
    for (const value of [
      null,
      undefined,
      {},
      { session, user: null },
      { session: null, user },
      { session: undefined },
    ]) {
      expect(await act(value)).to.equal(null)
    }
    for (const value of [
      ...garbage.slice(1),
      { session: 'x', user },
      { session: 'x', user: null },
      { session, user: 'x' },
      { session: {}, user },
      { session: { ...session, sessionToken: 5 }, user },
      { session: { ...session, userId: undefined }, user },
      { session: { ...session, expires: null }, user },
      { session: { ...session, expires: 'never' }, user },
      { session: { ...session, expires: new Date(Number.NaN) }, user },
      { session, user: { ...user, id: undefined } },
    ]) {
      expect(await rejectionOf(act(value)), String(JSON.stringify(value))).to.be.instanceOf(AdapterError)
    }
  })

  it('of `useVerificationToken` is a token, nothing, or a fault', async () => {
    const act = (value: unknown) => storeOf({ useVerificationToken: () => value }).useVerificationToken(token)
    for (const value of [null, undefined]) expect(await act(value)).to.equal(null)
    for (const value of [...garbage.slice(1), {}, { ...token, token: 5 }, { ...token, expires: 'x' }]) {
      expect(await rejectionOf(act(value))).to.be.instanceOf(AdapterError)
    }
  })

  it('of `getAccount` is an account, nothing, or a fault', async () => {
    const act = (value: unknown) => storeOf({ getAccount: () => value }).getAccount('a1', 'op')
    for (const value of [null, undefined]) expect(await act(value)).to.equal(null)
    expect(await act({ ...account, providerAccountId: 5, userId: 1 })).to.deep.include({
      providerAccountId: '5',
      userId: '1',
    })
    for (const value of [...garbage.slice(1), {}, { ...account, provider: 5 }, { ...account, userId: null }]) {
      expect(await rejectionOf(act(value))).to.be.instanceOf(AdapterError)
    }
  })

  for (const [method, act, good] of [
    ['listAccountsByUserId', (store: AdapterStore) => store.listAccounts('u1'), account],
    ['listSessionsByUserId', (store: AdapterStore) => store.listSessions('u1'), session],
    ['listAuthenticatorsByUserId', (store: AdapterStore) => store.listAuthenticators('u1'), passkey],
  ] as const) {
    it(`of \`${method}\` is a whole list, or a fault: what is not found would not be ended`, async () => {
      expect(await act(storeOf({ [method]: () => [] }))).to.deep.equal([])
      expect(await act(storeOf({ [method]: () => [good] }))).to.have.length(1)
      for (const value of [null, undefined, {}, 'x', [null], [good, 'x'], [good, {}]]) {
        const error = await rejectionOf(act(storeOf({ [method]: () => value })))
        expect(error, String(JSON.stringify(value))).to.be.instanceOf(AdapterError)
      }
    })
  }
})

describe('store.updateSession(session)', () => {
  const found = { session, user }
  it('believes an adapter that returns the session, with one call', async () => {
    const asked: string[] = []
    const store = storeOf({ updateSession: () => session, getSessionAndUser: (text: string) => void asked.push(text) })
    expect(await store.updateSession(session)).to.equal(true)
    expect(asked).to.deep.equal([])
  })

  for (const said of [undefined, null, 0, 1, true, {}, { changes: 0 }, []]) {
    it(`looks again where the adapter returns ${JSON.stringify(said)}`, async () => {
      const store = (row: unknown) => storeOf({ updateSession: () => said, getSessionAndUser: () => row })
      expect(await store(found).updateSession(session)).to.equal(true)
      expect(await store(null).updateSession(session)).to.equal(false)
    })
  }
})

describe('methods that change the same session', () => {
  it('run one after the other, in the order in which they were called', async () => {
    const steps: string[] = []
    const step = (name: string) => async () => {
      steps.push(`${name} begins`)
      await new Promise((resolve) => setImmediate(resolve))
      steps.push(`${name} ends`)
      return session
    }
    const store = storeOf({ updateSession: step('update'), deleteSession: step('delete') })
    await Promise.all([store.updateSession(session), store.deleteSession('h1_x')])
    expect(steps).to.deep.equal(['update begins', 'update ends', 'delete begins', 'delete ends'])
  })

  it('do not pile up behind one that hangs', async () => {
    let called = 0
    const hang = () => {
      called += 1
      return never()
    }
    const store = storeOf({ updateSession: hang, deleteSession: hang }, 20)
    const waiting = Array.from({ length: 20 }, (_, at) =>
      rejectionOf(at % 2 === 0 ? store.updateSession(session) : store.deleteSession('h1_x')),
    )
    for (const error of await Promise.all(waiting)) expect(error).to.be.instanceOf(AdapterError)
    // Long enough for some of those that were given up to be called after all.
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(called).to.be.below(6)
  })

  it('continue after one that failed, and others do not wait for it', async () => {
    const store = storeOf(
      {
        updateSession: () => Promise.reject(new Error('down')),
        deleteSession: (text: string) => (text === 'slow' ? never() : session),
      },
      20,
    )
    const slow = rejectionOf(store.deleteSession('slow'))
    await rejectionOf(store.updateSession(session))
    expect(await store.deleteSession('h1_x')).to.deep.equal(session)
    expect(await slow).to.be.instanceOf(AdapterError)
  })
})

describe('store.deleteSession(sessionToken)', () => {
  it('returns the session where the adapter says which', async () => {
    expect(await storeOf({ deleteSession: () => session }).deleteSession('h1_x')).to.deep.equal(session)
  })

  it('is content with whatever else the adapter returns: the session is gone', async () => {
    for (const said of [undefined, null, 1, 'ok', {}, [], { ...session, expires: 'x' }, { sessionToken: 5 }]) {
      expect(await storeOf({ deleteSession: () => said }).deleteSession('h1_x')).to.equal(null)
    }
  })
})

describe('store.useVerificationToken(params)', () => {
  it('asks once at a time for the same token, whatever the adapter does', async () => {
    let asked = 0
    const store = storeOf({
      async useVerificationToken() {
        asked += 1
        await new Promise((resolve) => setImmediate(resolve))
        return token
      },
    })
    const answers = await Promise.all(Array.from({ length: 50 }, () => store.useVerificationToken(token)))
    expect(answers.filter((answer) => answer !== null)).to.have.length(1)
    expect(asked).to.equal(1)
  })

  it('asks for others meanwhile, and again after a fault', async () => {
    const store = storeOf({
      useVerificationToken: ({ token: text }: { token: string }) =>
        text === 'bad' ? Promise.reject(new Error('down')) : token,
    })
    const both = [store.useVerificationToken(token), store.useVerificationToken({ ...token, token: 'other' })]
    expect(await Promise.all(both)).to.deep.equal([token, token])
    for (let times = 0; times < 2; times += 1) {
      await rejectionOf(store.useVerificationToken({ ...token, token: 'bad' }))
    }
  })
})

describe('store.transaction(work)', () => {
  it('runs the work one after the other where the adapter has none', async () => {
    const store = storeOf({ getUser: () => user })
    expect(await store.transaction((tx) => tx.getUser('u1'))).to.deep.equal(user)
  })

  it('guards the adapter within as well', async () => {
    const store = storeOf({
      transaction: (work: (adapter: Adapter) => Promise<unknown>) => work({ getUser: () => 'x' } as unknown as Adapter),
    })
    const error = await rejectionOf(store.transaction((tx) => tx.getUser('u1')))
    expect(error).to.be.instanceOf(AdapterError)
    expect(error).to.have.nested.property('cause.method', 'getUser')
  })

  it('returns what the work returned, whatever the adapter makes of it', async () => {
    const store = storeOf({
      async transaction(work: (adapter: Adapter) => Promise<unknown>) {
        await work({})
        return { rows: [] }
      },
    })
    expect(await store.transaction(async () => 'mine')).to.equal('mine')
    expect(await store.transaction(async () => undefined)).to.equal(undefined)
  })

  it('returns the last result of an adapter that tries again', async () => {
    let tries = 0
    const store = storeOf({
      async transaction(work: (adapter: Adapter) => Promise<unknown>) {
        await work({})
        return work({})
      },
    })
    expect(await store.transaction(async () => (tries += 1))).to.equal(2)
  })

  it('is a fault when the adapter did not run the work', async () => {
    const error = await rejectionOf(storeOf({ transaction: async () => user }).transaction(async () => 'x'))
    expect(error).to.be.instanceOf(AdapterError)
    expect(error.message).to.include('did not run')
  })

  it('lets out what the work threw for a reason of its own', async () => {
    const reason = new AccountNotLinked('of the engine')
    const store = storeOf({ transaction: (work: (adapter: Adapter) => Promise<unknown>) => work({}) })
    expect(
      await rejectionOf(
        store.transaction(async () => {
          throw reason
        }),
      ),
    ).to.equal(reason)
  })

  it('may take longer than one method, since it runs several', async () => {
    const slow = () => new Promise<null>((resolve) => setTimeout(() => resolve(null), 60))
    const store = storeOf(
      { transaction: (work: (adapter: Adapter) => Promise<unknown>) => work({ getUser: slow }), getUser: slow },
      100,
    )
    const twice = store.transaction(async (tx) => [await tx.getUser('a'), await tx.getUser('b')])
    expect(await twice).to.deep.equal([null, null])
  })
})
