/** The application's own fields of users: the same values in every database, and no value of another type. */
import { expect } from 'chai'
import { sql } from 'kysely'
import { type Adapter, combine, withUserFields } from '../../lib/adapters/index.js'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import { migrate, type SqlAdapter, sqlAdapter } from '../../lib/adapters/sql/index.js'
import { databaseKinds, requireDatabase, type TestDatabase } from '../support/databases.js'
import { rejectionOf } from '../support/rejection.js'

const user = {
  role: { type: ['reader', 'admin'], default: 'reader' },
  plan: 'string',
  seats: 'number',
  isBlocked: { type: 'boolean', default: false },
  quota: { type: 'number', default: 0.5 },
  motto: { type: 'string', default: "it's \\ fine" },
  born: 'date',
} as const

interface Fields {
  role: 'reader' | 'admin'
  plan: string | null
  seats: number | null
  isBlocked: boolean
  quota: number
  motto: string
  born: Date | null
}

const defaults = { role: 'reader', plan: null, seats: null, isBlocked: false, quota: 0.5, motto: "it's \\ fine" }
const born = new Date('1815-12-10T01:02:03.004Z')
const values = {
  role: 'admin',
  plan: 'größer 🦊',
  seats: -3.25,
  isBlocked: true,
  quota: 1e12,
  motto: '',
  born,
} as const

let count = 0
const newUser = () => ({ id: `user-${++count}`, email: `${count}@example.com`, emailVerified: null })

/** Checks the fields of an adapter, whose declaration is {@link user}. */
function describeFields(given: () => Adapter<Fields>): void {
  it('gives a new user the defaults', async () => {
    const adapter = given()
    const made = await adapter.createUser?.(newUser())
    expect(made).to.include({ ...defaults, born: null })
    expect(await adapter.getUser?.(made?.id ?? '')).to.deep.equal(made)
  })

  it('stores, changes and returns values of each type, in all reads', async () => {
    const adapter = given()
    const { id, email, ...given_ } = newUser()
    const made = await adapter.createUser?.({ id, email, ...given_, ...values })
    expect(made).to.deep.include(values)
    await adapter.createSession?.({ sessionToken: id, userId: id, expires: new Date('2100-01-01') })
    await adapter.linkAccount?.({ userId: id, provider: 'one', providerAccountId: id, type: 'oidc' })
    const session = await adapter.getSessionAndUser?.(id)
    const both = await adapter.getSessionUserAndData?.(id)
    const byAccount = await adapter.getUserByAccount?.({ provider: 'one', providerAccountId: id })
    const byEmail = await adapter.getUserByEmail?.(email)
    for (const read of [session?.user, both?.user, byAccount, byEmail]) expect(read).to.deep.include(values)
    const changed = await adapter.updateUser?.({ id, role: 'reader', isBlocked: false, born: null, seats: 7 })
    expect(changed).to.deep.include({ ...values, role: 'reader', isBlocked: false, born: null, seats: 7 })
    expect(await adapter.getUser?.(id)).to.deep.equal(changed)
  })

  it('takes null as no value: the default', async () => {
    const adapter = given()
    const made = await adapter.createUser?.({
      ...newUser(),
      ...JSON.parse('{"role":null,"isBlocked":null,"plan":null}'),
    })
    expect(made).to.include(defaults)
  })

  it('changes nothing for a value of another type, and does not repeat the value', async () => {
    const adapter = given()
    const made = await adapter.createUser?.({ ...newUser(), ...values })
    const id = made?.id ?? ''
    for (const [name, value] of Object.entries({
      role: 'owner',
      plan: { secret: 'hunter2' },
      seats: 'hunter2',
      isBlocked: 0,
      quota: Number.NaN,
      born: '1815-12-10',
    })) {
      const patch = { id, [name]: value }
      const error = await rejectionOf(Promise.resolve(adapter.updateUser?.(patch)))
      expect(error, name)
        .to.be.instanceOf(TypeError)
        .and.have.property('message')
        .that.matches(new RegExp(`\`${name}\``))
      expect(String(error)).not.to.match(/hunter2|owner/)
      const wrong = await rejectionOf(Promise.resolve(adapter.createUser?.({ ...newUser(), [name]: value })))
      expect(wrong, name).to.be.instanceOf(TypeError)
    }
    expect(await adapter.getUser?.(id)).to.deep.equal(made)
  })

  it('stores a text that databases treat differently as one that they treat alike', async () => {
    const adapter = given()
    const made = await adapter.createUser?.({ ...newUser(), plan: 'a\0b\ud800c' })
    expect(made).to.include({ plan: 'ab\ufffdc' })
  })

  it('has the fields in a transaction too', async () => {
    const adapter = given()
    const made = await adapter.transaction?.(async (inside) => {
      const one = await inside.createUser?.({ ...newUser(), role: 'admin' })
      return inside.getUser?.(one?.id ?? '')
    })
    expect(made).to.include({ role: 'admin', isBlocked: false })
  })
}

describe('fields of users in memory', () => {
  const adapter = memoryAdapter({ user })
  describeFields(() => adapter)
})

for (const kind of databaseKinds) {
  describe(`fields of users on ${kind}`, () => {
    let database: TestDatabase
    let adapter: SqlAdapter<Fields>

    before(async function () {
      database = await requireDatabase(this, kind)
      await migrate(database.db)
      // Exists before the columns do.
      await sqlAdapter(database.db).createUser({ ...newUser(), id: 'before' })
      adapter = sqlAdapter(database.db, { user })
    })
    after(() => database?.close())

    const set = (column: string, value: unknown, id: string) =>
      sql`update auth_users set ${sql.ref(column)} = ${value} where id = ${id}`.execute(database.db)

    it('reports missing columns, with the fix, at the start and in queries', async () => {
      const message = await adapter.checkUserFields()
      expect(message).to.match(/auth_users does not have the columns role, plan, .*adapter\.migrate\(\)/)
      expect(String(await rejectionOf(adapter.getUser('before')))).to.match(
        /await adapter\.migrate\(\)`, or `npx server-auth migrate --config <file>`/,
      )
      const { missing } = (await adapter.inspect())[0] ?? {}
      expect(missing).to.include.members(['auth_users.role', 'auth_users.born'])
    })

    it('adds the columns once, with their defaults, also when two processes do', async () => {
      const plan = await adapter.migrate({ dryRun: true })
      expect(plan.applied).to.deep.equal(Object.keys(user).map((name) => `auth_users.${name}`))
      const both = await Promise.all([adapter.migrate(), migrate(database.db, { user })])
      expect(both.flatMap(({ applied }) => applied).toSorted()).to.deep.equal([...plan.applied].toSorted())
      expect(await adapter.migrate()).to.deep.equal({ applied: [], sql: [] })
      expect(await adapter.getUser('before')).to.include({ ...defaults, born: null })
      expect(await adapter.checkUserFields()).to.equal(undefined)
      expect((await adapter.inspect())[0]?.missing).to.deep.equal([])
    })

    describeFields(() => adapter)

    it('names the other columns when one is misspelt', async () => {
      const misspelt = sqlAdapter(database.db, { user: { rol: 'string' } })
      const message = await misspelt.checkUserFields()
      expect(message).to.match(/does not have the column rol,.* the table also has role, plan/)
    })

    it('waits for a migration that runs at the start', async () => {
      const later = sqlAdapter(database.db, { user: { team: 'string' } })
      const checked = later.checkUserFields()
      await later.migrate()
      expect(await checked).to.equal(undefined)
      expect(await later.getUser('before')).to.have.property('team', null)
    })

    it('rejects a stored value of another type', async () => {
      const { id } = await adapter.createUser(newUser())
      await set('role', 'owner', id)
      const error = await rejectionOf(adapter.getUser(id))
      expect(String(error))
        .to.match(/The stored `role` of a user is not one of reader, admin/)
        .and.not.match(/owner/)
      await set('role', 'admin', id)
      expect(await adapter.getUser(id)).to.include({ role: 'admin' })
    })

    it('reads a table that another program has made', async () => {
      const types = { sqlite: 'text', postgres: 'numeric', mysql: 'decimal(20, 2)' }
      await sql.raw(`alter table auth_users add column credit ${types[kind]}`).execute(database.db)
      await sql
        .raw(`alter table auth_users add column flag ${kind === 'mysql' ? 'bit(1)' : 'integer'}`)
        .execute(database.db)
      const own = sqlAdapter(database.db, { user: { credit: 'number', flag: 'boolean' } })
      const { id } = await adapter.createUser(newUser())
      await set('credit', '12.5', id)
      await set('flag', 1, id)
      expect(await own.getUser(id)).to.include({ credit: 12.5, flag: true })
      await set('credit', '90071992547409931', id)
      expect(String(await rejectionOf(own.getUser(id)))).to.match(/`credit` of a user is not a finite number/)
    })

    it('ignores other properties of a user', async () => {
      const hostile = { '"; drop table auth_users; --': 1, isAdmin: true }
      const made = await adapter.createUser({ ...newUser(), ...hostile })
      expect(made).not.to.have.any.keys(Object.keys(hostile))
    })
  })

  describe(`withUserFields on ${kind}`, () => {
    let database: TestDatabase
    let adapter: Adapter<Fields>

    before(async function () {
      database = await requireDatabase(this, kind)
      await migrate(database.db, { user })
      adapter = withUserFields(new Foreign(sqlAdapter(database.db, { user })), user)
    })
    after(() => database?.close())

    describeFields(() => adapter)

    it('converts what the adapter returns, and rejects another type', async () => {
      const raw: { row: object } = { row: { isBlocked: 1, quota: '2.5', born: born.toISOString(), seats: 3n } }
      const foreign = withUserFields({ getUser: (id) => ({ id, email: '', emailVerified: null, ...raw.row }) }, user)
      expect(await foreign.getUser?.('a')).to.deep.include({
        isBlocked: true,
        quota: 2.5,
        born,
        seats: 3,
        role: 'reader',
      })
      raw.row = { isBlocked: 'no' }
      expect(String(await rejectionOf(Promise.resolve(foreign.getUser?.('a'))))).to.match(
        /`isBlocked` of a user is not/,
      )
    })

    it('is kept by combine', () => {
      const { db } = database
      const combined = combine(adapter, { sessions: sessionsOf(db) })
      expect(combined.userFields).to.equal(adapter.userFields)
    })
  })
}

function sessionsOf(db: TestDatabase['db']) {
  const { createSession, updateSession, deleteSession, listSessionsByUserId, deleteSessionsByUserId } = sqlAdapter(db)
  const getSession = async () => null
  return { createSession, updateSession, deleteSession, listSessionsByUserId, deleteSessionsByUserId, getSession }
}

/** An adapter of another package: an instance of a class, whose methods need `this`. */
class Foreign implements Adapter {
  constructor(private readonly inner: SqlAdapter) {}
  createUser = (...args: Parameters<SqlAdapter['createUser']>) => this.inner.createUser(...args)
  updateUser(...args: Parameters<SqlAdapter['updateUser']>) {
    return this.inner.updateUser(...args)
  }
  getUser(id: string) {
    return this.inner.getUser(id)
  }
  getUserByEmail(email: string) {
    return this.inner.getUserByEmail(email)
  }
  getUserByAccount(...args: Parameters<SqlAdapter['getUserByAccount']>) {
    return this.inner.getUserByAccount(...args)
  }
  createSession(...args: Parameters<SqlAdapter['createSession']>) {
    return this.inner.createSession(...args)
  }
  linkAccount(...args: Parameters<SqlAdapter['linkAccount']>) {
    return this.inner.linkAccount(...args)
  }
  getSessionAndUser(token: string) {
    return this.inner.getSessionAndUser(token)
  }
  getSessionUserAndData(token: string) {
    return this.inner.getSessionUserAndData(token)
  }
  transaction<T>(work: (adapter: Adapter) => Promise<T>) {
    return this.inner.transaction(work)
  }
}
