import { expect } from 'chai'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import type { Adapter, AdapterSession, AdapterUser, VerificationToken } from '../../lib/types/adapter.js'
import { rejectionOf, thrownBy } from '../support/rejection.js'

const tomorrow = () => new Date(Date.now() + 86_400_000)
const yesterday = () => new Date(Date.now() - 86_400_000)

function user(id: string, changes: Partial<AdapterUser> = {}): AdapterUser {
  return { id, name: 'Ada', email: `${id}@example.test`, emailVerified: null, ...changes }
}

function session(sessionToken: string, changes: Partial<AdapterSession> = {}): AdapterSession {
  return { sessionToken, userId: 'ada', expires: tomorrow(), ...changes }
}

function token(text: string, changes: Partial<VerificationToken> = {}): VerificationToken {
  return { identifier: 'ada@example.test', token: text, expires: tomorrow(), ...changes }
}

const account = (providerAccountId: string, userId = 'ada') =>
  ({ type: 'oauth', provider: 'github', providerAccountId, userId }) as const

const passkey = (credentialID: string) => ({
  userId: 'ada',
  providerAccountId: credentialID,
  credentialID,
  credentialPublicKey: 'key',
  counter: 0,
  credentialBackedUp: false,
  credentialDeviceType: 'singleDevice',
})

/** Creates an adapter that holds `maxRecords` of each kind, and the user `ada`. */
async function withAda(maxRecords?: number) {
  const adapter = memoryAdapter({ maxRecords })
  await adapter.createUser(user('ada'))
  return adapter
}

/** A promise that a test fulfils when it wants to. */
function gate(): { readonly opened: Promise<void>; open(): void } {
  const control = { open: () => {} }
  const opened = new Promise<void>((resolve) => {
    control.open = resolve
  })
  return { opened, open: () => control.open() }
}

describe('memoryAdapter', () => {
  describe('records', () => {
    it('gives a user the proposed id, or one of its own', async () => {
      const adapter = memoryAdapter()
      expect(await adapter.createUser(user('ada'))).to.have.property('id', 'ada')
      const { id } = await adapter.createUser(user('', { email: 'grace@example.test' }))
      expect(id).to.match(/^[\w-]{36}$/)
      expect(await adapter.getUser(id)).to.have.property('email', 'grace@example.test')
    })

    it('refuses an id that is taken', async () => {
      const adapter = await withAda()
      const { message } = await rejectionOf(
        adapter.createUser(user('ada', { email: 'other@example.test' })) as Promise<unknown>,
      )
      expect(message).to.equal('The user already exists.')
      expect(await adapter.getUser('ada')).to.have.property('email', 'ada@example.test')
    })

    it('keeps no session, account or passkey of a user who does not exist', async () => {
      const adapter = memoryAdapter()
      for (const stored of [
        adapter.createSession(session('s')),
        adapter.linkAccount(account('1')),
        adapter.createAuthenticator(passkey('k')),
      ]) {
        expect((await rejectionOf(stored as Promise<unknown>)).message).to.equal('The user does not exist.')
      }
      expect(await adapter.getAccount('1', 'github')).to.equal(null)
    })

    it('names no record in its errors', async () => {
      const adapter = await withAda()
      const { message } = await rejectionOf(
        adapter.createUser(user('bob', { email: 'ada@example.test' })) as Promise<unknown>,
      )
      expect(message).to.equal('The email address is already in use.')
    })

    it('treats undefined in a change as not given', async () => {
      const adapter = await withAda()
      await adapter.updateUser({ id: 'ada', name: undefined, email: undefined, image: 'a.png' })
      expect(await adapter.getUser('ada')).to.deep.equal({ ...user('ada'), image: 'a.png' })
    })

    it('copies its arguments immediately, even if it stores them later', async () => {
      const adapter = memoryAdapter()
      const given = user('ada', { emailVerified: new Date(1000) })
      const created = adapter.createUser(given)
      given.name = 'changed'
      given.emailVerified?.setTime(0)
      await created
      expect(await adapter.getUser('ada')).to.deep.equal(user('ada', { emailVerified: new Date(1000) }))
    })

    it('returns copies, down to nested values and those of lists', async () => {
      const adapter = await withAda()
      await adapter.linkAccount({ ...account('1'), authorization_details: [{ type: 'pay', actions: ['read'] }] })
      await adapter.createSession(session('s'))
      const [listed] = await adapter.listAccountsByUserId('ada')
      listed?.authorization_details?.[0]?.actions?.push('write')
      const [open] = await adapter.listSessionsByUserId('ada')
      open?.expires.setTime(0)
      const found = await adapter.getSessionAndUser('s')
      found?.user.emailVerified?.setTime(0)
      expect(found?.session.expires.getTime()).to.be.greaterThan(Date.now())
      const stored = await adapter.getAccount('1', 'github')
      expect(stored?.authorization_details).to.deep.equal([{ type: 'pay', actions: ['read'] }])
    })

    it('keeps a record under __proto__ like any other', async () => {
      const adapter = memoryAdapter()
      expect(await adapter.getUser('__proto__')).to.equal(null)
      await adapter.createUser(user('__proto__', { email: 'constructor' }))
      await adapter.updateUser({ id: '__proto__', ...JSON.parse('{"__proto__":{"role":"admin"}}') })
      expect(await adapter.getUserByEmail('constructor')).to.include({ id: '__proto__', name: 'Ada' })
      expect(await adapter.getUserByEmail('constructor')).not.to.have.property('role')
      expect({}).not.to.have.property('role')
    })

    it('distinguishes two pairs of names that are equal when joined', async () => {
      const adapter = await withAda()
      await adapter.linkAccount({ ...account('c'), provider: 'a","b' })
      expect(await adapter.getAccount('b","c', 'a')).to.equal(null)
      expect(await adapter.getAccount('c', 'a","b')).to.include({ userId: 'ada' })
    })

    it('lists records in the order they came, changed or not', async () => {
      const adapter = await withAda()
      for (const id of ['a', 'b', 'c']) await adapter.createAuthenticator(passkey(id))
      await adapter.updateAuthenticatorCounter('a', 7)
      await adapter.renameAuthenticator('b', 'phone')
      const listed = await adapter.listAuthenticatorsByUserId('ada')
      expect(listed.map(({ credentialID }) => credentialID)).to.deep.equal(['a', 'b', 'c'])
    })

    it('returns the record that it deletes', async () => {
      const adapter = await withAda()
      await adapter.createSession(session('s'))
      await adapter.linkAccount(account('1'))
      expect(await adapter.deleteSession('s')).to.have.property('sessionToken', 's')
      expect(await adapter.deleteSession('s')).to.equal(null)
      expect(await adapter.unlinkAccount({ provider: 'github', providerAccountId: '1' })).to.have.property(
        'userId',
        'ada',
      )
      expect(await adapter.deleteUser('ada')).to.have.property('id', 'ada')
    })
  })

  describe('prune', () => {
    it('removes expired records, and returns their number', async () => {
      const adapter = await withAda()
      for (const name of ['a', 'b']) await adapter.createSession(session(name, { expires: yesterday() }))
      await adapter.createSession(session('c'))
      await adapter.createVerificationToken(token('a', { expires: yesterday() }))
      await adapter.createVerificationToken(token('b'))
      expect(await adapter.getSessionAndUser('a')).to.have.nested.property('user.id', 'ada')
      expect(await adapter.prune()).to.deep.equal({ sessions: 2, verificationTokens: 1 })
      expect(await adapter.getSessionAndUser('a')).to.equal(null)
      expect(await adapter.getSessionAndUser('c')).not.to.equal(null)
      expect(await adapter.prune()).to.deep.equal({ sessions: 0, verificationTokens: 0 })
    })

    it('sees a session that was shortened, and one that ends after an earlier prune', async () => {
      const adapter = await withAda()
      await adapter.createSession(session('a'))
      await adapter.createSession(session('b'))
      expect(await adapter.prune()).to.include({ sessions: 0 })
      await adapter.updateSession({ sessionToken: 'b', expires: yesterday() })
      expect(await adapter.prune()).to.include({ sessions: 1 })
      await adapter.updateSession({ sessionToken: 'a', expires: yesterday() })
      expect(await adapter.prune()).to.include({ sessions: 1 })
    })
  })

  describe('session links', () => {
    it('go with their session, however it goes', async () => {
      const adapter = await withAda()
      const subject = 'person'
      const link = async (name: string, expires?: Date) => {
        await adapter.createSession(session(name, expires && { expires }))
        await adapter.linkSession({ sessionToken: name, subject, providerSession: null })
      }
      const left = async () => (await adapter.listSessionLinks({ subject })).map(({ sessionToken }) => sessionToken)
      await link('a')
      await link('old', yesterday())
      await link('b')
      await adapter.deleteSession('a')
      expect(await left()).to.deep.equal(['old', 'b'])
      await adapter.prune()
      expect(await left()).to.deep.equal(['b'])
      await adapter.deleteSessionsByUserId('ada')
      expect(await left()).to.deep.equal([])
      const late = async () => adapter.linkSession({ sessionToken: 'a', subject, providerSession: null })
      expect(await rejectionOf(late())).to.be.an('error')
    })
  })

  describe('maxRecords', () => {
    it('rejects an invalid number of records', () => {
      for (const maxRecords of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '10']) {
        const error = thrownBy(() => Reflect.apply(memoryAdapter, undefined, [{ maxRecords }]))
        expect(error).to.be.instanceOf(RangeError)
        expect(error.message).to.equal('`maxRecords` must be a whole number above 0.')
      }
    })

    it('drops no user, account or passkey: a full table rejects', async () => {
      const adapter = await withAda(1)
      await adapter.linkAccount(account('1'))
      await adapter.createAuthenticator(passkey('k'))
      const full = (what: string) => `The memory adapter is full: it holds 1 records of the kind ${what}.`
      const refused = async (stored: unknown) => (await rejectionOf(stored as Promise<unknown>)).message
      expect(await refused(adapter.createUser(user('bob')))).to.equal(full('user'))
      expect(await refused(adapter.linkAccount(account('2')))).to.equal(full('account'))
      expect(await refused(adapter.createAuthenticator(passkey('l')))).to.equal(full('passkey'))
      expect(await adapter.getUserByEmail('ada@example.test')).not.to.equal(null)
      expect(await adapter.updateUser({ id: 'ada', name: 'Ada King' })).to.have.property('name', 'Ada King')
      await adapter.deleteUser('ada')
      expect(await adapter.createUser(user('bob'))).to.have.property('id', 'bob')
    })

    it('first drops expired records to make room', async () => {
      const adapter = await withAda(3)
      await adapter.createSession(session('old'))
      await adapter.createSession(session('expired', { expires: yesterday() }))
      await adapter.createSession(session('other'))
      await adapter.createSession(session('new'))
      const tokens = (await adapter.listSessionsByUserId('ada')).map(({ sessionToken }) => sessionToken)
      expect(tokens).to.deep.equal(['old', 'other', 'new'])
    })

    it('then drops the oldest session of the same user, or otherwise of any user', async () => {
      const adapter = await withAda(3)
      await adapter.createUser(user('bob'))
      await adapter.createUser(user('eve'))
      await adapter.createSession(session('ada 1'))
      await adapter.createSession(session('bob 1', { userId: 'bob' }))
      await adapter.createSession(session('bob 2', { userId: 'bob' }))
      await adapter.createSession(session('bob 3', { userId: 'bob' }))
      const open = async () => {
        const lists = await Promise.all(['ada', 'bob', 'eve'].map(async (id) => adapter.listSessionsByUserId(id)))
        return lists.flat().map(({ sessionToken }) => sessionToken)
      }
      expect(await open()).to.deep.equal(['ada 1', 'bob 2', 'bob 3'])
      await adapter.createSession(session('eve 1', { userId: 'eve' }))
      expect(await open()).to.deep.equal(['bob 2', 'bob 3', 'eve 1'])
    })

    it('drops only the oldest tokens in a flood of them', async () => {
      const adapter = memoryAdapter({ maxRecords: 100 })
      const identifierOf = (index: number) => `${index}@example.test`
      for (let index = 0; index < 1000; index += 1) {
        await adapter.createVerificationToken(token('t', { identifier: identifierOf(index) }))
      }
      const used = await Promise.all(
        Array.from({ length: 1000 }, async (_, index) =>
          adapter.useVerificationToken({ identifier: identifierOf(index), token: 't' }),
        ),
      )
      expect(used.filter((each) => each !== null)).to.have.length(100)
      expect(used.findIndex((each) => each !== null)).to.equal(900)
    })

    it('compares when sessions began, not when they were extended, and knows which are gone', async () => {
      const adapter = await withAda(3)
      const begin = async (...names: string[]) => {
        for (const name of names) await adapter.createSession(session(name))
      }
      const open = async () => (await adapter.listSessionsByUserId('ada')).map(({ sessionToken }) => sessionToken)
      await begin('a', 'b', 'c')
      await adapter.updateSession({ sessionToken: 'a', expires: tomorrow() })
      await begin('d')
      expect(await open()).to.deep.equal(['b', 'c', 'd'])
      await adapter.deleteSession('b')
      await begin('b', 'e')
      expect(await open()).to.deep.equal(['d', 'b', 'e'])
      await adapter.deleteSessionsByUserId('ada')
      await begin('f', 'g', 'h', 'i', 'j')
      expect(await open()).to.deep.equal(['h', 'i', 'j'])
    })

    it('drops nothing for a record that it rejects', async () => {
      const adapter = await withAda(2)
      await adapter.createSession(session('a'))
      await adapter.createSession(session('b'))
      const { message } = await rejectionOf(adapter.createSession(session('b')) as Promise<unknown>)
      expect(message).to.equal('The session already exists.')
      expect(await adapter.listSessionsByUserId('ada')).to.have.length(2)
    })
  })

  describe('transaction', () => {
    it('undoes every kind of change, and what made room for it', async () => {
      const adapter = await withAda(2)
      await adapter.linkAccount(account('1'))
      await adapter.createSession(session('old'))
      await adapter.createSession(session('older', { expires: yesterday() }))
      await adapter.createVerificationToken(token('t'))
      await adapter.createAuthenticator(passkey('k'))
      const state = async () => [
        await adapter.getUserByEmail('ada@example.test'),
        await adapter.getUserByEmail('new@example.test'),
        await adapter.listAccountsByUserId('ada'),
        await adapter.listSessionsByUserId('ada'),
        await adapter.listAuthenticatorsByUserId('ada'),
        await adapter.getUserByAccount(account('1')),
      ]
      const before = await state()
      const refusal = new Error('no')
      const failed = adapter.transaction(async (within) => {
        await within.updateUser?.({ id: 'ada', email: 'new@example.test' })
        await within.updateSession?.({ sessionToken: 'old', expires: yesterday() })
        await within.createSession?.(session('new'))
        await within.deleteVerificationTokens?.('ada@example.test')
        await within.renameAuthenticator?.('k', 'phone')
        await within.updateAuthenticatorCounter?.('k', 7)
        await within.deleteUser?.('ada')
        await within.createUser?.(user('ada', { name: 'Eve' }))
        await within.linkAccount?.(account('1'))
        throw refusal
      })
      expect(await rejectionOf(failed)).to.equal(refusal)
      const after = await state()
      expect(sorted(after)).to.deep.equal(sorted(before))
      expect(await adapter.useVerificationToken({ identifier: 'ada@example.test', token: 't' })).not.to.equal(null)
    })

    it('makes the calls of others wait for its end, in the order they came', async () => {
      const adapter = memoryAdapter()
      const [started, end] = [gate(), gate()]
      const ended: string[] = []
      const first = adapter.transaction(async (within) => {
        started.open()
        await end.opened
        await within.createUser?.(user('ada'))
      })
      await started.opened
      const names = async () => (await adapter.getUserByEmail('ada@example.test'))?.name
      const between = names()
      const second = adapter.transaction(
        async (within) => void (await within.updateUser?.({ id: 'ada', name: 'Ada King' })),
      )
      const after = names()
      for (const call of [first, between, second, after]) void call.then(() => ended.push('one'))
      for (let turn = 0; turn < 50; turn += 1) await Promise.resolve()
      expect(ended).to.deep.equal([])
      end.open()
      await Promise.all([first, second])
      expect([await between, await after]).to.deep.equal(['Ada', 'Ada King'])
    })

    it('continues after one that failed', async () => {
      const adapter = memoryAdapter()
      await rejectionOf(adapter.transaction(() => Promise.reject(new Error('no'))))
      await rejectionOf(
        adapter.transaction(() => {
          throw new Error('at once')
        }),
      )
      expect(await adapter.transaction(async () => 'done')).to.equal('done')
    })

    it('reports the mistake instead of waiting for itself', async () => {
      const adapter = memoryAdapter()
      for (const wrong of [
        () => adapter.getUser('ada'),
        () => adapter.transaction(async () => {}),
        () => adapter.prune(),
      ]) {
        const { message } = await rejectionOf(adapter.transaction(async () => void (await wrong())))
        expect(message).to.equal('Inside a transaction, use the adapter passed to your function.')
      }
      expect(await adapter.getUser('ada')).to.equal(null)
    })

    it('rejects calls that come after its end', async () => {
      const adapter = memoryAdapter()
      const within = await adapter.transaction(async (inner): Promise<Adapter> => inner)
      const { message } = await rejectionOf(Promise.resolve(within.createUser?.(user('ada'))))
      expect(message).to.equal('The transaction has ended: await all its calls.')
      expect(await adapter.getUser('ada')).to.equal(null)
    })

    it('treats one inside another as a part of it', async () => {
      const adapter = memoryAdapter()
      const failed = adapter.transaction(async (within) => {
        await within.transaction?.(async (nested) => void (await nested.createUser?.(user('ada'))))
        expect(await within.getUser?.('ada')).not.to.equal(null)
        throw new Error('no')
      })
      expect((await rejectionOf(failed)).message).to.equal('no')
      expect(await adapter.getUser('ada')).to.equal(null)
    })

    it('keeps the changes if its work catches an error: a call that fails undoes only itself', async () => {
      const adapter = await withAda()
      await adapter.transaction(async (within) => {
        await within.createUser?.(user('bob'))
        await Promise.resolve(within.createUser?.(user('ada'))).catch(() => {})
      })
      expect(await adapter.getUser('bob')).not.to.equal(null)
    })
  })
})

/** Returns lists without their order, because a change that was undone is at the end. */
function sorted(values: readonly unknown[]): unknown[] {
  return values.map((value) => (Array.isArray(value) ? value.map((each) => JSON.stringify(each)).sort() : value))
}
