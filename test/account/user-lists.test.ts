/** Tests of `auth.users.list`, and of changes by two processes, in each database. */
import { expect } from 'chai'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import { connect, migrate, sqlAdapter } from '../../lib/adapters/sql/index.js'
import type { AuthError } from '../../lib/errors.js'
import { expressFunctions } from '../../lib/functions/on-express.js'
import type { UserQuery } from '../../lib/index.js'
import type { Adapter } from '../../lib/types/adapter.js'
import { createLog, credentials, secret } from '../support/app.js'
import { advanceClock, restoreClock } from '../support/clock.js'
import { databaseKinds, requireDatabase } from '../support/databases.js'
import { rejectionOf } from '../support/rejection.js'

interface Opened {
  /** The adapters of two processes. */
  readonly adapters: readonly [Adapter, Adapter]
  close(): Promise<unknown>
}

const places: Readonly<Record<string, (context: Mocha.Context) => Promise<Opened>>> = {
  async memory() {
    const adapter = memoryAdapter()
    return { adapters: [adapter, adapter], close: async () => {} }
  },
  ...Object.fromEntries(
    databaseKinds.map((kind) => [
      kind,
      async (context: Mocha.Context) => {
        const database = await requireDatabase(context, kind)
        await migrate(database.db)
        const other = connect(database.url)
        const close = async () => {
          await other.destroy()
          await database.close()
        }
        return { adapters: [sqlAdapter(database.db), sqlAdapter(other)], close }
      },
    ]),
  ),
}

/** The functions of an application of its own. */
function usersOf(adapter: Adapter | undefined, ownSecret = secret) {
  return expressFunctions({
    ...{ secret: ownSecret, providers: [credentials()], logger: createLog().logger },
    ...(adapter && { adapter, session: { revocation: true } }),
  }).users
}

/** Reads all pages, and calls `between` before each but the first. */
async function readAll(
  users: ReturnType<typeof usersOf>,
  query: UserQuery,
  between = async () => {},
): Promise<string[]> {
  const names: string[] = []
  let page = await users.list(query)
  for (;;) {
    names.push(...page.users.map(({ user }) => String(user.name)))
    if (page.next === null) return names
    await between()
    page = await users.list({ ...query, cursor: page.next })
  }
}

for (const [place, open] of Object.entries(places)) {
  describe(`lists of users in ${place}`, () => {
    let opened: Opened
    let here: ReturnType<typeof usersOf>
    let there: ReturnType<typeof usersOf>
    beforeEach(async function () {
      opened = await open(this)
      here = usersOf(opened.adapters[0])
      there = usersOf(opened.adapters[1])
    })
    afterEach(async () => {
      restoreClock()
      await opened.close()
    })

    /** Stores users by name, whose addresses begin with the second text. */
    async function store(users: Readonly<Record<string, string | null>>, emailVerified = false): Promise<void> {
      for (const [name, address] of Object.entries(users)) {
        const email = address === null ? null : `${address}@example.com`
        const made = await here.create({ name, email, emailVerified: emailVerified && email !== null })
        expect(made.ok, name).to.equal(true)
      }
    }

    it('have all users: by address, then those without one', async () => {
      await store({ Cid: 'c', Ann: 'a', Bob: 'b', 'None 1': null, 'None 2': null })
      for (const limit of [1, 2, 3, 4, 5, 6]) {
        const names = await readAll(limit % 2 === 0 ? here : there, { limit })
        expect(names.slice(0, 3), `pages of ${limit}`).to.deep.equal(['Ann', 'Bob', 'Cid'])
        expect(names.slice(3).sort()).to.deep.equal(['None 1', 'None 2'])
      }
      expect((await here.list({ limit: 5 })).next).to.equal(null)
    })

    it('find users by the beginning of the address, then of the name', async () => {
      await store({
        Zoe: 'anna',
        'ann Lee': 'lee',
        'Anna Berg': 'annaberg',
        Joan: 'joan',
        'ANN Solo': null,
        '%': 'percent',
      })
      for (const search of ['ann', 'ANN', ' Ann '])
        for (const limit of [1, 2, 10])
          expect(await readAll(here, { search, limit })).to.deep.equal(['Zoe', 'Anna Berg', 'ann Lee', 'ANN Solo'])
      expect(await readAll(here, { search: '%' })).to.deep.equal(['%'])
      expect(await readAll(here, { search: '_nn' })).to.deep.equal([])
      expect(await readAll(here, { search: 'example.com' })).to.deep.equal([])
    })

    it('find verified or unverified users', async () => {
      await store({ Ann: 'ann', Cid: 'cid' }, true)
      await store({ Bob: 'bob', None: null })
      expect(await readAll(here, { emailVerified: true, limit: 1 })).to.deep.equal(['Ann', 'Cid'])
      expect(await readAll(here, { emailVerified: false, limit: 1 })).to.deep.equal(['Bob', 'None'])
    })

    it('neither skip nor repeat users while others are created', async () => {
      const names = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`User ${index}`, `m${index}`]))
      await store(names)
      let count = 0
      const between = async () => {
        count += 1
        await there.create({ name: `Early ${count}`, email: `a${count}@example.com`, emailVerified: false })
      }
      expect(await readAll(here, { limit: 2 }, between)).to.deep.equal(Object.keys(names))
    })

    it('let two processes create and move one address once', async () => {
      const made = await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          (index % 2 ? here : there).create({ email: 'ann@example.com', emailVerified: true }),
        ),
      )
      expect(made.filter(({ ok }) => ok)).to.have.length(1)
      expect(made.flatMap((each) => (each.ok ? [] : [each.reason]))).to.deep.equal(Array(9).fill('taken'))
      await store({ One: 'one', Two: 'two' })
      const ids = (await here.list({ emailVerified: false })).users.map(({ user }) => user.id)
      const moved = await Promise.all(
        ids.map((userId, index) => (index ? here : there).update({ userId, email: 'new@example.com' })),
      )
      expect(moved.map((each) => (each.ok ? 'moved' : each.reason)).sort()).to.deep.equal(['moved', 'taken'])
    })

    it('swap the addresses of two users in no case by halves', async () => {
      await store({ One: 'one', Two: 'two' })
      const [one, two] = (await here.list()).users.map(({ user }) => user.id)
      const moved = await Promise.all([
        here.update({ userId: one ?? '', email: 'two@example.com' }),
        there.update({ userId: two ?? '', email: 'one@example.com' }),
      ])
      expect(moved.map((each) => (each.ok ? 'moved' : each.reason))).to.deep.equal(['taken', 'taken'])
    })
  })
}

describe('lists of users', () => {
  const typeOf = async (users: ReturnType<typeof usersOf>, query: object) => {
    const error = (await rejectionOf(users.list(query as UserQuery))) as AuthError & { status?: number }
    return [error.type, error.status, error.message] as const
  }
  let users: ReturnType<typeof usersOf>
  let cursor: string
  beforeEach(async () => {
    users = usersOf(memoryAdapter())
    for (const name of ['a', 'b', 'c']) await users.create({ name, email: `${name}@example.com`, emailVerified: false })
    cursor = (await users.list({ limit: 1 })).next ?? ''
  })
  afterEach(() => restoreClock())

  it('have 50 users on a page by default, and 200 at most', async () => {
    for (let count = 0; count < 210; count += 1)
      await users.create({ name: 'x', email: `x${count}@example.com`, emailVerified: false })
    expect((await users.list()).users).to.have.length(50)
    expect((await users.list({ limit: 200 })).users).to.have.length(200)
  })

  it('have a cursor that shows nothing, and that cannot be changed', async () => {
    expect(Buffer.from(cursor, 'base64').toString('latin1')).to.not.include('example')
    const changed = [
      `${cursor.slice(0, -2)}AA`,
      `${cursor}x`,
      cursor.slice(1),
      'x',
      '%00',
      'a'.repeat(10_000),
      'eyJhIjoxfQ',
    ]
    for (const each of [...changed, ['a'], { a: 1 }, 5, true]) {
      const [type, status, message] = await typeOf(users, { cursor: each })
      expect([type, status], String(each)).to.deep.equal(['InvalidRequest', 400])
      expect(message).to.include('Begin at the first page.')
    }
    for (const first of ['', null, undefined])
      expect((await users.list({ cursor: first, limit: 1 })).users[0]?.user.name).to.equal('a')
  })

  it('have a cursor for one query, one secret and one day', async () => {
    expect((await typeOf(users, { cursor, search: 'a' }))[2]).to.include('another `search`')
    expect((await typeOf(users, { cursor, emailVerified: false }))[2]).to.include('another `search`')
    const others = usersOf(memoryAdapter(), 'another-secret-with-more-than-32-characters')
    expect((await typeOf(others, { cursor }))[0]).to.equal('InvalidRequest')
    expect((await users.list({ cursor, limit: 2 })).users.map(({ user }) => user.name)).to.deep.equal(['b', 'c'])
    advanceClock(24 * 60 * 60 + 1)
    expect((await typeOf(users, { cursor }))[0]).to.equal('InvalidRequest')
  })

  it('answer invalid input with 400', async () => {
    const wrong = [
      ...[0, -1, 201, 1.5, Number.NaN, '50', null].map((limit) => ({ limit })),
      ...[5, ['a'], {}, 'x'.repeat(101)].map((search) => ({ search })),
      ...['true', 1, null].map((emailVerified) => ({ emailVerified })),
    ]
    for (const query of wrong) {
      const [type, status] = await typeOf(users, query)
      expect([type, status], JSON.stringify(query)).to.deep.equal(['InvalidRequest', 400])
    }
    for (const search of ['a\0', '\uD800', '\u{10FFFF}']) expect((await users.list({ search })).users).to.deep.equal([])
  })

  it('need the method of the adapter, and an adapter', async () => {
    const { listUsers: _, ...lacking } = memoryAdapter()
    const error = (await rejectionOf(usersOf(lacking).list())) as AuthError
    expect(error.type).to.equal('MissingAdapterMethods')
    expect(error.message).to.include('`listUsers`')
    const none = (await rejectionOf(usersOf(undefined).list())) as AuthError
    expect(none.type).to.equal('MissingAdapter')
  })
})

describe('columns of a user that the adapter does not store', () => {
  it('are rejected, and nothing is stored', async function () {
    const database = await requireDatabase(this, 'sqlite')
    await migrate(database.db)
    const users = usersOf(sqlAdapter(database.db))
    const given = { email: 'ann@example.com', emailVerified: true, rolle: 'admin' }
    const error = (await rejectionOf(users.create(given as never))) as AuthError
    expect([error.type, error.message]).to.deep.equal([
      'InvalidConfiguration',
      'The adapter does not store the column `rolle` of users. Declare it for the adapter, or remove it.',
    ])
    expect((await users.list()).users).to.deep.equal([])
    const made = await users.create({ email: 'ann@example.com', emailVerified: true })
    const userId = made.ok ? made.user.id : ''
    expect((await rejectionOf(users.update({ userId, name: 'Ann', rolle: 'admin' } as never))).message).to.include(
      'rolle',
    )
    expect((await users.get(userId))?.user.name).to.equal(null)
    await database.close()
  })
})
