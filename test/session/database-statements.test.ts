/** The cost of a database session on a real database, counted at its driver: one statement a request. */
import { expect } from 'chai'
import Sqlite from 'libsql'
import pg from 'pg'
import { migrate, sqlAdapter } from '../../lib/adapters/sql/index.js'
import { getSession, requireSession } from '../../lib/index.js'
import { type Browser, startApp, type TestApp } from '../support/app.js'
import { type DatabaseKind, databaseKinds, requireDatabase, type TestDatabase } from '../support/databases.js'

/** Records each call of these methods, until it is removed. */
function watch(prototype: object, names: readonly string[]): { readonly calls: string[]; end(): void } {
  const calls: string[] = []
  const originals = names.map((name) => [name, Reflect.get(prototype, name) as () => unknown] as const)
  for (const [name, original] of originals) {
    Reflect.set(prototype, name, function watched(this: unknown, ...args: []): unknown {
      calls.push(name)
      return Reflect.apply(original, this, args)
    })
  }
  return {
    calls,
    end() {
      for (const [name, original] of originals) Reflect.set(prototype, name, original)
    },
  }
}

/** The methods by which the drivers run statements. */
const doors: Partial<Record<DatabaseKind, () => { readonly calls: string[]; end(): void }>> = {
  sqlite() {
    const statement: unknown = new Sqlite(':memory:').prepare('select 1')
    return watch(Object.getPrototypeOf(statement), ['get', 'run', 'iterate'])
  },
  postgres: () => watch(pg.Client.prototype, ['query']),
}

for (const kind of databaseKinds) {
  const open = doors[kind]
  if (!open) continue
  describe(`statements for a database session on ${kind}`, () => {
    let database: TestDatabase
    let app: TestApp
    let browser: Browser
    let watched: ReturnType<typeof open>

    before(async function () {
      database = await requireDatabase(this, kind)
      await migrate(database.db)
      app = await startApp(
        { adapter: sqlAdapter(database.db) },
        {
          after: (express, full) => {
            express.get('/twice', requireSession(full), async (req, res) => {
              const [one, two] = await Promise.all([getSession(req, full), getSession(req, full)])
              res.json([one, two, await getSession(req, full)])
            })
          },
        },
      )
      browser = app.browser()
      await browser.signIn()
      watched = open()
    })
    after(async () => {
      watched?.end()
      await app?.close()
      await database?.close()
    })
    beforeEach(() => void watched.calls.splice(0))

    it('a read is one', async () => {
      const { body } = await browser.get('/me')
      expect(body.user).to.include({ name: 'ann', email: 'ann@example.com', image: null })
      expect(watched.calls).to.have.length(1)
    })

    it('a request that is guarded and reads three more times is one', async () => {
      const { body } = await browser.get('/twice')
      expect(body.map((each: { user: { name: string } }) => each.user.name)).to.deep.equal(['ann', 'ann', 'ann'])
      expect(watched.calls).to.have.length(1)
    })

    it('a visitor without a cookie is none', async () => {
      expect((await app.browser().get('/me')).body).to.equal(null)
      expect(watched.calls).to.have.length(0)
    })
  })
}
