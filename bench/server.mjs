/**
 * One application of the benchmark, in a process of its own: `node bench/server.mjs <variant>`.
 * Tells its port, and its CPU time when asked.
 */
import { createHash } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import express from 'express'

const secret = 'a-benchmark-secret-of-more-than-32-characters'
const user = { id: '1', name: 'Ann Example', email: 'ann@example.com', image: 'https://example.com/ann.png' }

/** A fresh file, and the database that the parent made. */
const databases = {
  sqlite: join(mkdtempSync(join(tmpdir(), 'server-auth-bench-')), 'bench.db'),
  postgres: process.env.BENCH_DATABASE,
}

/** Ours with database sessions. */
function database(kind) {
  return async (app) => {
    const { getSession, ServerAuth } = await import('server-auth')
    const { default: Credentials } = await import('server-auth/providers/credentials')
    const { connect, migrate, sqlAdapter } = await import('server-auth/adapters/sql')
    const db = connect(kind === 'sqlite' ? `sqlite:${databases.sqlite}` : databases.postgres)
    await migrate(db)
    const config = { secret, trustHost: true, adapter: sqlAdapter(db), providers: [signIn(Credentials)] }
    app.use('/auth', ServerAuth(config))
    return (req) => getSession(req, config)
  }
}

const joined =
  'select u.id, u.name, u.email, u.image, s.expires from auth_sessions s join auth_users u on u.id = s."userId" where s."sessionToken" = '

/** The least that such a session costs: the hash of the cookie's token, and one prepared JOIN by the driver alone. */
function bareQuery(kind) {
  return async (app) => {
    await database(kind)(app)
    const find = kind === 'sqlite' ? await sqliteQuery() : await postgresQuery()
    return async (req) => {
      const token = /auth\.session-token=([^;]*)/.exec(req.headers.cookie ?? '')?.[1]
      const row = token && (await find(`h1_${createHash('sha256').update(token).digest('hex')}`))
      return row ? { user: { name: row.name, email: row.email, image: row.image }, expires: row.expires } : null
    }
  }
}

async function sqliteQuery() {
  const { default: Database } = await import('libsql')
  const statement = new Database(databases.sqlite).prepare(`${joined}?`)
  return (token) => statement.get(token)
}

async function postgresQuery() {
  const { default: pg } = await import('pg')
  const pool = new pg.Pool({ connectionString: databases.postgres })
  return async (token) => (await pool.query({ name: 'find', text: `${joined}$1`, values: [token] })).rows[0]
}

/** Each variant mounts its library and gives a way to read the session. */
const variants = {
  async bare(app) {
    app.get('/auth/session', (_req, res) => res.json({ user }))
    return async () => ({ user })
  },
  async ours(app) {
    const { getSession, ServerAuth } = await import('server-auth')
    const { default: Credentials } = await import('server-auth/providers/credentials')
    const config = { secret, trustHost: true, providers: [signIn(Credentials)] }
    app.use('/auth', ServerAuth(config))
    return (req) => getSession(req, config)
  },
  sqlite: database('sqlite'),
  'sqlite query': bareQuery('sqlite'),
  postgres: database('postgres'),
  'postgres query': bareQuery('postgres'),
  async 'auth-express'(app) {
    const { ExpressAuth, getSession } = await import('@auth/express')
    const { default: Credentials } = await import('@auth/express/providers/credentials')
    const config = { secret, trustHost: true, providers: [signIn(Credentials)] }
    app.use('/auth', ExpressAuth(config))
    return (req) => getSession(req, config)
  },
}

const signIn = (Credentials) => Credentials({ credentials: { name: {} }, authorize: async () => user })

const app = express()
app.disable('etag')
app.disable('x-powered-by')
const readSession = await variants[process.argv[2]](app)
app.get('/guarded', async (req, res) => {
  const session = await readSession(req)
  if (session?.user) res.json({ hello: session.user.name })
  else res.status(401).json({ error: 'Unauthorized' })
})

const server = app.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }))
process.on('message', (message) => {
  if (message === 'cpu') process.send({ cpu: process.cpuUsage() })
  if (message === 'close') process.exit(0)
})
