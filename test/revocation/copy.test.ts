/** The copy of a store that a process has: when it queries the store, which data it trusts, and which it keeps. */
import { randomBytes } from 'node:crypto'
import { expect } from 'chai'
import { migrate, sqlStore } from '../../lib/adapters/sql/index.js'
import { RevocationCopy } from '../../lib/features/revocation/copy.js'
import { Entries } from '../../lib/features/revocation/entries.js'
import { endOfTime, guardRevocationStore, userKeys } from '../../lib/features/revocation/store.js'
import type { LogStore, Revocation, RevocationPage } from '../../lib/types/store.js'
import { gate } from '../sign-in/linking-stage.js'
import { advanceClock, freezeClock, restoreClock, seconds } from '../support/clock.js'
import { requireDatabase } from '../support/databases.js'
import { crowd } from '../support/extent.js'
import { heapReader } from '../support/heap.js'
import { rejectionOf } from '../support/rejection.js'

/** To ask for random bytes costs more than the rest, where a test needs a million ids. */
const pool = { bytes: Buffer.alloc(0) }

function newSid(): string {
  if (pool.bytes.length === 0) pool.bytes = randomBytes(65_536)
  const sid = pool.bytes.subarray(0, 16).toString('base64url')
  pool.bytes = pool.bytes.subarray(16)
  return sid
}

function ended(key = newSid(), rest: Partial<Revocation> = {}): Revocation {
  return { key, exceptSid: '', notBefore: endOfTime, until: seconds() + 3600, ...rest }
}

/** A store that records its calls, and fails when a test says so. */
class Stage implements LogStore {
  readonly calls: string[] = []
  rows: Revocation[] = []
  fault: Error | undefined
  /** Waited for after a row was replaced. */
  isReplacing: Promise<unknown> = Promise.resolve()
  /** Waited for after a page is made. */
  free: Promise<unknown> = Promise.resolve()

  async add(revocations: readonly Revocation[]): Promise<void> {
    this.#called('add')
    this.rows.push(...revocations)
  }

  async replace({ key, notBefore, until }: Omit<Revocation, 'exceptSid'>): Promise<void> {
    this.#called('replace')
    this.rows = [...this.rows.filter((row) => row.key !== key), { key, exceptSid: '', notBefore, until }]
    await this.isReplacing
  }

  async find(keys: readonly string[]) {
    this.#called('find')
    return { revocations: this.rows.filter(({ key }) => keys.includes(key)), now: seconds() }
  }

  async changes(cursor: string | null): Promise<RevocationPage> {
    this.#called(cursor === null ? 'all' : 'changes')
    const page = { revocations: [...this.rows], cursor: 'on', isLast: true }
    await this.free
    return page
  }

  #called(name: string): void {
    this.calls.push(name)
    if (this.fault) throw this.fault
  }
}

const maxStale = 10_000
const session = (sid = newSid()) => ({ sid, userId: 'ann', startedAt: seconds() })
const usual = { capacity: 1000, fullEvery: 300_000 }

describe('a process’s copy of a store of ended sessions', () => {
  let store: Stage
  let copy: RevocationCopy
  beforeEach(() => {
    freezeClock()
    store = new Stage()
    copy = new RevocationCopy(guardRevocationStore(store, 5000), usual)
  })
  afterEach(restoreClock)

  const learn = (...sessions: Array<ReturnType<typeof session>>) => copy.refreshSessions(sessions, maxStale)

  it('reads nothing until a session is read, and then once for all who wait', async () => {
    expect(store.calls).to.deep.equal([])
    await Promise.all([learn(session()), learn(session()), learn(session())])
    expect(store.calls).to.deep.equal(['all'])
  })

  it('answers at once while it is new enough, and reads ahead of time after half of `maxStale`', async () => {
    await learn(session())
    advanceClock(4)
    expect(learn(session())).to.equal(undefined)
    advanceClock(2)
    expect(learn(session())).to.equal(undefined)
    expect(store.calls).to.deep.equal(['all', 'changes'])
    advanceClock(11)
    expect(learn(session())).to.be.instanceOf(Promise)
  })

  it('does not believe a clock that was set back', async () => {
    await learn(session())
    advanceClock(-3600)
    expect(learn(session())).to.be.instanceOf(Promise)
  })

  it('reads all records again every five minutes, and no caller waits for that', async () => {
    await learn(session())
    advanceClock(301)
    const slow = gate()
    await learn(session())
    store.free = slow.opened
    expect(store.calls).to.deep.equal(['all', 'changes', 'all'])
    slow.open()
  })

  it('reports a failure to each caller that waits, and queries a store that failed again a second later', async () => {
    store.fault = new Error('away')
    const outcomes = await Promise.allSettled([learn(session()), learn(session())])
    expect(outcomes.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected'])
    expect((await rejectionOf(Promise.resolve(learn(session())))).message).to.contain('store of ended sessions')
    expect(store.calls).to.have.length(1)
    advanceClock(2)
    store.fault = undefined
    await learn(session())
    expect(store.calls).to.have.length(2)
  })

  it('knows at once what this process ends, though the store is away', async () => {
    await learn(session())
    store.fault = new Error('away')
    const one = session()
    await rejectionOf(copy.add([ended(one.sid)]))
    expect(copy.hasEnded(one)).to.equal(true)
  })

  it('does not take back what this process wrote while it was reading', async () => {
    const { disabled: key } = userKeys('ann')
    store.rows = [ended(key)]
    const slow = gate()
    store.free = slow.opened
    const reading = learn(session())
    await copy.replace({ ...ended(key), notBefore: 0 })
    slow.open()
    await reading
    expect(copy.isDisabled('ann'), 'the page is older than the replacement').to.equal(false)
    store.rows = [ended(key)]
    advanceClock(11)
    await learn(session())
    expect(copy.isDisabled('ann'), 'the next page is not').to.equal(true)
  })

  for (const last of ['the page', 'the answer to the replacement']) {
    it(`SE-10 keeps what another process disabled after this one enabled, where ${last} comes last`, async () => {
      const { disabled: key } = userKeys('ann')
      store.rows = [ended(key)]
      await learn(session())
      expect(copy.isDisabled('ann')).to.equal(true)
      advanceClock(11)
      const [enabled, read] = [gate(), gate()]
      store.isReplacing = enabled.opened
      store.free = read.opened
      const enabling = copy.replace({ ...ended(key), notBefore: 0 })
      await Promise.resolve()
      // Another process: the user is disabled again. The page that is read now has it, and no later page will.
      store.rows = [ended(key)]
      const reading = learn(session())
      const gates = last === 'the page' ? [enabled, read] : [read, enabled]
      for (const [at, each] of gates.entries()) {
        each.open()
        await new Promise((resolve) => setImmediate(resolve))
        if (at === 0) store.free = Promise.resolve()
      }
      await Promise.all([enabling, reading])
      expect(copy.isDisabled('ann')).to.equal(true)
    })
  }

  it('SE-10 keeps what another process disabled in a page that was asked for before this one enabled, and made after', async () => {
    const { disabled: key } = userKeys('ann')
    store.rows = [ended(key)]
    await learn(session())
    advanceClock(11)
    const slow = gate()
    const { changes } = store
    store.changes = async (cursor) => {
      await slow.opened
      return changes.call(store, cursor)
    }
    const reading = learn(session())
    await copy.replace({ ...ended(key), notBefore: 0 })
    expect(copy.isDisabled('ann')).to.equal(false)
    store.rows = [ended(key)]
    slow.open()
    await reading
    expect(copy.isDisabled('ann')).to.equal(true)
  })

  it('SE-10 still rejects a disabled user if the store cannot be queried, and queries it with the next changes', async () => {
    const { disabled: key } = userKeys('ann')
    store.rows = [ended(key)]
    await learn(session())
    store.isReplacing = Promise.resolve().then(() => {
      store.fault = new Error('away')
    })
    await rejectionOf(copy.replace({ ...ended(key), notBefore: 0 }))
    expect(copy.isDisabled('ann')).to.equal(true)
    store.fault = undefined
    store.changes = async () => ({ revocations: [], cursor: 'on', isLast: true })
    advanceClock(11)
    await learn(session())
    expect(copy.isDisabled('ann')).to.equal(false)
  })

  it('takes what others have ended of the same user, though this process ends something of them meanwhile', async () => {
    const { ended: key } = userKeys('ann')
    const [kept, began] = [newSid(), seconds() - 60]
    store.rows = [ended(key, { notBefore: seconds() })]
    const slow = gate()
    store.free = slow.opened
    const reading = learn(session())
    await copy.add([ended(key, { exceptSid: kept, notBefore: seconds() })])
    slow.open()
    await reading
    expect(copy.hasEnded({ sid: newSid(), userId: 'ann', startedAt: began })).to.equal(true)
    expect(copy.hasEnded({ sid: kept, userId: 'ann', startedAt: began }), 'another process ended it').to.equal(true)
  })

  it('forgets nothing that the store has lost', async () => {
    const one = session()
    store.rows = [ended(one.sid)]
    await learn(one)
    store.rows = []
    advanceClock(301)
    await learn(one)
    expect(copy.hasEnded(one)).to.equal(true)
  })

  it('asks at each read when there is more than fits', async () => {
    const one = session()
    store.rows = Array.from({ length: 1001 }, () => ended())
    store.rows.push(ended(one.sid))
    await learn(one)
    expect(copy.isOverflowing).to.equal(true)
    await learn(one)
    expect(copy.hasEnded(one)).to.equal(true)
    const other = session()
    await learn(other)
    expect(copy.hasEnded(other)).to.equal(false)
    expect(store.calls).to.deep.equal(['all', 'find', 'find'])
  })

  it('forgets what is over, without a feed too', async () => {
    const plain = new RevocationCopy({ add() {}, replace() {}, find: () => ({ revocations: [], now: 0 }) }, usual)
    for (let count = 0; count < 500; count += 1) await plain.add([ended(newSid(), { until: seconds() + 60 })])
    expect(plain.size).to.equal(500)
    advanceClock(3600)
    for (let count = 0; count < 3; count += 1) await plain.add([ended()])
    expect(plain.size).to.be.below(10)
  })

  it('asks for many keys in several questions: databases take so many at once, and no more', async () => {
    const keys = Array.from({ length: 2_500 }, newSid)
    store.rows = keys.map((key) => ended(key))
    const asked: number[] = []
    const { find } = store
    store.find = async (wanted) => {
      asked.push(wanted.length)
      return find.call(store, wanted)
    }
    expect(await copy.queryKeys(keys)).to.equal(seconds())
    expect(keys.every((sid) => copy.hasEnded({ sid }))).to.equal(true)
    expect(Math.max(...asked)).to.be.at.most(1_000)
  })

  it('queries a store without a feed at each read', async () => {
    const one = session()
    const found = { revocations: [ended(one.sid)], now: seconds() }
    const asked: string[][] = []
    const simple: LogStore = {
      add: () => {},
      replace: () => {},
      find: (keys) => {
        asked.push([...keys])
        return found
      },
    }
    const plain = new RevocationCopy(guardRevocationStore(simple, 5000), usual)
    plain.refreshSessions([one], maxStale)
    expect(plain.hasEnded(one)).to.equal(true)
    const { ended: all, disabled } = userKeys('ann')
    expect(asked).to.deep.equal([[one.sid, all, disabled]])
  })

  for (const answer of [
    undefined,
    [],
    {},
    { revocations: [{}], cursor: '', isLast: true },
    { revocations: 'none', cursor: '' },
  ]) {
    it(`takes ${JSON.stringify(answer)} of a store for a failure, not for "nothing has ended"`, async () => {
      const broken = { add: () => {}, replace: () => {}, find: () => answer, changes: async () => answer }
      const plain = new RevocationCopy(guardRevocationStore(broken as unknown as LogStore, 5000), usual)
      expect((await rejectionOf(Promise.resolve(plain.refreshSessions([session()], maxStale)))).name).to.equal(
        'AdapterError',
      )
    })
  }

  it('gives a store that never answers its time-out', async () => {
    restoreClock()
    store.free = new Promise(() => {})
    const hanging = new RevocationCopy(guardRevocationStore(store, 20), usual)
    expect((await rejectionOf(Promise.resolve(hanging.refreshSessions([session()], maxStale)))).name).to.equal(
      'AdapterError',
    )
  })

  it('gives up on a store whose pages come to no end', async () => {
    store.changes = async () => ({ revocations: [], cursor: 'same', isLast: false })
    expect((await rejectionOf(Promise.resolve(learn(session())))).message).to.contain('the same page twice')
  })
})

describe('the ends that a process knows', () => {
  afterEach(restoreClock)

  it('tells sessions of a user apart by when they began, and leaves one out', () => {
    const entries = new Entries()
    const { ended: key } = userKeys('ann')
    const [one, two] = [newSid(), newSid()]
    entries.add({ key, exceptSid: one, notBefore: 100, until: 1e10 })
    const at = (sid: string, startedAt: number, userId = 'ann') => entries.hasEnded({ sid, userId, startedAt })
    expect([at(one, 100), at(two, 100), at(two, 101), at(two, 100, 'bob')]).to.deep.equal([false, true, false, false])
    entries.add({ key, exceptSid: two, notBefore: 90, until: 1e10 })
    expect([at(one, 90), at(one, 91), at(two, 90)], 'who is left out once is not for ever').to.deep.equal([
      true,
      false,
      true,
    ])
  })

  it('holds entries in 150 bytes each, and gives the memory back', function () {
    this.timeout(60_000)
    const readHeap = heapReader()
    const entries = new Entries()
    const before = readHeap()
    // A million of them each night.
    const pairs = crowd(500_000)
    for (let count = 0; count < pairs; count += 1) {
      entries.put(ended())
      entries.put(ended(`u.${newSid()}`, { notBefore: seconds() }))
    }
    expect((readHeap() - before) / (pairs * 2)).to.be.below(150)
    for (let round = 0; round < 120; round += 1) entries.sweep(seconds() + 10_000)
    expect(entries.size).to.equal(0)
    expect((readHeap() - before) / 1e6).to.be.below(10)
  })

  it('forgets what is over, some at a time', () => {
    freezeClock()
    const entries = new Entries()
    for (let count = 0; count < 25_000; count += 1) entries.add(ended(newSid(), { until: seconds() + 10 }))
    entries.add(ended(userKeys('ann').ended, { notBefore: seconds(), until: seconds() + 10 }))
    entries.add(ended(newSid(), { until: seconds() + 10_000 }))
    entries.sweep()
    expect(entries.size).to.equal(25_002)
    // Of a user's it is known to the hour.
    advanceClock(3700)
    for (let round = 0; round < 6; round += 1) entries.sweep()
    expect(entries.size).to.equal(1)
  })
})

it('a transaction of PostgreSQL that is held open over a poll: what it commits late is known within five minutes', async function () {
  this.timeout(20_000)
  const database = await requireDatabase(this, 'postgres')
  try {
    await migrate(database.db)
    const copy = new RevocationCopy(guardRevocationStore(sqlStore(database.db).log, 5000), usual)
    const one = session()
    const row = { key: one.sid, exceptSid: '', notBefore: endOfTime, until: seconds() + 3600, at: Date.now() - 20_000 }
    const written = gate()
    const free = gate()
    const held = database.db.transaction().execute(async (tx) => {
      await tx.insertInto('auth_revocations').values(row).execute()
      written.open()
      await free.opened
    })
    await written.opened
    await copy.refreshSessions([one], maxStale)
    free.open()
    await held
    // Its time is before all that is read from now on.
    advanceClock(11)
    await copy.refreshSessions([one], maxStale)
    expect(copy.hasEnded(one), 'too late for the changes').to.equal(false)
    advanceClock(301)
    await copy.refreshSessions([one], maxStale)
    for (let waits = 0; waits < 100 && !copy.hasEnded(one); waits += 1)
      await new Promise((next) => setTimeout(next, 20))
    expect(copy.hasEnded(one)).to.equal(true)
  } finally {
    restoreClock()
    await database.close()
  }
})
