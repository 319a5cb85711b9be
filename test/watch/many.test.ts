/** The cost of ten thousand watched sessions, in queries and memory. It is counted, not timed. */
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import { hashSessionToken, type SessionToken } from '../../lib/crypto/session-token.js'
import type { Adapter } from '../../lib/types/adapter.js'
import { heapReader } from '../support/heap.js'
import { countIntervals, openSite } from './site.js'

const count = 10_000
/** Seconds. */
const every = 3

/** Creates a database with sessions of one user, which notes the tokens of each query for several sessions. */
async function createSessions() {
  const own = memoryAdapter()
  const queries: Array<readonly string[]> = []
  const adapter: Adapter = {
    ...own,
    getSessions(tokens) {
      queries.push(tokens)
      return own.getSessions(tokens)
    },
  }
  const { id: userId } = await own.createUser({ id: '', email: 'ann@example.com', emailVerified: null })
  const cookies = Array.from({ length: count }, () => randomUUID())
  const expires = new Date(Date.now() + 3_600_000)
  for (const cookie of cookies)
    await own.createSession({ sessionToken: hashSessionToken(cookie as SessionToken), userId, expires })
  return { adapter, queries, cookies, endAll: () => own.deleteSessionsByUserId(userId) }
}

/** Waits until a count is reached, at most 40 seconds. */
async function reached(current: () => number, expected: number): Promise<void> {
  for (let tries = 0; tries < 400 && current() < expected; tries += 1) await wait(100)
  expect(current()).to.equal(expected)
}

describe('ten thousand watched sessions', function () {
  this.timeout(120_000)
  this.slow(40_000)

  it('take 20 queries for each check of all, are all checked, and leave no timer, listener or memory', async () => {
    const { adapter, queries, cookies, endAll } = await createSessions()
    const { auth } = openSite(adapter)
    const collect = heapReader()
    const intervals = countIntervals()
    const listeners = () => process.eventNames().map((name) => process.listenerCount(name))
    let ended = 0
    const watchAll = () =>
      cookies.map((cookie) => {
        const req = { headers: { host: 'localhost', cookie: `auth.session-token=${cookie}` } }
        return auth.sessions.watch(req, () => (ended += 1), { every })
      })
    const checked = () => new Set(queries.flat()).size
    const before = listeners()

    /** Watches all until each has been checked, and stops. Returns the bytes in use before the stop, and after it. */
    const round = async () => {
      const stops = watchAll()
      await reached(checked, count)
      queries.length = 0
      const during = collect()
      expect(intervals.running.size).to.equal(1)
      for (const stop of stops) stop()
      expect(intervals.running.size).to.equal(0)
      stops.length = 0
      await wait(1000)
      return { during, after: collect() }
    }
    // In the first round, code and caches take memory.
    const { after: heap } = await round()
    const { during, after } = await round()
    const watched = during - heap
    expect(watched, 'bytes of the watches').to.be.above(count * 200)
    expect(after - heap, 'bytes that remain after `stop`').to.be.below(watched / 4)

    watchAll()
    await reached(checked, count)
    // A full round: no session is asked for again before the others. On a slow machine the next round may have begun.
    queries.length = 0
    await reached(checked, count)
    expect(new Set(queries.slice(0, count / 500).flat()).size).to.equal(count)
    expect(ended).to.equal(0)
    await endAll()
    queries.length = 0
    await reached(() => ended, count)
    expect(queries.length).to.be.at.most(count / 500)
    expect(intervals.running.size).to.equal(0)
    intervals.restore()
    expect(listeners()).to.deep.equal(before)
    queries.length = 0
    await wait(1000)
    expect(collect() - heap, 'bytes that remain after the end').to.be.below(watched / 4)
  })
})
