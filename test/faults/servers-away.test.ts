/** A database that is stopped and started during traffic, and a connection that is cut in the middle of a transaction. */
import { once } from 'node:events'
import { createConnection, createServer, type Server, type Socket } from 'node:net'
import { expect } from 'chai'
import type { Kysely } from 'kysely'
import { createClient } from 'redis'
import { combine } from '../../lib/adapters/index.js'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import { redisSessions } from '../../lib/adapters/redis/index.js'
import { connect, migrate, sqlAdapter } from '../../lib/adapters/sql/index.js'
import { startApp, type TestApp, target } from '../support/app.js'
import { type AnyTables, requireDatabase, type TestDatabase } from '../support/databases.js'
import { type OpenIdProvider, startOpenIdProvider } from '../support/openid-provider.js'
import { type OwnServer, startOwnPostgres, startOwnRedis } from '../support/own-servers.js'
import { skip } from '../support/skip.js'

describe('PostgreSQL that is stopped and started during traffic', () => {
  let server: OwnServer
  let db: Kysely<AnyTables>
  let app: TestApp

  before(async function () {
    server = await startOwnPostgres().catch((error: Error) => skip(this, error.message))
    db = connect<AnyTables>(server.url, { timeout: 2 })
    await migrate(db)
    app = await startApp({ adapter: sqlAdapter(db) })
  })
  after(async () => {
    await app?.close()
    await db?.destroy()
    await server?.remove()
  })

  it('keeps sessions in the meantime, reports the failure clearly, and continues without a restart', async () => {
    const browser = app.browser()
    await browser.signIn()
    const cookies = new Map(browser.cookies)
    const traffic = { on: true }
    const statuses = new Set<number>()
    const lane = (async () => {
      const visitor = app.browser()
      for (const [name, value] of cookies) visitor.cookies.set(name, value)
      while (traffic.on) statuses.add((await visitor.get('/me')).status)
    })()
    await server.stop()

    const guarded = await browser.get('/me')
    expect(guarded.status).to.equal(500)
    expect(guarded.body.type).to.equal('AdapterError')
    const session = await browser.get('/auth/session')
    expect(session.status).to.equal(503)
    expect(session.body.error).to.equal('Configuration')
    expect(browser.cookies.get('auth.session-token')).to.equal(cookies.get('auth.session-token'))
    const stranger = app.browser()
    const failed = await stranger.signIn({ username: 'bob' })
    expect([failed.status, failed.headers['retry-after']]).to.deep.equal([503, '30'])
    expect(stranger.cookies.has('auth.session-token')).to.equal(false)

    await server.start()
    const healed = await browser.get('/me')
    expect(healed.body.user).to.have.property('name', 'ann')
    await stranger.signIn({ username: 'bob' })
    expect(await stranger.session()).to.have.nested.property('user.name', 'bob')
    traffic.on = false
    await lane
    expect([...statuses].every((status) => status === 200 || status === 500)).to.equal(true)
    expect(await db.selectFrom('auth_users').selectAll().execute()).to.have.length(2)
  })
})

describe('Redis that is stopped and started', () => {
  it('signs users out, and loses nothing else', async function () {
    const server = await startOwnRedis().catch((error: Error) => skip(this, error.message))
    const client = createClient({
      url: server.url,
      disableOfflineQueue: true,
      socket: { reconnectStrategy: 20, connectTimeout: 1000 },
    })
    client.on('error', () => {})
    await client.connect()
    const users = memoryAdapter()
    const app = await startApp({ adapter: combine(users, { sessions: redisSessions(client) }) })
    const browser = app.browser()
    await browser.signIn()
    expect(await browser.session()).to.have.nested.property('user.name', 'ann')

    await server.stop()
    const away = await browser.get('/auth/session')
    expect(away.status).to.equal(503)
    expect(browser.cookies.has('auth.session-token')).to.equal(true)

    // Not `once`: it would take the failed tries in between for the answer.
    const ready = new Promise((resolve) => client.once('ready', resolve))
    await server.start()
    await ready
    expect(await browser.session()).to.equal(null)
    await browser.signIn()
    expect(await browser.session()).to.have.nested.property('user.name', 'ann')
    expect(await users.getUserByEmail('ann@example.com')).to.not.equal(null)
    await app.close()
    await client.close()
    await server.remove()
  })
})

describe('a connection that is cut in the middle of a transaction', () => {
  let database: TestDatabase
  let provider: OpenIdProvider
  let line: Line
  let db: Kysely<AnyTables>
  let app: TestApp

  before(async function () {
    database = await requireDatabase(this, 'postgres')
    provider = await startOpenIdProvider()
    await migrate(database.db)
    line = await startLine(new URL(database.url))
    db = connect<AnyTables>(line.url)
    app = await startApp({
      adapter: sqlAdapter(db),
      providers: [{ id: 'test', name: 'Test', type: 'oidc', ...provider.settings() }],
    })
  })
  after(async () => {
    await app?.close()
    await db?.destroy()
    await line?.close()
    await provider?.close()
    await database?.close()
  })

  async function signIn() {
    const browser = app.browser()
    const start = await browser.submit('/auth/signin/test')
    const end = await browser.get(await provider.signInAs(target(start), 'alice'))
    return { browser, end }
  }

  for (const statement of [
    'insert into "auth_users"',
    'insert into "auth_accounts"',
    'insert into "auth_sessions"',
    'commit',
  ]) {
    it(`at \`${statement}\` leaves no partial changes, and the next try succeeds`, async () => {
      line.cutAt(statement)
      const { browser, end } = await signIn()
      expect(end.status, app.log.errors.map(String).join('\n')).to.equal(503)
      expect(browser.cookies.has('auth.session-token')).to.equal(false)
      const rows = async (table: string) => database.db.selectFrom(table).selectAll().execute()
      expect(await rows('auth_accounts')).to.have.length((await rows('auth_users')).length)
      expect(await rows('auth_sessions')).to.have.length(0)

      const again = await signIn()
      expect(target(again.end)).to.equal(`${app.origin}/`)
      expect(await rows('auth_users')).to.have.length(1)
      expect(await rows('auth_accounts')).to.have.length(1)
      for (const table of ['auth_sessions', 'auth_accounts', 'auth_users'])
        await database.db.deleteFrom(table).execute()
    })
  }
})

interface Line {
  /** The URL of the database through the line. */
  readonly url: string
  /** Cuts all connections when the text is next sent, before the server gets it. */
  cutAt(text: string): void
  close(): Promise<void>
}

/** Starts a connection to a server that can be cut. */
async function startLine(to: URL): Promise<Line> {
  const order: { text?: string } = {}
  const sockets = new Set<Socket>()
  const server: Server = createServer((client) => {
    const upstream = createConnection(Number(to.port || 5432), to.hostname)
    const cut = () => {
      client.destroy()
      upstream.destroy()
    }
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', cut)
      socket.on('close', () => {
        sockets.delete(socket)
        cut()
      })
    }
    client.on('data', (data) => {
      if (order.text !== undefined && data.includes(order.text)) {
        order.text = undefined
        cut()
        return
      }
      upstream.write(data)
    })
    upstream.pipe(client)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the line has no port')
  const url = new URL(to)
  url.host = `127.0.0.1:${address.port}`
  return {
    url: url.href,
    cutAt(text) {
      order.text = text
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
