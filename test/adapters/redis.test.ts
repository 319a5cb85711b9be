import { randomBytes } from 'node:crypto'
import { expect } from 'chai'
import { Cluster } from 'ioredis'
import { createCluster } from 'redis'
import {
  type IORedisClient,
  type NodeRedisClient,
  type RedisSessions,
  redisSessions,
} from '../../lib/adapters/redis/index.js'
import type { AdapterSession } from '../../lib/types/adapter.js'
import { freePort } from '../support/free-ports.js'
import { rejectionOf, thrownBy } from '../support/rejection.js'
import { skip } from '../support/skip.js'
import { hasRedis, libraries, startRedis, type TestClient } from './redis-clients.js'

const hour = 3_600_000

function later(hours = 1): Date {
  return new Date(Date.now() + hours * hour)
}

function newSession(rest: Partial<AdapterSession> = {}): AdapterSession {
  return { sessionToken: `v1.${randomBytes(32).toString('base64url')}`, userId: 'user', expires: later(), ...rest }
}

function tokensOf(sessions: readonly AdapterSession[]): string[] {
  return sessions.map(({ sessionToken }) => sessionToken).sort()
}

async function deleteKeys({ command }: TestClient, prefix: string): Promise<void> {
  for (const key of await keysOf(command, prefix)) await command('DEL', key)
}

async function keysOf(command: TestClient['command'], prefix: string): Promise<string[]> {
  const keys = await command('KEYS', `${prefix}*`)
  return Array.isArray(keys) ? keys.map(String).sort() : []
}

for (const [library, open] of Object.entries(libraries)) {
  describe(`redisSessions(client) with ${library}`, () => {
    const prefix = `test-${randomBytes(6).toString('hex')}:`
    let one: TestClient
    let two: TestClient
    let sessions: RedisSessions
    let elsewhere: RedisSessions
    before(async function () {
      if (!(await hasRedis())) skip(this, 'no Redis at 127.0.0.1:6379')
      one = await open()
      two = await open()
      sessions = redisSessions(one.client, { prefix })
      elsewhere = redisSessions(two.client, { prefix })
    })
    afterEach(() => one && deleteKeys(one, prefix))
    after(() => Promise.all([one?.close(), two?.close()]))

    it('keeps a session, and another client reads it to the millisecond', async () => {
      const session = newSession()
      expect(await sessions.createSession(session)).to.deep.equal(session)
      expect(await elsewhere.getSession(session.sessionToken)).to.deep.equal(session)
    })

    it('knows nothing of a token that was not stored, nor of one in other letters', async () => {
      await sessions.createSession(newSession({ sessionToken: 'Token' }))
      expect(await sessions.getSession('token')).to.equal(null)
      expect(await sessions.getSession('Token ')).to.equal(null)
      expect(await sessions.getSession('')).to.equal(null)
    })

    it('rejects a second session with the same token, and keeps the first as it was', async () => {
      const session = newSession({ userId: 'ada' })
      await sessions.createSession(session)
      const error = await rejectionOf(elsewhere.createSession({ ...session, userId: 'eve', expires: later(9) }))
      expect(error.message).to.equal('Redis: a session with this token already exists')
      expect(await sessions.getSession(session.sessionToken)).to.deep.equal(session)
      expect(await sessions.deleteSessionsByUserId('eve')).to.equal(0)
      expect(await keysOf(one.command, `${prefix}user:`)).to.deep.equal([`${prefix}user:ada`])
      await rejectionOf(sessions.createSession({ ...session, expires: new Date(Date.now() - hour) }))
      expect(await sessions.listSessionsByUserId('ada')).to.deep.equal([session])
    })

    it('of 50 sessions with one token at the same time stores exactly one', async () => {
      const session = newSession()
      const tries = Array.from({ length: 50 }, (_, index) => (index % 2 ? sessions : elsewhere).createSession(session))
      const results = await Promise.allSettled(tries)
      expect(results.filter(({ status }) => status === 'fulfilled')).to.have.length(1)
      expect(await sessions.listSessionsByUserId('user')).to.deep.equal([session])
    })

    it('lets Redis end the session at its end, and the list with the last session of a user', async () => {
      const [first, last, middle] = [newSession({ expires: later(1) }), newSession({ expires: later(3) }), newSession()]
      for (const session of [first, last, middle]) await sessions.createSession(session)
      const endOf = async (key: string) => Number(await one.command('PEXPIRETIME', prefix + key))
      expect(await endOf(`session:${first.sessionToken}`)).to.equal(first.expires.getTime())
      expect(await endOf('user:user')).to.equal(last.expires.getTime())
      await sessions.updateSession({ sessionToken: first.sessionToken, expires: later(5) })
      const extended = await sessions.getSession(first.sessionToken)
      expect(await endOf(`session:${first.sessionToken}`)).to.equal(extended?.expires.getTime())
      expect(await endOf('user:user')).to.equal(extended?.expires.getTime())
    })

    it('leaves no key without an expiry', async () => {
      const session = newSession()
      await sessions.createSession(session)
      await sessions.updateSession({ sessionToken: session.sessionToken, expires: later(2) })
      const keys = await keysOf(one.command, prefix)
      expect(keys).to.have.length(2)
      for (const key of keys) expect(Number(await one.command('PTTL', key)), key).to.be.greaterThan(0)
    })

    it('accepts a session that has expired, and does not return it', async () => {
      for (const expires of [new Date(Date.now() - 1000), new Date(0), new Date(-hour)]) {
        const session = newSession({ expires })
        await sessions.createSession(session)
        expect(await sessions.getSession(session.sessionToken)).to.equal(null)
        expect(await sessions.listSessionsByUserId('user')).to.deep.equal([])
      }
      expect(await keysOf(one.command, prefix)).to.deep.equal([])
    })

    it('ends a session that is updated to a time in the past', async () => {
      const session = newSession()
      await sessions.createSession(session)
      await sessions.updateSession({ sessionToken: session.sessionToken, expires: new Date(Date.now() - 1000) })
      expect(await sessions.getSession(session.sessionToken)).to.equal(null)
    })

    it('rejects an invalid date before anything is written', async () => {
      const error = await rejectionOf(sessions.createSession(newSession({ expires: new Date(Number.NaN) })))
      expect(error).to.be.instanceOf(TypeError)
      expect(await keysOf(one.command, prefix)).to.deep.equal([])
    })

    it('changes the fields that are given', async () => {
      const session = newSession()
      await sessions.createSession(session)
      const expires = later(7)
      const { sessionToken } = session
      expect(await sessions.updateSession({ sessionToken, expires })).to.deep.equal({ ...session, expires })
      expect(await elsewhere.getSession(sessionToken)).to.deep.equal({ ...session, expires })
      expect(await sessions.updateSession({ sessionToken })).to.deep.equal({ ...session, expires })
      await sessions.updateSession({ sessionToken, userId: 'other' })
      expect(await sessions.listSessionsByUserId('user')).to.deep.equal([])
      expect(await sessions.listSessionsByUserId('other')).to.deep.equal([{ ...session, userId: 'other', expires }])
    })

    it('updates nothing if there is no session', async () => {
      expect(await sessions.updateSession({ sessionToken: 'none', expires: later() })).to.equal(null)
      expect(await keysOf(one.command, prefix)).to.deep.equal([])
    })

    it('does not bring a session back that is deleted while it is extended', async () => {
      const session = newSession()
      await sessions.createSession(session)
      const { client } = one
      const interrupted: NodeRedisClient | IORedisClient = Object.assign(Object.create(client), {
        async get(key: string) {
          const value = await client.get(key)
          await elsewhere.deleteSession(session.sessionToken)
          return value
        },
        ...('getDel' in client
          ? { eval: client.eval.bind(client), getDel: client.getDel.bind(client) }
          : { eval: client.eval.bind(client), getdel: client.getdel.bind(client) }),
      })
      const update = redisSessions(interrupted, { prefix }).updateSession({ ...session, expires: later(5) })
      expect(await update).to.equal(null)
      expect(await keysOf(one.command, prefix)).to.deep.equal([])
    })

    it('of 50 sessions extended and deleted at once leaves none', async () => {
      const made = Array.from({ length: 50 }, () => newSession())
      await Promise.all(made.map((session) => sessions.createSession(session)))
      await Promise.all(
        made.flatMap(({ sessionToken }, index) => {
          const [extending, deleting] = index % 2 ? [sessions, elsewhere] : [elsewhere, sessions]
          const extend = () => extending.updateSession({ sessionToken, expires: later(5) })
          return [extend(), extend(), deleting.deleteSession(sessionToken), extend()]
        }),
      )
      expect(await keysOf(one.command, `${prefix}session:`)).to.deep.equal([])
      expect(await sessions.listSessionsByUserId('user')).to.deep.equal([])
    })

    it('returns the session that was deleted, once', async () => {
      const session = newSession()
      await sessions.createSession(session)
      const results = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          (index % 2 ? sessions : elsewhere).deleteSession(session.sessionToken),
        ),
      )
      expect(results.filter((result) => result !== null)).to.deep.equal([session])
      expect(await keysOf(one.command, prefix)).to.deep.equal([])
    })

    it('lists and ends all sessions of one user, hundreds of them, and none of another user', async () => {
      const made = Array.from({ length: 250 }, () => newSession())
      const other = newSession({ userId: 'other' })
      await Promise.all(
        [...made, other].map((session, index) => (index % 2 ? sessions : elsewhere).createSession(session)),
      )
      expect(tokensOf(await sessions.listSessionsByUserId('user'))).to.deep.equal(tokensOf(made))
      expect(await elsewhere.deleteSessionsByUserId('user')).to.equal(250)
      expect(await sessions.listSessionsByUserId('user')).to.deep.equal([])
      expect(await sessions.getSession(other.sessionToken)).to.deep.equal(other)
      expect(await keysOf(one.command, prefix)).to.have.length(2)
      expect(await sessions.deleteSessionsByUserId('user')).to.equal(0)
    })

    it('keeps no list of expired sessions: neither when it is written nor when it is read', async () => {
      const expired = () => newSession({ expires: new Date(Date.now() - 1000) })
      const listed = async () => Number(await one.command('ZCARD', `${prefix}user:user`))
      const session = newSession()
      await sessions.createSession(session)
      for (let count = 0; count < 20; count += 1) await sessions.createSession(expired())
      expect(await listed()).to.equal(2)
      expect(await sessions.listSessionsByUserId('user')).to.deep.equal([session])
      expect(await listed()).to.equal(1)
    })

    it('lists a session before it is there, so that none is ever left out', async () => {
      const session = newSession()
      await sessions.createSession(session)
      await one.command('DEL', `${prefix}session:${session.sessionToken}`)
      expect(await sessions.listSessionsByUserId('user')).to.deep.equal([])
      expect(await sessions.deleteSessionsByUserId('user')).to.equal(0)
      await one.command('SET', `${prefix}session:${session.sessionToken}`, `${session.expires.getTime()} user`)
      expect(await sessions.listSessionsByUserId('user')).to.deep.equal([session])
    })

    it('keeps users apart whose ids look alike in a key, and lets no id shape one', async () => {
      const ids = ['a', 'a:b', 'a%3Ab', 'A', 'user:a', '{a}', '*', 'a b', 'a\nb', 'ä', 'ａ', '', ' ', '../a', '\'"`']
      const made = ids.map((userId) => newSession({ userId }))
      for (const session of made) await sessions.createSession(session)
      for (const session of made) {
        expect(await sessions.listSessionsByUserId(session.userId)).to.deep.equal([session])
      }
      for (const key of await keysOf(one.command, prefix)) {
        expect(key.slice(prefix.length)).to.match(/^(user|session):[A-Za-z0-9%._~!'()*-]*$/)
      }
      await sessions.createSession(newSession({ sessionToken: 'a:b {c}' }))
      expect(await keysOf(one.command, `${prefix}session:a`)).to.deep.equal([`${prefix}session:a%3Ab%20%7Bc%7D`])
    })

    it('rejects a stored value that is not a session', async () => {
      for (const value of ['', 'x', '{"userId":"user"}', '12', '-1 user']) {
        await one.command('SET', `${prefix}session:t`, value)
        const error = await rejectionOf(sessions.getSession('t'))
        expect(error.message).to.equal('Redis: the stored value is not a session')
      }
    })

    it('uses the prefix `server-auth:` unless another one is given', async () => {
      const session = newSession()
      await redisSessions(one.client).createSession(session)
      expect(await one.command('GETDEL', `server-auth:session:${session.sessionToken}`)).to.be.a('string')
      expect(await redisSessions(one.client).deleteSessionsByUserId('user')).to.equal(0)
      await one.command('ZREM', 'server-auth:user:user', session.sessionToken)
    })

    it('rejects immediately if no server listens, whatever the method', async () => {
      const { client, close } = await open(await freePort())
      const away = redisSessions(client)
      const calls = [
        away.createSession(newSession()),
        away.getSession('t'),
        away.updateSession({ sessionToken: 't' }),
        away.deleteSession('t'),
        away.listSessionsByUserId('user'),
        away.deleteSessionsByUserId('user'),
      ]
      const errors = await Promise.all(calls.map(rejectionOf))
      await close()
      expect(errors).to.have.length(6)
    })

    it('rejects while Redis is stopped, and works again when it is back', async function () {
      const port = await freePort()
      const server = await startRedis(port)
      if (!server) return skip(this, 'redis-server is not installed')
      const { client, close } = await open(port)
      const own = redisSessions(client)
      const session = newSession()
      await own.createSession(session)
      await server.stop()
      await rejectionOf(own.getSession(session.sessionToken))
      const again = await startRedis(port)
      try {
        await until(() => own.getSession(session.sessionToken))
        expect(await own.getSession(session.sessionToken)).to.equal(null)
        expect(await own.createSession(session)).to.deep.equal(session)
      } finally {
        await close()
        await again?.stop()
      }
    })
  })
}

/** Resolves when the call does. The test's own time-out ends the waiting. */
async function until(call: () => Promise<unknown>): Promise<void> {
  for (;;) {
    const works = await call().then(
      () => true,
      () => false,
    )
    if (works) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

describe('redisSessions(client): what is a client', () => {
  it('names the required client for any other argument', () => {
    const wrong: unknown[] = [undefined, null, 'redis://127.0.0.1', {}, new Map(), { get() {}, eval() {} }, () => {}]
    for (const value of wrong) {
      const error = thrownBy(() => Reflect.apply(redisSessions, undefined, [value]))
      expect(error).to.be.instanceOf(TypeError)
      expect(error.message).to.include('package `redis` or `ioredis`')
    }
  })
})

describe('redisSessions(client) in a cluster', () => {
  let port: number
  let server: Awaited<ReturnType<typeof startRedis>>
  before(async function () {
    port = await freePort()
    const options = { enabled: 'yes', port: String(await freePort()), 'announce-ip': '127.0.0.1' }
    server = await startRedis(port, ...Object.entries(options).flatMap(([name, value]) => [`--cluster-${name}`, value]))
    if (!server) return skip(this, 'redis-server is not installed')
    const admin = await libraries.ioredis?.(port)
    await admin?.command('CLUSTER', 'ADDSLOTSRANGE', '0', '16383')
    await until(async () => {
      if (!String(await admin?.command('CLUSTER', 'INFO')).includes('cluster_state:ok')) throw new Error('not yet')
    })
    await admin?.close()
  })
  after(() => server?.stop())

  it('works with ioredis: no command needs two keys in one slot', async () => {
    const cluster = new Cluster([{ host: '127.0.0.1', port }])
    cluster.on('error', () => {})
    try {
      await useAll(redisSessions(cluster))
    } finally {
      cluster.disconnect()
    }
  })

  it('works with redis', async () => {
    const cluster = createCluster({ rootNodes: [{ socket: { host: '127.0.0.1', port } }] })
    cluster.on('error', () => {})
    await cluster.connect()
    try {
      await useAll(redisSessions(cluster))
    } finally {
      cluster.destroy()
    }
  })

  async function useAll(sessions: RedisSessions): Promise<void> {
    const made = Array.from({ length: 20 }, () => newSession())
    for (const session of made) await sessions.createSession(session)
    const [first = newSession()] = made
    await sessions.updateSession({ sessionToken: first.sessionToken, expires: later(2) })
    expect(tokensOf(await sessions.listSessionsByUserId('user'))).to.deep.equal(tokensOf(made))
    await sessions.deleteSession(first.sessionToken)
    expect(await sessions.getSession(first.sessionToken)).to.equal(null)
    expect(await sessions.deleteSessionsByUserId('user')).to.equal(19)
  }
})
