/** The adapter on Cloudflare D1 keeps the contracts, on the database of `workerd`. */
import { expect } from 'chai'
import { sql } from 'kysely'
import { connectD1, type D1Binding, d1Adapter, migrate } from '../../../lib/adapters/sql/d1.js'
import { connect, sqlAdapter, sqlStore } from '../../../lib/adapters/sql/index.js'
import { adapterContract, storeContract } from '../../../lib/testing/index.js'
import { rejectionOf, thrownBy } from '../../support/rejection.js'
import { type Miniflare, startWorker } from './workerd.js'

const hooks = { describe, it, before, after }

describe('Cloudflare D1', function () {
  this.timeout(120_000)
  let worker: Miniflare
  let binding: D1Binding

  before(async () => {
    worker = await startWorker('export default { fetch: () => new Response() }', {
      d1Databases: ['DB', 'RACE', 'OTHER', 'PRINTED'],
    })
    binding = (await worker.getD1Database('DB')) as D1Binding
    await migrate(connectD1(binding))
  })
  after(() => worker.dispose())

  adapterContract(hooks, {
    name: 'd1Adapter',
    create: () => ({ adapter: d1Adapter(binding) }),
    skip: { transactions: 'D1 has none' },
  })

  storeContract(hooks, { name: 'sqlStore on D1', create: () => ({ store: sqlStore(connectD1(binding)) }) })

  it('migrates once, when several processes begin at the same time', async () => {
    const race = (await worker.getD1Database('RACE')) as D1Binding
    const migrations = await Promise.all([1, 2, 3].map(() => migrate(connectD1(race))))
    const { rows } = await sql<{ name: string }>`select name from auth_migrations`.execute(connectD1(race))
    expect(migrations.filter(({ applied }) => applied.length > 0)).to.have.length(1)
    expect(migrations.flatMap(({ applied }) => applied).sort()).to.deep.equal(rows.map(({ name }) => name).sort())
  })

  it('takes the statements that the command line prints', async () => {
    const printed = connectD1<Record<string, Record<string, unknown>>>(
      (await worker.getD1Database('PRINTED')) as D1Binding,
    )
    const memory = connect('sqlite::memory:')
    const { applied, sql: statements } = await migrate(memory, { dryRun: true })
    await memory.destroy()
    for (const statement of statements) await sql.raw(statement).execute(printed)
    expect(applied.length).to.be.above(5)
    expect(await migrate(printed)).to.deep.equal({ applied: [], sql: [] })
  })

  it('changes nothing if a step of a migration fails', async () => {
    const other = connectD1<Record<string, Record<string, unknown>>>((await worker.getD1Database('OTHER')) as D1Binding)
    // A view has the name of one of the last tables.
    await sql`create view auth_factors as select 1 as one`.execute(other)
    expect(String(await rejectionOf(migrate(other)))).to.include('views may not be indexed')
    const { rows } = await sql<{ name: string }>`select name from sqlite_master where name = 'auth_users'`.execute(
      other,
    )
    expect(rows).to.deep.equal([])
  })

  it('is refused by `sqlAdapter`, which would promise transactions', async () => {
    const error = thrownBy(() => sqlAdapter(connectD1(binding)))
    expect(String(error)).to.equal(
      'TypeError: D1 has no transactions. Use `d1Adapter(binding)` instead of `sqlAdapter`.',
    )
    expect(d1Adapter(binding)).to.not.have.property('transaction')
    const db = connectD1<Record<string, Record<string, unknown>>>(binding)
    expect(String(await rejectionOf(db.transaction().execute(async () => {})))).to.include('D1 has no transactions')
  })

  it('writes values beyond the limit of parameters into the statement, whatever they contain', async () => {
    const db = connectD1<Record<string, Record<string, unknown>>>(binding)
    const texts = ["'", "''; drop table auth_users; --", '\\', '?', '?1', ':a', '"', '`', '😀', '%', '\n', '']
    const values = [...Array.from({ length: 150 }, (_, at) => `filler ${at}`), ...texts]
    await sql`create table texts (at integer, text text)`.execute(db)
    for (const [at, text] of texts.entries()) await db.insertInto('texts').values({ at, text }).execute()
    const found = await db.selectFrom('texts').select('text').where('text', 'in', values).orderBy('at').execute()
    expect(found.map(({ text }) => text)).to.deep.equal(texts)
    await db
      .insertInto('texts')
      .values(values.map((text, at) => ({ at: at + 1000, text })))
      .execute()
    const stored = await db.selectFrom('texts').select('text').where('at', '>=', 1000).orderBy('at').execute()
    expect(stored.map(({ text }) => text)).to.deep.equal(values)
    const nul = db
      .selectFrom('texts')
      .select('text')
      .where('text', 'in', [...values, 'a\0b'])
    expect(String(await rejectionOf(nul.execute()))).to.include('too many SQL variables')
  })

  it('needs a binding', () => {
    for (const value of [undefined, {}, 'DB']) {
      const error = thrownBy(() => connectD1(value as unknown as D1Binding))
      expect(String(error)).to.include('`connectD1` got no D1 binding.')
    }
  })
})
