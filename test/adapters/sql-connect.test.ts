/** Tests of `connect`, and of the adapter's messages about Kysely instances and options. */
import { execFile } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { CamelCasePlugin, Kysely, MssqlQueryCompiler, PostgresAdapter, SqliteDialect, sql } from 'kysely'
import Sqlite from 'libsql'
import { connect, migrate, type SqlAdapterOptions, sqlAdapter } from '../../lib/adapters/sql/index.js'
import { compileScript } from '../support/child-script.js'
import { databaseKinds, requireDatabase } from '../support/databases.js'
import { rejectionOf, thrownBy } from '../support/rejection.js'

describe('connect', () => {
  let folder = ''
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'server-auth-connect-'))
  })
  after(() => rmSync(folder, { recursive: true }))

  it('opens an SQLite file by each spelling of its URL', async () => {
    const path = join(folder, 'spelled here.db')
    const urls = [`sqlite:${path}`, `sqlite://${path}`, `file:${path}`, pathToFileURL(path).href]
    for (const [index, url] of urls.entries()) {
      const db = connect(url)
      if (index === 0) await sql`create table spelled (x int)`.execute(db)
      const { rows } = await sql`select name from sqlite_master`.execute(db)
      expect(rows, url).to.deep.equal([{ name: 'spelled' }])
      await db.destroy()
    }
  })

  it('makes a new SQLite file, and the files beside it, accessible to its owner only', async () => {
    const path = join(folder, 'private.db')
    const db = connect(`sqlite:${path}`)
    await sql`create table t (x int)`.execute(db)
    for (const file of [path, `${path}-wal`, `${path}-shm`]) expect(statSync(file).mode & 0o777, file).to.equal(0o600)
    await db.destroy()
  })

  it('keeps the mode of an existing SQLite file', async () => {
    const path = join(folder, 'shared.db')
    writeFileSync(path, '')
    chmodSync(path, 0o660)
    const db = connect(`sqlite:${path}`)
    await sql`create table t (x int)`.execute(db)
    expect(statSync(path).mode & 0o777).to.equal(0o660)
    await db.destroy()
  })

  it('opens a database in memory', async () => {
    for (const url of [':memory:', 'sqlite::memory:', 'file::memory:']) {
      const db = connect(url)
      expect((await migrate(db)).applied, url).to.include('default-0001-tables')
      await db.destroy()
    }
  })

  it('makes SQLite wait for other writers, enforce references and allow readers', async () => {
    const db = connect(`sqlite:${join(folder, 'pragmas.db')}`, { timeout: 2 })
    const read = async (name: string) => (await sql.raw<Record<string, unknown>>(`pragma ${name}`).execute(db)).rows[0]
    expect(await read('foreign_keys')).to.deep.equal({ foreign_keys: 1 })
    expect(await read('journal_mode')).to.deep.equal({ journal_mode: 'wal' })
    expect(await read('busy_timeout')).to.deep.equal({ timeout: 2000 })
    await db.destroy()
  })

  const wrong = [
    '',
    'app.db',
    'http://localhost/pa55word',
    'mongodb://app:pa55word@localhost/app',
    'postgres://app:pa55/word@localhost/app',
    'postgres:///',
    'mysql:pa55word',
    'mysql://app:pa55word@localhost',
    'sqlite:',
    'sqlite://',
    'file:app.db?mode=ro&key=pa55word',
  ]
  for (const url of wrong) {
    it(`refuses "${url}", and does not repeat it`, () => {
      const error = thrownBy(() => connect(url))
      expect(error).to.be.instanceOf(TypeError)
      expect(error.message).to.contain('URL').and.not.contain('pa55word').and.not.contain('undefined')
    })
  }

  it('rejects invalid options', () => {
    for (const options of [
      { maxConnections: 0 },
      { maxConnections: 1.5 },
      { timeout: 0 },
      { timeout: Number.NaN },
      { statementTimeout: 0 },
    ]) {
      expect(
        thrownBy(() => connect(':memory:', options)),
        JSON.stringify(options),
      ).to.be.instanceOf(TypeError)
    }
  })

  it('names the missing folder of an SQLite file', async () => {
    const db = connect(`sqlite:${join(folder, 'none', 'x.db')}`)
    const error = await rejectionOf(sql`select 1`.execute(db))
    expect(error.message).to.contain(`The folder ${join(folder, 'none')} of the SQLite file does not exist`)
  })

  const drivers: ReadonlyArray<[url: string, message: string]> = [
    ['postgres://localhost/x', 'npm install pg'],
    ['mariadb://localhost/x', 'npm install mysql2'],
    ['sqlite:x.db', 'npm install better-sqlite3'],
  ]
  for (const [url, message] of drivers) {
    it(`says "${message}" when that driver is missing`, async () => {
      const missing = `export async function resolve(name, context, next) {
        if (['pg', 'mysql2', 'libsql', 'better-sqlite3'].includes(name))
          throw Object.assign(new Error("Cannot find package '" + name + "'"), { code: 'ERR_MODULE_NOT_FOUND' })
        return next(name, context)
      }`
      const code = `
        import { register } from 'node:module'
        register(${JSON.stringify(`data:text/javascript,${encodeURIComponent(missing)}`)})
        const { connect } = await import(${JSON.stringify(await compileScript('lib/adapters/sql/index.ts'))})
        const { sql } = await import(${JSON.stringify(import.meta.resolve('kysely'))})
        await sql\`select 1\`.execute(connect(${JSON.stringify(url)})).catch((error) => console.log(error.message))`
      const args = ['--input-type=module', '-e', code]
      const { stdout } = await promisify(execFile)(process.execPath, args)
      expect(stdout).to.contain(message)
    })
  }

  it('prepares the statements of PostgreSQL when it is asked to', async function () {
    const database = await requireDatabase(this, 'postgres')
    const db = connect(database.url, { prepare: true, maxConnections: 1 })
    try {
      await migrate(db)
      const adapter = sqlAdapter(db)
      for (let round = 0; round < 3; round++) {
        expect(await adapter.getSessionAndUser('none')).to.equal(null)
        await adapter.transaction(async (inside) => inside.getUser?.('nobody'))
      }
      const { rows } = await sql`select name from pg_prepared_statements where statement like '%auth_%'`.execute(db)
      expect(rows).to.have.length(2)
    } finally {
      await db.destroy()
      await database.close()
    }
  })
})

describe('sqlAdapter', () => {
  const memory = connect(':memory:')
  after(() => memory.destroy())

  const wrong: ReadonlyArray<[what: string, options: object]> = [
    ['preset', { preset: 'prisma' }],
    ['preset', { preset: 'constructor' }],
    ['pg', { preset: 'pg' }],
    ['dialect', { dialect: 'oracle' }],
    ['ids', { ids: 'uuid' }],
    ['ids', { preset: 'drizzle', ids: 'number' }],
    ['userColumns', { userColumns: ['role'] }],
    ['user', { user: ['role'] }],
    ['user', { user: { 'role; drop table': 'string' } }],
    ['user', { user: { Email: 'string' } }],
    ['user', { user: { role: 'string', Role: 'string' } }],
    ['user', { user: JSON.parse('{"__proto__":"string"}') }],
    ['user.role', { user: { role: 'text' } }],
    ['user.role', { user: { role: [] } }],
    ['user.role', { user: { role: { type: 'string', nullable: true } } }],
    ['user.role.default', { user: { role: { type: ['reader', 'admin'], default: 'amdin' } } }],
    ['user.seats.default', { user: { seats: { type: 'number', default: Number.NaN } } }],
    ['user.born.default', { user: { born: { type: 'date', default: 'today' } } }],
    ['pruneEvery', { pruneEvery: -1 }],
    ['pruneEvery', { pruneEvery: '1h' }],
  ]
  for (const [what, options] of wrong) {
    it(`refuses ${JSON.stringify(options)}`, () => {
      const error = thrownBy(() => sqlAdapter(memory, options as SqlAdapterOptions))
      expect(error).to.satisfy((each: Error) => each instanceof TypeError || each instanceof RangeError)
      expect(error.message).to.contain(what)
    })
  }

  it('rejects a value that is no Kysely instance, and one that renames columns or uses another dialect', () => {
    expect(thrownBy(() => sqlAdapter({} as Kysely<unknown>)).message).to.contain('Kysely')
    const renaming = memory.withPlugin(new CamelCasePlugin())
    expect(thrownBy(() => sqlAdapter(renaming)).message).to.contain('renames columns')
    const dialect = new SqliteDialect({ database: new Sqlite(':memory:') })
    const other = new Kysely({
      dialect: {
        createAdapter: () => new PostgresAdapter(),
        createDriver: () => dialect.createDriver(),
        createIntrospector: (db) => dialect.createIntrospector(db),
        createQueryCompiler: () => new MssqlQueryCompiler(),
      },
    })
    expect(thrownBy(() => sqlAdapter(other)).message).to.contain('dialect')
  })

  it('has its methods as properties of its own', () => {
    const names = Object.keys(sqlAdapter(memory))
    expect(names).to.include.members(['getSessionAndUser', 'transaction', 'prune', 'renameAuthenticator'])
  })

  it('deletes the records of a user even if the connection does not enforce references', async () => {
    const file = new Sqlite(':memory:')
    file.exec('pragma foreign_keys = off')
    const db = new Kysely({ dialect: new SqliteDialect({ database: file }) })
    await migrate(db)
    const adapter = sqlAdapter(db)
    await adapter.createUser({ id: 'ada', email: '', emailVerified: null })
    await adapter.createSession({ sessionToken: 'token', userId: 'ada', expires: new Date() })
    await adapter.linkAccount({ userId: 'ada', type: 'oauth', provider: 'acme', providerAccountId: '1' })
    await adapter.deleteUser('ada')
    expect(await adapter.listSessionsByUserId('ada')).to.deep.equal([])
    expect(await adapter.listAccountsByUserId('ada')).to.deep.equal([])
    await db.destroy()
  })

  it('runs inside a transaction of the application', async () => {
    const db = connect(':memory:')
    await migrate(db)
    const user = { id: 'ada', email: '', emailVerified: null }
    const work = db.transaction().execute(async (transaction) => {
      const inside = sqlAdapter(transaction)
      await inside.transaction(async (nested) => nested.createUser?.(user))
      await inside.deleteUser('nobody')
      throw new Error('no')
    })
    await work.catch(() => {})
    expect(await sqlAdapter(db).getUser('ada')).to.equal(null)
    await db.destroy()
  })

  for (const kind of databaseKinds) {
    it(`sends one query for a session on ${kind}`, async function () {
      const database = await requireDatabase(this, kind)
      try {
        await migrate(database.db)
        const asked: string[] = []
        const adapter = sqlAdapter(
          database.db.withPlugin({
            transformQuery: ({ node }) => node,
            async transformResult({ result }) {
              asked.push('query')
              return result
            },
          }),
        )
        await adapter.createUser({ id: 'ada', email: '', emailVerified: null })
        await adapter.createSession({ sessionToken: 'token', userId: 'ada', expires: new Date(0) })
        asked.length = 0
        expect(await adapter.getSessionAndUser('token')).to.have.nested.property('user.id', 'ada')
        expect(asked).to.have.length(1)
      } finally {
        await database.close()
      }
    })
  }

  it('uses the schema of the Kysely instance', async function () {
    const database = await requireDatabase(this, 'postgres')
    try {
      await sql`create schema auth`.execute(database.db)
      const inSchema = connect(`${database.url}?options=-c%20search_path%3Dauth`)
      await migrate(inSchema)
      await inSchema.destroy()
      const adapter = sqlAdapter(database.db.withSchema('auth'))
      const user = await adapter.createUser({ id: 'ada', email: 'ada@example.com', emailVerified: new Date(0) })
      await adapter.createSession({ sessionToken: 'token', userId: 'ada', expires: new Date(0) })
      expect(await adapter.getUserByEmail('ada@example.com')).to.deep.equal(user)
      expect(await adapter.updateUser({ id: 'ada', name: 'Ada' })).to.deep.equal({ ...user, name: 'Ada' })
      expect((await adapter.getSessionAndUser('token'))?.user.name).to.equal('Ada')
      expect(await adapter.prune()).to.deep.equal({ sessions: 1, verificationTokens: 0 })
      await adapter.deleteUser('ada')
    } finally {
      await database.close()
    }
  })
})
