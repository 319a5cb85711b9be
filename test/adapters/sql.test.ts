/** Tests of the SQL adapter on each dialect: the guarantees of its tables, and the values that must not reach them. */
import { expect } from 'chai'
import { migrate, type SqlAdapter, sqlAdapter } from '../../lib/adapters/sql/index.js'
import type { Adapter, AdapterUser } from '../../lib/types/adapter.js'
import { type DatabaseKind, databaseKinds, requireDatabase, type TestDatabase } from '../support/databases.js'
import { rejectionOf } from '../support/rejection.js'
import { runWorker } from '../support/sql-worker.js'

const later = new Date('2100-01-02T03:04:05.678Z')
const earlier = new Date('2001-02-03T04:05:06.789Z')

let count = 0
const fresh = (name = 'x') => `${name}-${++count}`

for (const kind of databaseKinds) {
  describe(`sqlAdapter on ${kind}`, () => {
    let database: TestDatabase
    let adapter: SqlAdapter

    before(async function () {
      database = await requireDatabase(this, kind)
      await migrate(database.db)
      adapter = sqlAdapter(database.db)
    })
    after(() => database?.close())

    const createUser = (fields: Partial<AdapterUser> = {}) =>
      adapter.createUser({ id: fresh('user'), email: `${fresh()}@example.com`, emailVerified: null, ...fields })

    describeRecords(() => ({ adapter, createUser }))
    describeKeys(() => ({ adapter, createUser }))
    describeTokens(() => ({ adapter, url: database.url }))
    describeTransactions(kind, () => ({ adapter, createUser }))

    it('is written by two processes at once', async () => {
      const names = ['left', 'right']
      const counts = await Promise.all(names.map((name) => runWorker(database.url, 'users', name)))
      expect(counts).to.deep.equal([20, 20])
      for (const name of names) expect(await adapter.getUser(`${name}-19`)).not.to.equal(null)
    })

    describe('prune', () => {
      it('removes expired records, in small pieces, and nothing else', async () => {
        const { id: userId } = await createUser()
        for (let index = 0; index < 5; index++) {
          await adapter.createSession({ sessionToken: fresh('old'), userId, expires: earlier })
          await adapter.createVerificationToken({ identifier: 'old', token: fresh(), expires: earlier })
        }
        const sessionToken = fresh('new')
        await adapter.createSession({ sessionToken, userId, expires: later })
        await adapter.createVerificationToken({ identifier: 'new', token: sessionToken, expires: later })
        expect(await adapter.prune({ limit: 2 })).to.deep.equal({ sessions: 5, verificationTokens: 5 })
        expect(await adapter.prune()).to.deep.equal({ sessions: 0, verificationTokens: 0 })
        expect(await adapter.getSessionAndUser(sessionToken)).not.to.equal(null)
        expect(await adapter.useVerificationToken({ identifier: 'new', token: sessionToken })).not.to.equal(null)
      })

      it('removes session links whose sessions are gone, in small pieces, and no others', async () => {
        const { id: userId } = await createUser()
        const subject = fresh('person')
        const tokens = Array.from({ length: 5 }, (_, at) => fresh(`linked-${at}`))
        for (const sessionToken of tokens) {
          await adapter.createSession({ sessionToken, userId, expires: later })
          await adapter.linkSession({ sessionToken, subject, providerSession: null })
        }
        const [living = '', ...gone] = tokens
        for (const sessionToken of gone) await adapter.deleteSession(sessionToken)
        await adapter.prune({ limit: 2 })
        expect(await adapter.listSessionLinks({ subject })).to.deep.equal([
          { sessionToken: living, subject, providerSession: null },
        ])
      })

      it('removes data whose sessions are gone, and no other', async () => {
        const { id: userId } = await createUser()
        const [living, gone] = [fresh('living'), fresh('gone')]
        for (const sessionToken of [living, gone]) {
          await adapter.createSession({ sessionToken, userId, expires: later })
          await adapter.writeSessionData({ sessionToken, data: '{"a":1}', previous: null })
        }
        await database.db.deleteFrom('auth_sessions').where('sessionToken', '=', gone).execute()
        await adapter.prune({ limit: 1 })
        const rows = await database.db.selectFrom('auth_session_data').select('sessionToken').execute()
        const tokens = rows.map(({ sessionToken }) => sessionToken)
        expect(tokens).to.include(living).and.not.to.include(gone)
      })

      it('runs automatically, now and then', async () => {
        const tidy = sqlAdapter(database.db, { pruneEvery: 0.001 })
        const { id: userId } = await createUser()
        await adapter.createSession({ sessionToken: 'forgotten', userId, expires: earlier })
        await new Promise((resolve) => setTimeout(resolve, 5))
        while (await adapter.getSessionAndUser('forgotten')) {
          await tidy.createVerificationToken({ identifier: 'x', token: fresh(), expires: later })
        }
      })

      it('rejects an invalid limit', async () => {
        for (const limit of [0, -1, 1.5, Number.NaN]) {
          expect(await rejectionOf(adapter.prune({ limit }))).to.be.instanceOf(RangeError)
        }
      })
    })
  })
}

interface Fixture {
  readonly adapter: SqlAdapter
  readonly createUser: (fields?: Partial<AdapterUser>) => Promise<AdapterUser>
}

function describeRecords(fixture: () => Fixture): void {
  describe('records', () => {
    it('are returned as they were stored', async () => {
      const { adapter, createUser } = fixture()
      const user = await createUser({
        name: 'Zoë 🦊',
        image: `https://x.test/${'i'.repeat(3000)}`,
        emailVerified: later,
      })
      expect(await adapter.getUser(user.id)).to.deep.equal(user)
      expect(user).to.include({ name: 'Zoë 🦊' }).and.have.deep.property('emailVerified', later)
      const account = {
        userId: user.id,
        type: 'oidc' as const,
        provider: 'acme',
        providerAccountId: fresh(),
        id_token: 'i'.repeat(9000),
        expires_at: 4_102_542_245,
      }
      await adapter.linkAccount({ ...account, unknown_field: { any: 'thing' } })
      expect(await adapter.getAccount(account.providerAccountId, 'acme')).to.deep.equal(account)
      expect(await adapter.listAccountsByUserId(user.id)).to.deep.equal([account])
      expect(await adapter.getUserByAccount(account)).to.deep.equal(user)
    })

    it('of passkeys have numbers, booleans and dates', async () => {
      const { adapter, createUser } = fixture()
      const passkey = {
        userId: (await createUser()).id,
        providerAccountId: 'x',
        credentialID: `${fresh()}${'A'.repeat(1200)}+/=`,
        credentialPublicKey: 'key',
        counter: 4_294_967_295,
        credentialBackedUp: true,
        credentialDeviceType: 'multiDevice',
        transports: null,
        name: null,
        createdAt: earlier,
        lastUsedAt: null,
      }
      expect(await adapter.createAuthenticator?.(passkey)).to.deep.equal(passkey)
      await adapter.renameAuthenticator?.(passkey.credentialID, 'Phone')
      const counted = await adapter.updateAuthenticatorCounter?.(passkey.credentialID, 0)
      expect(counted).to.deep.equal({ ...passkey, name: 'Phone', counter: 0 })
      expect(await adapter.listAuthenticatorsByUserId?.(passkey.userId)).to.deep.equal([counted])
      await adapter.deleteAuthenticator?.(passkey.credentialID)
      expect(await adapter.getAuthenticator?.(passkey.credentialID)).to.equal(null)
    })

    it('of sessions are changed in place, and never come back to life', async () => {
      const { adapter, createUser } = fixture()
      const user = await createUser()
      const session = { sessionToken: fresh('token'), userId: user.id, expires: later }
      await adapter.createSession(session)
      expect(await adapter.getSessionAndUser(session.sessionToken)).to.deep.equal({ session, user })
      // Nothing changes, and the session is there all the same.
      expect(await adapter.updateSession(session)).to.deep.equal(session)
      expect(await adapter.updateSession({ sessionToken: session.sessionToken })).to.deep.equal(session)
      const extended = { ...session, expires: earlier }
      expect(await adapter.updateSession(extended)).to.deep.equal(extended)
      expect(await adapter.listSessionsByUserId(user.id)).to.deep.equal([extended])
      expect(await adapter.deleteSession(session.sessionToken)).to.deep.equal(extended)
      expect(await adapter.updateSession(session)).to.equal(null)
      expect(await adapter.getSessionAndUser(session.sessionToken)).to.equal(null)
    })

    it('of a deleted user are gone', async () => {
      const { adapter, createUser } = fixture()
      const { id: userId } = await createUser()
      const key = { provider: 'acme', providerAccountId: fresh() }
      await adapter.linkAccount({ ...key, userId, type: 'oauth' })
      await adapter.createSession({ sessionToken: fresh(), userId, expires: later })
      await adapter.deleteUser(userId)
      expect(await adapter.getUserByAccount(key)).to.equal(null)
      expect(await adapter.listSessionsByUserId(userId)).to.deep.equal([])
      expect(await rejectionOf(adapter.updateUser({ id: userId, name: 'x' }))).to.be.instanceOf(Error)
    })

    it('have addresses in lower case', async () => {
      const { adapter, createUser } = fixture()
      const user = await createUser({ email: 'Ada.Lovelace@Example.COM' })
      expect(user.email).to.equal('ada.lovelace@example.com')
      expect(await adapter.getUserByEmail('ADA.lovelace@example.com')).to.deep.equal(user)
      expect((await adapter.updateUser({ id: user.id, email: 'Ada@Example.com' })).email).to.equal('ada@example.com')
      expect(await rejectionOf(createUser({ email: 'ADA@example.com' }))).to.be.instanceOf(Error)
    })

    it('of users without an address may be many', async () => {
      const { adapter, createUser } = fixture()
      const [first, second] = [await createUser({ email: '' }), await createUser({ email: '' })]
      expect(first.id).not.to.equal(second.id)
      expect(await adapter.getUserByEmail('')).to.equal(null)
    })

    it('reject values that the database would change', async () => {
      const { adapter, createUser } = fixture()
      const { id: userId } = await createUser()
      const wrong = ['', '\0', 'a\0b', '\ud800', 'x'.repeat(256)]
      for (const text of wrong) {
        const account = { userId, type: 'oauth' as const, provider: 'acme', providerAccountId: text }
        expect(await rejectionOf(adapter.linkAccount(account)), JSON.stringify(text)).to.be.instanceOf(TypeError)
        expect(await adapter.getAccount(text, 'acme')).to.equal(null)
        expect(await adapter.getUser(text)).to.equal(null)
        expect(await adapter.useVerificationToken({ identifier: text, token: text })).to.equal(null)
      }
      expect((await createUser({ name: 'a\0b' })).name).to.equal('ab')
    })

    it('are stored whatever a text contains', async () => {
      const { adapter, createUser } = fixture()
      const name = `\\'"; drop table auth_users; -- \\\\' or '1'='1`
      const user = await createUser({ name })
      expect(await adapter.getUser(user.id)).to.include({ name })
      expect(await adapter.getUserByEmail(name)).to.equal(null)
      expect(await adapter.useVerificationToken({ identifier: name, token: name })).to.equal(null)
    })
  })
}

function describeKeys(fixture: () => Fixture): void {
  describe('keys', () => {
    const alike: ReadonlyArray<[string, string]> = [
      ['abc', 'ABC'],
      ['trailing', 'trailing '],
      ['resume', 'résumé'],
      ['straße', 'strasse'],
      ['\u00e9', 'e\u0301'],
      ['1', '01'],
      ['1', '1.0'],
    ]

    it('that look alike are different', async () => {
      const { adapter, createUser } = fixture()
      for (const [first, second] of alike) {
        const provider = fresh('provider')
        const owners = [await createUser(), await createUser()]
        for (const [index, providerAccountId] of [first, second].entries()) {
          const userId = owners[index]?.id ?? ''
          const sessionToken = `${provider}-${providerAccountId}`
          expect(await adapter.getAccount(providerAccountId, provider)).to.equal(null)
          expect(await adapter.getSessionAndUser(sessionToken)).to.equal(null)
          await adapter.linkAccount({ userId, type: 'oauth', provider, providerAccountId })
          await adapter.createSession({ sessionToken, userId, expires: later })
          expect(await adapter.getUserByAccount({ provider, providerAccountId })).to.deep.equal(owners[index])
          expect((await adapter.getSessionAndUser(sessionToken))?.user).to.deep.equal(owners[index])
        }
        await adapter.unlinkAccount({ provider, providerAccountId: second })
        expect(await adapter.getAccount(first, provider), first).not.to.equal(null)
      }
    })

    it('are unique', async () => {
      const { adapter, createUser } = fixture()
      const user = await createUser()
      const session = { sessionToken: fresh(), userId: user.id, expires: later }
      const token = { identifier: fresh(), token: 'x', expires: later }
      const account = { userId: user.id, type: 'oauth' as const, provider: 'acme', providerAccountId: 'i'.repeat(255) }
      const store: ReadonlyArray<() => Promise<unknown>> = [
        () => adapter.createSession(session),
        () => adapter.createVerificationToken(token),
        () => adapter.linkAccount(account),
        () => createUser({ email: 'once@example.com' }),
      ]
      for (const each of store) {
        const outcomes = await Promise.allSettled(Array.from({ length: 10 }, each))
        expect(outcomes.filter(({ status }) => status === 'fulfilled')).to.have.length(1)
      }
    })

    it('of users who do not exist are rejected', async () => {
      const { adapter } = fixture()
      const orphan = { sessionToken: fresh(), userId: 'nobody', expires: later }
      expect(await rejectionOf(adapter.createSession(orphan))).to.be.instanceOf(Error)
      const account = { userId: 'nobody', type: 'oauth' as const, provider: 'acme', providerAccountId: fresh() }
      expect(await rejectionOf(adapter.linkAccount(account))).to.be.instanceOf(Error)
    })
  })
}

function describeTokens(fixture: () => { adapter: SqlAdapter; url: string }): void {
  describe('a verification token', () => {
    it('is used once, of 50 tries at the same time', async () => {
      const { adapter } = fixture()
      const token = { identifier: 'many@example.com', token: 'token', expires: later }
      await adapter.createVerificationToken(token)
      const uses = await Promise.all(Array.from({ length: 50 }, () => adapter.useVerificationToken(token)))
      expect(uses.filter((used) => used !== null)).to.deep.equal([token])
    })

    it('is used once, of 50 tries in each of two processes', async () => {
      const { adapter, url } = fixture()
      await adapter.createVerificationToken({ identifier: 'two@example.com', token: 'token', expires: later })
      const counts = await Promise.all([
        runWorker(url, 'use-tokens', 'two@example.com'),
        runWorker(url, 'use-tokens', 'two@example.com'),
      ])
      expect(counts.map(Number).reduce((sum, each) => sum + each)).to.equal(1)
    })

    it('is not used by the wrong address or token, and stays for the right one', async () => {
      const { adapter } = fixture()
      const token = { identifier: 'a@example.com', token: 'Token', expires: earlier }
      await adapter.createVerificationToken(token)
      for (const wrong of [{ identifier: 'b@example.com' }, { token: 'token' }, { token: 'Token ' }]) {
        expect(await adapter.useVerificationToken({ ...token, ...wrong })).to.equal(null)
      }
      expect(await adapter.useVerificationToken(token)).to.deep.equal(token)
    })

    it('is deleted with all others of its address', async () => {
      const { adapter } = fixture()
      const identifier = 'all@example.com'
      await adapter.createVerificationToken({ identifier, token: '1', expires: later })
      await adapter.createVerificationToken({ identifier, token: '2', expires: later })
      await adapter.deleteVerificationTokens(identifier)
      expect(await adapter.useVerificationToken({ identifier, token: '1' })).to.equal(null)
      expect(await adapter.useVerificationToken({ identifier, token: '2' })).to.equal(null)
    })
  })
}

function describeTransactions(kind: DatabaseKind, fixture: () => Fixture): void {
  describe('a transaction', () => {
    const person = () => ({ id: fresh('user'), email: `${fresh()}@example.com`, emailVerified: null })

    it('takes effect as a whole', async () => {
      const { adapter } = fixture()
      const user = person()
      const account = { userId: user.id, type: 'oauth' as const, provider: 'acme', providerAccountId: fresh() }
      const result = await adapter.transaction(async (inside) => {
        await inside.createUser?.(user)
        await inside.transaction?.(async (nested) => nested.linkAccount?.(account))
        return 'done'
      })
      expect(result).to.equal('done')
      expect(await adapter.getUserByAccount(account)).to.include({ id: user.id })
    })

    it('has no effect if its work rejects, or if the work continues after a method failed', async () => {
      const { adapter } = fixture()
      const user = person()
      const create = (inside: Adapter) => inside.createUser?.(user)
      const failure = new Error('no')
      const rejected = adapter.transaction(async (inside) => {
        await create(inside)
        await inside.transaction?.(async () => {
          throw failure
        })
      })
      expect(await rejectionOf(rejected)).to.equal(failure)
      const swallowed = adapter.transaction(async (inside) => {
        await create(inside)
        await Promise.resolve(create(inside)).catch(() => {})
      })
      expect(await rejectionOf(swallowed)).to.be.instanceOf(Error)
      expect(await adapter.getUser(user.id)).to.equal(null)
    })

    it('ends with its work', async () => {
      const { adapter } = fixture()
      const user = person()
      const leaked = await adapter.transaction(async (inside) => {
        // Not awaited: it belongs to the transaction all the same.
        void inside.createUser?.(user)
        return [inside]
      })
      expect(await adapter.getUser(user.id)).not.to.equal(null)
      const [inside] = leaked
      expect(await rejectionOf(Promise.resolve(inside?.getUser?.(user.id)))).to.be.instanceOf(Error)
    })

    it('does not mix with others, nor with calls that run at the same time', async () => {
      const { adapter } = fixture()
      const works = Array.from({ length: 20 }, (_, index) => {
        const user = person()
        const done = adapter.transaction(async (inside) => {
          await inside.createUser?.(user)
          await inside.linkAccount?.({ userId: user.id, type: 'oauth', provider: 'mix', providerAccountId: user.id })
          if (index % 2) throw new Error('odd')
        })
        const beside = adapter.createVerificationToken({ identifier: 'beside', token: user.id, expires: later })
        return { user, done: Promise.allSettled([done, beside]) }
      })
      for (const [index, { user, done }] of works.entries()) {
        await done
        const found = await adapter.getUserByAccount({ provider: 'mix', providerAccountId: user.id })
        expect(found?.id ?? null).to.equal(index % 2 ? null : user.id)
        const token = await adapter.useVerificationToken({ identifier: 'beside', token: user.id })
        expect(token, `${kind} ${index}`).not.to.equal(null)
      }
    })

    if (kind === 'sqlite') {
      it('does not wait for itself', async () => {
        const { adapter } = fixture()
        const inside = adapter.transaction(() => adapter.getUser('x'))
        expect(await rejectionOf(inside))
          .to.have.property('message')
          .that.contains('use the adapter passed to your function')
        const nested = adapter.transaction(() => adapter.transaction(async () => {}))
        expect(await rejectionOf(nested)).to.be.instanceOf(Error)
        expect(await adapter.getUser('x')).to.equal(null)
      })
    }
  })
}
