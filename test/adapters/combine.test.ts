import { expect } from 'chai'
import { combine, type SessionStore } from '../../lib/adapters/index.js'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import { redisSessions } from '../../lib/adapters/redis/index.js'
import { adapterContract } from '../../lib/testing/index.js'
import type { Adapter, AdapterSession, AdapterUser } from '../../lib/types/adapter.js'
import { freePort } from '../support/free-ports.js'
import { rejectionOf, thrownBy } from '../support/rejection.js'
import { skip } from '../support/skip.js'
import { hasRedis, libraries, type TestClient } from './redis-clients.js'

const expires = new Date(Date.now() + 3_600_000)

function newSession(sessionToken: string, userId = 'ada'): AdapterSession {
  return { sessionToken, userId, expires }
}

function newUser(id: string): AdapterUser {
  return { id, email: `${id}@app.test`, emailVerified: null }
}

/** An adapter as a class: its methods are on a prototype and need their object. */
class BaseUsers {
  users = new Map<string, AdapterUser>()
  createUser(user: AdapterUser): AdapterUser {
    this.users.set(user.id, user)
    return user
  }
  async getUser(id: string): Promise<AdapterUser | null> {
    return this.users.get(id) ?? null
  }
  deleteUser(id: string): AdapterUser | null {
    const user = this.users.get(id)
    this.users.delete(id)
    return user ?? null
  }
}

class Users extends BaseUsers {
  tokens: string[] = []
  pruned = 0
  useVerificationToken({ identifier, token }: { identifier: string; token: string }) {
    this.tokens.push(token)
    return { identifier, token, expires }
  }
  prune(): number {
    this.pruned += 1
    return this.pruned
  }
  /** Throws, because the adapter's own session methods must not be called. */
  async getSessionAndUser(): Promise<never> {
    throw new Error('the session methods of the database are not used')
  }
  async createSession(): Promise<never> {
    throw new Error('the session methods of the database are not used')
  }
  async transaction<T>(work: (adapter: Adapter) => Promise<T>): Promise<T> {
    const inner = new Users()
    inner.users = new Map(this.users)
    const result = await work(inner)
    this.users = inner.users
    return result
  }
}

/** A session store without Redis that tests can stop and make fail. */
class Sessions implements SessionStore {
  rows = new Map<string, AdapterSession>()
  async createSession(session: AdapterSession): Promise<AdapterSession> {
    if (this.rows.has(session.sessionToken)) throw new Error('duplicate')
    this.rows.set(session.sessionToken, session)
    return session
  }
  async getSession(sessionToken: string): Promise<AdapterSession | null> {
    return this.rows.get(sessionToken) ?? null
  }
  async updateSession(change: Partial<AdapterSession> & { sessionToken: string }): Promise<AdapterSession | null> {
    const stored = this.rows.get(change.sessionToken)
    if (!stored) return null
    const session = { ...stored, ...change }
    this.rows.set(change.sessionToken, session)
    return session
  }
  async deleteSession(sessionToken: string): Promise<void> {
    this.rows.delete(sessionToken)
  }
  async listSessionsByUserId(userId: string): Promise<AdapterSession[]> {
    return [...this.rows.values()].filter((session) => session.userId === userId)
  }
  async deleteSessionsByUserId(userId: string): Promise<void> {
    for (const { sessionToken } of await this.listSessionsByUserId(userId)) this.rows.delete(sessionToken)
  }
}

/** The methods that a test calls are all there. */
function made(adapter: Adapter, sessions: SessionStore): Required<Adapter> & { prune?(): unknown } {
  const combined: Partial<Adapter> = combine(adapter, { sessions })
  const isWhole = (value: Partial<Adapter>): value is Required<Adapter> => value.createSession !== undefined
  if (!isWhole(combined)) throw new Error('not an adapter')
  return combined
}

describe('combine(adapter, { sessions })', () => {
  let users: Users
  let sessions: Sessions
  let adapter: ReturnType<typeof made>
  beforeEach(() => {
    users = new Users()
    sessions = new Sessions()
    adapter = made(users, sessions)
    users.createUser(newUser('ada'))
  })

  it('has the store of the adapter', () => {
    const memory = memoryAdapter()
    const joined = made(memory, sessions)
    expect(joined.store()).to.equal(memory.store())
  })

  it('has each method of the adapter, inherited ones too, as a property of its own', () => {
    expect(Object.keys(adapter).sort()).to.deep.equal([
      'createSession',
      'createUser',
      'deleteSession',
      'deleteSessionsByUserId',
      'deleteUser',
      'getSessionAndUser',
      'getUser',
      'listSessionsByUserId',
      'prune',
      'transaction',
      'updateSession',
      'useVerificationToken',
    ])
  })

  it('has no method that the adapter lacks, and none for a property without a function', () => {
    const plain = combine({ getUser: async () => null, linkAccount: undefined }, { sessions })
    for (const name of ['deleteUser', 'transaction', 'linkAccount', 'prune', 'createUser']) {
      expect(name in plain, name).to.equal(false)
    }
  })

  it('calls them as methods of the adapter', async () => {
    await adapter.createUser(newUser('bob'))
    expect(await adapter.getUser('bob')).to.deep.equal(newUser('bob'))
    expect(await adapter.useVerificationToken({ identifier: 'i', token: 't' })).to.include({ token: 't' })
    expect(users.tokens).to.deep.equal(['t'])
    expect(adapter.prune?.()).to.equal(1)
  })

  it('keeps session links where the sessions are, or not at all', async () => {
    const [users, sessions] = [memoryAdapter(), memoryAdapter()]
    const { linkSession: _one, listSessionLinks: _other, ...unlinked } = sessions
    const store = (adapter: Adapter) =>
      ({
        ...adapter,
        getSession: async (token: string) => (await sessions.getSessionAndUser(token))?.session ?? null,
      }) as SessionStore
    expect(combine(users, { sessions: store(unlinked) })).to.not.have.any.keys('linkSession', 'listSessionLinks')
    await sessions.createUser(newUser('ada'))
    await sessions.createSession(newSession('linked'))
    const link = { sessionToken: 'linked', subject: 'person', providerSession: null }
    const combined = combine(users, { sessions: store(sessions) })
    await combined.linkSession?.(link)
    expect(await combined.listSessionLinks?.({ subject: 'person' })).to.deep.equal([link])
    expect(await users.listSessionLinks({ subject: 'person' })).to.deep.equal([])
  })

  it('keeps data of sessions where the sessions are, or not at all', async () => {
    const [users, sessions] = [memoryAdapter(), memoryAdapter()]
    const store = ({ writeSessionData, ...others }: Adapter, hasData: boolean) =>
      ({
        ...others,
        getSession: async (token: string) => (await sessions.getSessionAndUser(token))?.session ?? null,
        ...(hasData && {
          writeSessionData,
          getSessionData: async (token: string) => (await sessions.getSessionUserAndData(token))?.data ?? null,
        }),
      }) as SessionStore
    const dataless = combine(users, { sessions: store(sessions, false) })
    expect(dataless).to.not.have.any.keys('getSessionUserAndData', 'writeSessionData')
    await users.createUser(newUser('ada'))
    await sessions.createUser(newUser('ada'))
    await sessions.createSession(newSession('held'))
    const combined = combine(users, { sessions: store(sessions, true) })
    expect(combined).to.not.have.any.keys('getSessionData')
    const change = { sessionToken: 'held', data: '{"a":1}', previous: null }
    expect(await combined.writeSessionData?.(change)).to.equal(true)
    expect(await combined.getSessionUserAndData?.('held')).to.deep.include({ user: newUser('ada'), data: '{"a":1}' })
    expect(await combined.transaction?.(async (inside) => inside.getSessionUserAndData?.('held'))).to.deep.include({
      data: '{"a":1}',
    })
    expect(await combined.getSessionUserAndData?.('none')).to.equal(null)
  })

  it('takes sessions from the store, and their users from the adapter', async () => {
    await adapter.createSession(newSession('t'))
    expect(await adapter.getSessionAndUser('t')).to.deep.equal({ session: newSession('t'), user: newUser('ada') })
    expect(await adapter.getSessionAndUser('none')).to.equal(null)
    const later = new Date(expires.getTime() + 1000)
    await adapter.updateSession({ sessionToken: 't', expires: later })
    expect(await adapter.listSessionsByUserId('ada')).to.deep.equal([{ ...newSession('t'), expires: later }])
    await adapter.deleteSession('t')
    expect(sessions.rows.size).to.equal(0)
  })

  it('has no session of a deleted user, and deletes the session', async () => {
    await adapter.createSession(newSession('t', 'nobody'))
    expect(await adapter.getSessionAndUser('t')).to.equal(null)
    expect(sessions.rows.size).to.equal(0)
  })

  it('keeps the session if the database cannot say whether its user exists', async () => {
    await adapter.createSession(newSession('t'))
    users.getUser = async () => Promise.reject(new Error('connection lost'))
    expect((await rejectionOf(Promise.resolve(adapter.getSessionAndUser('t')))).message).to.equal('connection lost')
    expect(sessions.rows.size).to.equal(1)
  })

  it('ends the sessions of a user who is deleted', async () => {
    await adapter.createSession(newSession('t'))
    await adapter.createSession(newSession('u', 'bob'))
    expect(await adapter.deleteUser('ada')).to.deep.equal(newUser('ada'))
    expect([...sessions.rows.keys()]).to.deep.equal(['u'])
  })

  it('does not delete a user whose sessions cannot be ended', async () => {
    sessions.deleteSessionsByUserId = async () => Promise.reject(new Error('Redis is away'))
    expect((await rejectionOf(Promise.resolve(adapter.deleteUser('ada')))).message).to.equal('Redis is away')
    expect(await adapter.getUser('ada')).to.deep.equal(newUser('ada'))
  })

  it('reports what is missing', () => {
    const noUser = thrownBy(() => combine({}, { sessions }))
    expect(noUser).to.be.instanceOf(TypeError)
    expect(noUser.message).to.equal('combine: the adapter has no getUser')
    const noList = thrownBy(() => Reflect.apply(combine, undefined, [users, { sessions: { getSession() {} } }]))
    expect(noList.message).to.equal(
      'combine: `sessions` has no createSession, updateSession, deleteSession, listSessionsByUserId, deleteSessionsByUserId',
    )
    expect(() => Reflect.apply(combine, undefined, [users, { sessions: null }])).to.throw(
      TypeError,
      '`sessions` has no',
    )
  })

  describe('transaction(work)', () => {
    it('takes effect as a whole: users by the database, sessions at once', async () => {
      const result = await adapter.transaction(async (inner) => {
        await inner.createUser?.(newUser('bob'))
        await inner.createSession?.(newSession('t', 'bob'))
        expect(await inner.getSessionAndUser?.('t')).to.deep.equal({
          session: newSession('t', 'bob'),
          user: newUser('bob'),
        })
        return 'done'
      })
      expect(result).to.equal('done')
      expect(await adapter.getSessionAndUser('t')).to.include.keys('user')
    })

    it('leaves no session behind when it fails, and rejects with the reason', async () => {
      await adapter.createSession(newSession('before'))
      const error = await rejectionOf(
        adapter.transaction(async (inner) => {
          await inner.createSession?.(newSession('t'))
          throw new Error('conflict')
        }),
      )
      expect(error.message).to.equal('conflict')
      expect([...sessions.rows.keys()]).to.deep.equal(['before'])
    })

    it('rejects with the reason even when the session cannot be deleted', async () => {
      sessions.deleteSession = async () => Promise.reject(new Error('Redis is away'))
      const failing = adapter.transaction(async (inner) => {
        await inner.createSession?.(newSession('t'))
        throw new Error('conflict')
      })
      expect((await rejectionOf(failing)).message).to.equal('conflict')
    })

    it('never deletes a session that it could not create', async () => {
      await adapter.createSession(newSession('t'))
      await rejectionOf(adapter.transaction(async (inner) => inner.createSession?.(newSession('t', 'eve'))))
      expect(sessions.rows.get('t')).to.deep.equal(newSession('t'))
    })

    it('ends the sessions to be ended even if it fails, so that they cannot be used any longer', async () => {
      await adapter.createSession(newSession('t'))
      const failing = adapter.transaction(async (inner) => {
        await inner.deleteSessionsByUserId?.('ada')
        throw new Error('conflict')
      })
      await rejectionOf(failing)
      expect(sessions.rows.size).to.equal(0)
    })

    it('ends a session that began between the ending and the commit, except its own', async () => {
      await adapter.createSession(newSession('old'))
      await adapter.transaction(async (inner) => {
        await inner.deleteSessionsByUserId?.('ada')
        await adapter.createSession(newSession('meanwhile'))
        await inner.createSession?.(newSession('own'))
        await adapter.createSession(newSession('other', 'bob'))
      })
      expect([...sessions.rows.keys()]).to.deep.equal(['own', 'other'])
    })

    it('begins again when the adapter retries', async () => {
      users.transaction = async (work) => {
        await work(users).catch(() => {})
        return work(users)
      }
      let tries = 0
      await adapter.transaction(async (inner) => {
        await inner.createSession?.(newSession('t'))
        tries += 1
        if (tries === 1) throw new Error('conflict')
      })
      expect(tries).to.equal(2)
      expect([...sessions.rows.keys()]).to.deep.equal(['t'])
    })

    it('deletes a user together with the sessions, inside too', async () => {
      await adapter.createSession(newSession('t'))
      await adapter.transaction(async (inner) => inner.deleteUser?.('ada'))
      expect(sessions.rows.size).to.equal(0)
      expect(users.users.size).to.equal(0)
    })
  })
})

for (const [library, open] of Object.entries(libraries)) {
  describe(`combine(adapter, { sessions: redisSessions(client) }) with ${library}`, () => {
    let redis: TestClient
    let users: Users
    let adapter: ReturnType<typeof made>
    before(async function () {
      if (!(await hasRedis())) skip(this, 'no Redis at 127.0.0.1:6379')
      // A database of the server that no other process uses, because it is emptied.
      redis = await open(undefined, 9)
      users = new Users()
      adapter = made(users, redisSessions(redis.client))
      users.createUser(newUser('ada'))
    })
    beforeEach(() => redis.command('FLUSHDB'))
    after(async () => {
      await redis?.command('FLUSHDB')
      await redis?.close()
    })

    adapterContract(
      { describe, it, before, after },
      {
        name: 'keeps the contract of an adapter',
        create: () => ({ adapter: combine(memoryAdapter(), { sessions: redisSessions(redis.client) }) }),
      },
    )

    it('signs users out when Redis loses all data, and loses nothing else', async () => {
      await adapter.createSession(newSession('t'))
      expect(await adapter.getSessionAndUser('t')).to.deep.equal({ session: newSession('t'), user: newUser('ada') })
      await redis.command('FLUSHDB')
      expect(await adapter.getSessionAndUser('t')).to.equal(null)
      expect(await adapter.updateSession({ sessionToken: 't', expires })).to.equal(null)
      expect(await adapter.deleteSession('t')).to.equal(null)
      expect(await adapter.listSessionsByUserId('ada')).to.deep.equal([])
      expect(await adapter.getUser('ada')).to.deep.equal(newUser('ada'))
      await adapter.createSession(newSession('t'))
      expect(await adapter.getSessionAndUser('t')).to.deep.equal({ session: newSession('t'), user: newUser('ada') })
    })

    it('leaves nothing in Redis of a deleted user, nor of a session without a user', async () => {
      await Promise.all(['s', 't', 'u'].map((token) => adapter.createSession(newSession(token, 'bob'))))
      await adapter.createSession(newSession('v', 'nobody'))
      await adapter.createUser(newUser('bob'))
      await adapter.deleteUser('bob')
      expect(await adapter.getSessionAndUser('v')).to.equal(null)
      expect(await redis.command('DBSIZE')).to.equal(0)
    })

    it('fails closed when Redis is unavailable: no session, an error, and the users are still there', async () => {
      const away = await open(await freePort())
      const failing = made(users, redisSessions(away.client))
      await rejectionOf(Promise.resolve(failing.getSessionAndUser('t')))
      await rejectionOf(Promise.resolve(failing.deleteUser('ada')))
      await away.close()
      expect(await failing.getUser('ada')).to.deep.equal(newUser('ada'))
    })
  })
}
