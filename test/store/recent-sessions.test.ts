/** The cache of the sessions that a process read: bounded, copied, and cleared by every write. */
import { expect } from 'chai'
import { createOwnMemory } from '../../lib/base/memory.js'
import type { AdapterStore } from '../../lib/contracts/index.js'
import { createGuardedStore } from '../../lib/store/index.js'
import { SessionCache } from '../../lib/store/session-cache.js'
import type { Adapter } from '../../lib/types/adapter.js'
import { gate } from '../sign-in/linking-stage.js'
import { never, type TestDatabase, testDatabase } from '../support/adapter.js'
import { createLog } from '../support/app.js'
import { advanceClock, freezeClock, restoreClock } from '../support/clock.js'
import { rejectionOf } from '../support/rejection.js'

const adapter = {}
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000)

function found(token: string, { userId = 'ann', ...columns }: Record<string, unknown> = {}) {
  const user = { id: String(userId), name: 'Ann', email: 'ann@example.com', emailVerified: new Date(0), ...columns }
  return { session: { sessionToken: token, userId: user.id, expires: inSeconds(3600) }, user }
}

describe('sessions that were read a moment ago', () => {
  let recent: SessionCache
  const remember = (token: string, record = found(token), seconds = 30) =>
    recent.add(recent.startRead(adapter, token, seconds * 1000), record)

  beforeEach(() => {
    freezeClock()
    recent = new SessionCache()
  })
  afterEach(() => restoreClock())

  it('are given as they were, each time as a copy', () => {
    const record = found('t', { roles: ['a', { deep: new Date(5) }], nothing: null, big: 1n, list: [] })
    const as = structuredClone(record)
    remember('t', record)
    record.user.name = 'changed by who read it'
    const first = recent.get(adapter, 't')
    expect(first).to.deep.equal(as)
    Object.assign(first?.user ?? {}, { name: 'Eve' })
    first?.session.expires.setTime(0)
    first?.user.emailVerified?.setTime(1)
    const roles: unknown = Reflect.get(first?.user ?? {}, 'roles')
    if (Array.isArray(roles)) roles.push('admin')
    expect(recent.get(adapter, 't')).to.deep.equal(as)
  })

  it('are given for so long, and not past their end', () => {
    remember('t')
    remember('short', { ...found('short'), session: { ...found('short').session, expires: inSeconds(10) } })
    advanceClock(9)
    expect(recent.get(adapter, 'short')).not.to.equal(undefined)
    advanceClock(1)
    expect(recent.get(adapter, 'short')).to.equal(undefined)
    advanceClock(19)
    expect(recent.get(adapter, 't')).not.to.equal(undefined)
    advanceClock(1)
    expect(recent.get(adapter, 't')).to.equal(undefined)
    expect(recent.bytes).to.equal(0)
  })

  it('are not given where the clock was set back', () => {
    remember('t')
    advanceClock(-10)
    expect(recent.get(adapter, 't')).to.equal(undefined)
  })

  it('count from the beginning of the read', () => {
    const begun = recent.startRead(adapter, 't', 30_000)
    advanceClock(20)
    recent.add(begun, found('t'))
    advanceClock(10)
    expect(recent.get(adapter, 't')).to.equal(undefined)
  })

  it('belong to the adapter that read them', () => {
    remember('t')
    expect(recent.get({}, 't')).to.equal(undefined)
    expect(recent.get(adapter, 't')).not.to.equal(undefined)
  })

  it('are not remembered where a write came in between, whosever it was', () => {
    const begun = recent.startRead(adapter, 't', 30_000)
    recent.invalidate({ userId: 'somebody else' })
    recent.add(begun, found('t'))
    expect(recent.get(adapter, 't')).to.equal(undefined)
  })

  it('are forgotten by token, by user, and all', () => {
    for (const token of ['1', '2']) remember(token)
    for (const token of ['3', '4']) remember(token, found(token, { userId: 'bob' }))
    const known = () => ['1', '2', '3', '4'].filter((token) => recent.get(adapter, token))
    recent.invalidate({ sessionToken: '1' })
    expect(known()).to.deep.equal(['2', '3', '4'])
    recent.invalidate({ userId: 'bob' })
    expect(known()).to.deep.equal(['2'])
    recent.invalidate({})
    expect(known()).to.deep.equal([])
    expect(recent.bytes).to.equal(0)
  })

  it('are not remembered where a copy would be something else', () => {
    const circle: Record<string, unknown> = {}
    circle.self = circle
    for (const column of [
      Buffer.from('x'),
      new (class Money {})(),
      () => 1,
      new Map(),
      circle,
      { deep: [Symbol('s')] },
    ]) {
      remember('t', found('t', { column }))
      expect(recent.get(adapter, 't')).to.equal(undefined)
    }
  })

  it('are not remembered under another token than was asked for', () => {
    remember('T', found('t'))
    expect(recent.get(adapter, 'T')).to.equal(undefined)
  })

  it('are bounded in number, and the oldest make room', () => {
    recent = new SessionCache({ entries: 3, bytes: 1e6 })
    for (const token of ['1', '2', '3', '4']) remember(token)
    expect(['1', '2', '3', '4'].map((token) => recent.get(adapter, token) !== undefined)).to.deep.equal([
      false,
      true,
      true,
      true,
    ])
  })

  it('are bounded in bytes, and one that is too large is not remembered', () => {
    recent = new SessionCache({ entries: 1e6, bytes: 100_000 })
    remember('huge', found('huge', { text: 'x'.repeat(4000) }))
    expect(recent.bytes).to.equal(0)
    for (let at = 0; at < 1000; at += 1) remember(`${at}`, found(`${at}`, { text: 'x'.repeat(1000) }))
    expect(recent.bytes).to.be.within(90_000, 100_000)
    // The same one again takes no more.
    const before = recent.bytes
    remember('999', found('999', { text: 'x'.repeat(1000) }))
    expect(recent.bytes).to.equal(before)
  })

  it('are removed when they have ended, even without another read', () => {
    remember('1')
    advanceClock(31)
    remember('2')
    const { bytes } = recent
    recent.invalidate({ sessionToken: '2' })
    expect([bytes > 0, recent.bytes]).to.deep.equal([true, 0])
  })
})

describe('the store that remembers sessions', () => {
  let db: TestDatabase
  let store: AdapterStore

  const storeOf = (given: Adapter, timeout = 1000) =>
    createGuardedStore(given, { logger: createLog().logger, timeout, memory: createOwnMemory(), cacheFor: 30_000 })

  beforeEach(async () => {
    db = testDatabase()
    store = storeOf(db.adapter)
    await db.addUser({ id: 'ann', name: 'Ann' })
    await db.addSession({ sessionToken: 'h1_1', userId: 'ann', expires: inSeconds(3600) })
    await store.getSessionAndUser('h1_1', true)
    expect(store.cachedSession('h1_1')?.user.name).to.equal('Ann')
  })

  it('caches nothing without the option, and no missing session', async () => {
    await db.addSession({ sessionToken: 'h1_2', userId: 'ann', expires: inSeconds(3600) })
    await store.getSessionAndUser('h1_2')
    expect(store.cachedSession('h1_2')).to.equal(undefined)
    expect(await store.getSessionAndUser('h1_3', true)).to.equal(null)
    await db.addSession({ sessionToken: 'h1_3', userId: 'ann', expires: inSeconds(3600) })
    expect((await store.getSessionAndUser('h1_3', true))?.user.id).to.equal('ann')
  })

  const writes: Record<string, (store: AdapterStore) => Promise<unknown>> = {
    deleteSession: (each) => each.deleteSession('h1_1'),
    updateSession: (each) => each.updateSession({ sessionToken: 'h1_1', expires: inSeconds(60) }),
    updateUser: (each) => each.updateUser({ id: 'ann', name: 'Ann Other' }),
    linkAccount: (each) => each.linkAccount({ userId: 'ann', type: 'oidc', provider: 'op', providerAccountId: 'a1' }),
    unlinkAccount: (each) => each.unlinkAccount({ provider: 'op', providerAccountId: 'a1' }),
  }
  for (const [name, write] of Object.entries(writes)) {
    it(`forgets with ${name}, also by a configuration that remembers nothing itself`, async () => {
      const other = createGuardedStore(db.adapter, {
        logger: createLog().logger,
        timeout: 1000,
        memory: createOwnMemory(),
      })
      await write(other)
      expect(store.cachedSession('h1_1')).to.equal(undefined)
    })

    it(`forgets with ${name} that fails: it may have done its work`, async () => {
      db.replaceAll(() => Promise.reject(new Error('connection lost')))
      await rejectionOf(write(store))
      expect(store.cachedSession('h1_1')).to.equal(undefined)
    })

    it(`does not remember what a read saw that began before ${name} had ended`, async () => {
      const [begun, free] = [gate(), gate()]
      const method = name as 'deleteSession'
      db.replace(method, async (real, ...args) => {
        begun.open()
        await free.opened
        return real(...args)
      })
      const writing = write(store)
      await begun.opened
      // Began and ended while the row was as before; and one that ends after the write.
      await store.getSessionAndUser('h1_1', true)
      const [seen, late] = [gate(), gate()]
      db.replace('getSessionAndUser', async (real, ...args) => {
        const row = await real(...args)
        seen.open()
        await late.opened
        return row
      })
      const reading = store.getSessionAndUser('h1_1', true)
      await seen.opened
      db.replace('getSessionAndUser', (real, ...args) => real(...args))
      free.open()
      await writing
      expect(store.cachedSession('h1_1')).to.equal(undefined)
      late.open()
      expect((await reading)?.user.name).to.equal('Ann')
      expect(store.cachedSession('h1_1')).to.equal(undefined)
    })
  }

  it("clears the cache when a write ends after its caller's time-out", async () => {
    const impatient = storeOf(db.adapter, 20)
    const free = gate()
    const done = gate()
    db.replace('deleteSession', async (real, ...args) => {
      await free.opened
      await real(...args)
      done.open()
    })
    await rejectionOf(impatient.deleteSession('h1_1'))
    await store.getSessionAndUser('h1_1', true)
    expect(store.cachedSession('h1_1')).not.to.equal(undefined)
    free.open()
    await done.opened
    await new Promise((resolve) => setImmediate(resolve))
    expect(store.cachedSession('h1_1')).to.equal(undefined)
  })

  it('forgets at the end of a transaction what was changed in it, and gives and takes nothing inside', async () => {
    const [begun, free] = [gate(), gate()]
    const writing = store.transaction(async (inside) => {
      expect(inside.cachedSession('h1_1')).to.equal(undefined)
      await inside.updateUser({ id: 'ann', name: 'Ann Other' })
      await inside.getSessionAndUser('h1_1', true)
      begun.open()
      await free.opened
    })
    await begun.opened
    expect(store.cachedSession('h1_1')).to.equal(undefined)
    // As a database shows it to others until the end.
    db.replace('getSessionAndUser', async () => ({ ...found('h1_1') }))
    await store.getSessionAndUser('h1_1', true)
    expect(store.cachedSession('h1_1')?.user.name).to.equal('Ann')
    free.open()
    await writing
    expect(store.cachedSession('h1_1')).to.equal(undefined)
  })

  it('remembers nothing that a transaction reads, also where the adapter hands out itself', async () => {
    const itself: Adapter = { ...db.adapter, transaction: (work) => work(itself) }
    const own = storeOf(itself)
    await own.transaction(async (inside) => inside.getSessionAndUser('h1_1', true))
    expect(own.cachedSession('h1_1')).to.equal(undefined)
  })

  it('forgets nothing where only something else is written', async () => {
    await store.createVerificationToken({ identifier: 'a', token: 'b', expires: inSeconds(60) })
    await store.createUser({ id: 'bob', email: 'bob@example.com', emailVerified: null })
    await store.deleteSession('h1_other')
    expect(store.cachedSession('h1_1')).not.to.equal(undefined)
  })

  it('asks a promise of the adapter once: queries of some libraries run whenever they are asked', async () => {
    let runs = 0
    const query = {}
    Reflect.set(query, 'then', (resolve: (value: unknown) => void) => {
      runs += 1
      resolve(undefined)
    })
    await storeOf({ ...db.adapter, deleteSession: () => query as never }).deleteSession('h1_1')
    expect(runs).to.equal(1)
  })

  it('rejects after its time-out though it remembers', async () => {
    db.replace('getSessionAndUser', never)
    const late = async () => storeOf(db.adapter, 20).getSessionAndUser('h1_9', true)
    expect((await rejectionOf(late())).name).to.equal('AdapterError')
  })
})
