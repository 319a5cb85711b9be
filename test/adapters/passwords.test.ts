/** Our stores of passwords keep the contract, on each database, and in two processes at once. */
import { randomBytes } from 'node:crypto'
import { expect } from 'chai'
import { memoryAdapter, memoryPasswords } from '../../lib/adapters/memory/index.js'
import { migrate, sqlAdapter, sqlPasswords } from '../../lib/adapters/sql/index.js'
import { passwordContract } from '../../lib/testing/index.js'
import type { PasswordAttempt, PasswordStore } from '../../lib/types/passwords.js'
import { databaseKinds, requireDatabase, type TestDatabase } from '../support/databases.js'
import { rejectionOf, thrownBy } from '../support/rejection.js'
import { expectOneWinnerEach } from '../support/store-workers.js'

const hooks = { describe, it, before, after }
const past = new Date(Date.now() - 60_000)
const future = new Date(Date.now() + 3_600_000)
const password = { userId: 'ada', hash: 'x', changedAt: new Date() }

function attempt(rest: Partial<PasswordAttempt> = {}): PasswordAttempt {
  const tokenHash = randomBytes(16).toString('base64url')
  return { tokenHash, identifier: 'ada@example.com', data: 'x', expires: future, ...rest }
}

passwordContract(hooks, { name: 'memoryPasswords', create: () => ({ store: memoryPasswords() }) })

describe('memoryPasswords', () => {
  it('drops no password when it is full: storing one more fails', () => {
    const store = memoryPasswords({ maxRecords: 1 })
    store.write(password, 0)
    const call = () => store.write({ ...password, userId: 'bob' }, 0)
    expect(thrownBy(call).message).to.contain('is full: it holds 1 records')
    expect(store.write(password, 1)).to.equal(true)
  })

  it('makes room among those that wait: what is over first, then the oldest of the same address', () => {
    const store = memoryPasswords({ maxRecords: 3 })
    const [other, over, own] = [attempt({ identifier: 'bob@example.com' }), attempt({ expires: past }), attempt()]
    for (const each of [other, over, own, attempt(), attempt()]) store.keepAttempt(each)
    expect(store.findAttempt(over.tokenHash)).to.equal(null)
    expect(store.findAttempt(own.tokenHash)).to.equal(null)
    expect(store.findAttempt(other.tokenHash)).to.deep.equal(other)
  })

  it('refuses a number that is none', () => {
    const call = () => memoryPasswords({ maxRecords: 0 })
    expect(thrownBy(call).message).to.equal('`maxRecords` is a whole number above 0.')
  })
})

describe('memoryAdapter().passwordStore', () => {
  it('is one object, which loses the password of a user who is deleted, and what waited in vain', async () => {
    const adapter = memoryAdapter()
    const store = adapter.passwordStore()
    expect(adapter.passwordStore()).to.equal(store)
    await adapter.createUser({ id: 'ada', email: 'ada@example.com', emailVerified: null })
    await store.write(password, 0)
    await store.write({ ...password, userId: 'bob' }, 0)
    await adapter.deleteUser('ada')
    expect(await store.find('ada')).to.equal(null)
    expect(await store.find('bob')).to.include({ version: 1 })
    const [over, waits] = [attempt({ expires: past }), attempt()]
    for (const each of [over, waits]) await store.keepAttempt(each)
    await adapter.prune()
    expect(await store.findAttempt(over.tokenHash)).to.equal(null)
    expect(await store.findAttempt(waits.tokenHash)).to.deep.equal(waits)
  })
})

for (const kind of databaseKinds) {
  describe(`sqlPasswords on ${kind}`, function () {
    this.timeout(20_000)
    let database: TestDatabase
    let store: PasswordStore
    before(async function () {
      database = await requireDatabase(this, kind)
      store = sqlPasswords(database.db)
      await migrate(database.db)
    })
    after(() => database?.close())

    passwordContract(hooks, { create: () => ({ store: sqlPasswords(database.db) }) })

    it('has one winner of a hundred in two processes', () =>
      expectOneWinnerEach(['writePassword', 'keepAttempt', 'takeAttempt', 'keepAttempt'], database.url))

    it('goes on with a transaction in which a first write lost', async () => {
      const [own, waits] = [{ ...password, userId: 'tx' }, attempt()]
      await store.write(own, 0)
      await store.keepAttempt(waits)
      await database.db.transaction().execute(async (transaction) => {
        const inside = sqlPasswords(transaction)
        expect(await inside.write({ ...own, hash: 'y' }, 0)).to.equal(false)
        await rejectionOf(Promise.resolve(inside.keepAttempt(waits)))
        expect(await inside.write({ ...own, hash: 'z' }, 1)).to.equal(true)
      })
      expect(await store.find('tx')).to.include({ hash: 'z', version: 2 })
    })

    it('says nothing of a hash that is there already', async () => {
      const waits = attempt()
      await store.keepAttempt(waits)
      const error = await rejectionOf(Promise.resolve(store.keepAttempt(waits)))
      expect(error.message).to.equal('There is such a password that waits already.')
    })

    it('refuses ids that it cannot hold exactly, without a word of them', async () => {
      for (const id of ['', 'a\0b', `${'x'.repeat(256)}`, '\ud800']) {
        const calls = [
          () => store.write({ ...password, userId: id }, 0),
          () => store.keepAttempt(attempt({ tokenHash: id })),
        ]
        for (const call of calls) {
          const error = await rejectionOf(Promise.resolve(call()))
          expect(error.message).to.equal('An id cannot be stored exactly.')
        }
        expect(await store.find(id)).to.equal(null)
        expect(await store.findAttempt(id)).to.equal(null)
        expect(await store.takeAttempt(id)).to.equal(null)
        await store.remove(id)
      }
    })

    it('refuses moments that are none', async () => {
      const none = new Date(Number.NaN)
      const calls = [
        () => store.write({ ...password, changedAt: none }, 0),
        () => store.keepAttempt(attempt({ expires: none })),
      ]
      for (const call of calls) {
        expect((await rejectionOf(Promise.resolve(call()))).message).to.equal('A date is needed.')
      }
    })

    it('loses the password of a user whom sqlAdapter deletes, and of no other', async () => {
      const adapter = sqlAdapter(database.db)
      for (const id of ['eve', 'bob']) await adapter.createUser({ id, email: `${id}@example.com`, emailVerified: null })
      for (const userId of ['eve', 'bob']) await store.write({ ...password, userId }, 0)
      await adapter.deleteUser('eve')
      expect(await store.find('eve')).to.equal(null)
      expect(await store.find('bob')).to.include({ userId: 'bob' })
      await adapter.transaction(async (inside) => inside.deleteUser?.('bob'))
      expect(await store.find('bob')).to.equal(null)
    })

    it('loses what waited in vain by prune of sqlAdapter, in small statements', async () => {
      const waits = attempt()
      const over = [1, 2, 3].map(() => attempt({ expires: past }))
      for (const each of [...over, waits]) await store.keepAttempt(each)
      await sqlAdapter(database.db).prune({ limit: 2 })
      for (const { tokenHash } of over) expect(await store.findAttempt(tokenHash)).to.equal(null)
      expect(await store.findAttempt(waits.tokenHash)).to.deep.equal(waits)
    })

    it('is that of sqlAdapter, the same object at each call', async () => {
      const adapter = sqlAdapter(database.db)
      expect(adapter.passwordStore()).to.equal(adapter.passwordStore())
      await adapter.passwordStore().write({ ...password, userId: 'own' }, 0)
      expect(await store.find('own')).to.include({ version: 1 })
    })
  })

  describe(`a database on ${kind} without the tables of passwords`, () => {
    let database: TestDatabase
    before(async function () {
      database = await requireDatabase(this, kind)
      await migrate(database.db)
      for (const table of ['auth_passwords', 'auth_password_attempts']) {
        await database.db.schema.dropTable(table).execute()
      }
    })
    after(() => database?.close())

    it('makes sqlPasswords say how they are made', async () => {
      const store = sqlPasswords(database.db)
      const calls = [
        () => store.find('ada'),
        () => store.write(password, 0),
        () => store.write(password, 1),
        () => store.remove('ada'),
        () => store.keepAttempt(attempt()),
        () => store.findAttempt('x'),
        () => store.takeAttempt('x'),
      ]
      for (const call of calls) {
        const error = await rejectionOf(Promise.resolve<unknown>(call()))
        expect(error.message).to.include('Make the tables first')
      }
    })

    it('lets sqlAdapter delete users and prune all the same', async () => {
      const adapter = sqlAdapter(database.db)
      await adapter.createUser({ id: 'ada', email: 'ada@example.com', emailVerified: null })
      await adapter.transaction(async (inside) => inside.deleteUser?.('ada'))
      expect(await adapter.getUser('ada')).to.equal(null)
      expect(await adapter.prune()).to.deep.equal({ sessions: 0, verificationTokens: 0 })
    })
  })
}

it('sqlPasswords refuses what is no database', () => {
  expect(thrownBy(() => sqlPasswords({} as never)).message).to.contain('must be a Kysely instance')
})
