/** Pages of 100,000 users: each is a range of an index, wherever it begins. */
import { expect } from 'chai'
import { CompiledQuery, type KyselyPlugin, type RootOperationNode, sql } from 'kysely'
import { migrate, sqlAdapter } from '../../lib/adapters/sql/index.js'
import type { AdapterUserQuery } from '../../lib/types/adapter.js'
import {
  type AnyTables,
  type DatabaseKind,
  databaseKinds,
  requireDatabase,
  type TestDatabase,
} from '../support/databases.js'

const count = 100_000

/** Stores users of whom every tenth has no address. Names are in mixed case. */
const fill: Readonly<Record<DatabaseKind, string>> = {
  sqlite: `insert into auth_users (id, name, email, "emailVerified")
    with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${count})
    select printf('id%06d', n), printf('User %06d', (n * 7919) % ${count}),
    case when n % 10 = 0 then null else printf('user%06d@example.com', n) end, n from numbers`,
  postgres: `insert into auth_users (id, name, email, "emailVerified")
    select 'id' || lpad(n::text, 6, '0'), 'User ' || lpad(((n * 7919) % ${count})::text, 6, '0'),
    case when n % 10 = 0 then null else 'user' || lpad(n::text, 6, '0') || '@example.com' end, now()
    from generate_series(1, ${count}) n`,
  mysql: `insert into auth_users (id, name, email, emailVerified)
    select concat('id', lpad(seq, 6, '0')), concat('User ', lpad((seq * 7919) % ${count}, 6, '0')),
    if(seq % 10 = 0, null, concat('user', lpad(seq, 6, '0'), '@example.com')), utc_timestamp(3) from seq_1_to_${count}`,
}

const analyze: Readonly<Record<DatabaseKind, string>> = {
  sqlite: 'analyze',
  postgres: 'analyze auth_users',
  mysql: 'analyze table auth_users',
}

const pages: Readonly<Record<string, AdapterUserQuery>> = {
  'the first page': { part: 'email', prefix: '', limit: 51 },
  'a late page': { part: 'email', prefix: '', limit: 51, after: { id: 'id090001', value: 'user090001@example.com' } },
  'a search by address': { part: 'email', prefix: 'USER0999', limit: 51 },
  'a search by name': { part: 'name', prefix: 'user 0999', limit: 51 },
  'a late page of a search by name': {
    ...{ part: 'name', prefix: 'user 0', limit: 51 },
    after: { id: 'id000001', value: 'User 090000' },
  },
  'users without an address': { part: 'id', prefix: '', limit: 51, after: { id: 'id090000', value: '' } },
}

for (const kind of databaseKinds) {
  describe(`100,000 users in ${kind}`, () => {
    let database: TestDatabase
    before(async function () {
      this.timeout(120_000)
      database = await requireDatabase(this, kind)
      await migrate(database.db)
      await sql.raw(fill[kind]).execute(database.db)
      await sql.raw(analyze[kind]).execute(database.db)
    })
    after(() => database?.close())

    /** Lists users. Returns them, and the plan of the query. */
    async function list(query: AdapterUserQuery) {
      const nodes: RootOperationNode[] = []
      const plugin: KyselyPlugin = {
        transformQuery: ({ node }) => {
          nodes.push(node)
          return node
        },
        transformResult: async ({ result }) => result,
      }
      const users = await sqlAdapter(database.db.withPlugin(plugin)).listUsers(query)
      // The first query detects the dialect, and is not sent.
      const node = nodes.at(-1)
      if (!node) throw new Error('There was no query.')
      return { users, plan: await explain(database, node) }
    }

    for (const [name, query] of Object.entries(pages)) {
      it(`reads ${name} by an index`, async () => {
        const { users, plan } = await list(query)
        expect(users).to.have.lengthOf.within(30, 51)
        expect(plan).to.not.match(/Seq Scan|SCAN auth_users$|"ALL"|filesort/m)
        expect(plan).to.match(/auth_users_list_(email|name)|"email"|auth_users_pkey|autoindex|"PRIMARY"/)
      })
    }
  })
}

/** Returns the plan of a query, as text. */
async function explain({ kind, db }: TestDatabase, node: RootOperationNode): Promise<string> {
  const compiled = db.getExecutor().compileQuery<AnyTables>(node, { queryId: 'explained' })
  const prefix = kind === 'sqlite' ? 'explain query plan' : 'explain'
  const { rows } = await db.executeQuery(CompiledQuery.raw(`${prefix} ${compiled.sql}`, [...compiled.parameters]))
  return rows.map((row) => JSON.stringify(row)).join('\n')
}
