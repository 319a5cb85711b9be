/** The checks of watched sessions: their queries, outages, and the memory that is free after the last watch. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import { memoryAdapter, memoryStore } from '../../lib/adapters/memory/index.js'
import { getEngine } from '../../lib/engine/index.js'
import { addWatch } from '../../lib/features/watch/queue.js'
import type { Adapter } from '../../lib/types/adapter.js'
import { heapReader } from '../support/heap.js'
import { countCalls, countIntervals, openSite } from './site.js'

describe('the checks of watched sessions', function () {
  this.timeout(30_000)
  this.slow(6000)

  it('take one query for all sessions of a tick, and none for a second watch of a session', async () => {
    const { adapter, calls } = countCalls(memoryAdapter())
    const { auth, request } = openSite(adapter)
    const requests = await Promise.all(['ann', 'bob', 'eve'].map((name) => request(`${name}@example.com`)))
    const stops = [...requests, ...requests].map((req) => auth.sessions.watch({ ...req }, () => {}, { every: 2 }))
    await wait(200)
    calls.length = 0
    await wait(5200)
    for (const stop of stops) stop()
    const queries = calls.filter(({ method }) => method === 'getSessions')
    expect(calls.map(({ method }) => method)).to.deep.equal(queries.map(() => 'getSessions'))
    expect(queries.map(({ size }) => size)).to.deep.equal(queries.map(() => 3))
    expect(queries.length).to.be.within(3, 6)
  })

  it('read one session after the other, a few at once, with an adapter that cannot read several', async () => {
    const { adapter, calls } = countCalls(memoryAdapter())
    const { auth, request, endSessions } = openSite(
      new Proxy(adapter, {
        get: (target, name) => (name === 'getSessions' ? undefined : Reflect.get(target, name)),
      }),
    )
    const [ann, bob] = [await request('ann@example.com'), await request('bob@example.com')]
    const ended: string[] = []
    const stops = [ann, bob].map((req, at) =>
      auth.sessions.watch(req, (reason) => ended.push(`${at} ${reason}`), { every: 1 }),
    )
    await wait(200)
    calls.length = 0
    await wait(1200)
    expect(calls.map(({ method }) => method)).to.include('getSessionAndUser')
    await endSessions('ann')
    await wait(2200)
    for (const stop of stops) stop()
    expect(ended).to.deep.equal(['0 ended'])
  })

  it('continue after an outage, which is logged once, or end with it', async () => {
    const { adapter, state } = countCalls(memoryAdapter())
    const { auth, request, endSessions, log } = openSite(adapter)
    const ended: string[] = []
    const listen = (name: string) => (reason: string, error?: Error) => ended.push(`${name} ${reason} ${error?.name}`)
    const [ann, bob] = [await request('ann@example.com'), await request('bob@example.com')]
    const stops = [
      auth.sessions.watch(ann, listen('keep'), { every: 1 }),
      auth.sessions.watch(bob, listen('end'), { every: 1, onOutage: 'end' }),
    ]
    await wait(1500)
    state.fails = true
    await wait(3500)
    expect(ended).to.deep.equal(['end outage AdapterError'])
    expect(log.errors.map(({ name }) => name)).to.deep.equal(['AdapterError'])
    state.fails = false
    await wait(1500)
    expect(ended).to.have.length(1)
    await endSessions('ann')
    await wait(2500)
    for (const stop of stops) stop()
    expect(ended).to.deep.equal(['end outage AdapterError', 'keep ended undefined'])
  })

  it('FO-10 an outage keeps no session longer than this process knows that it lasts', async () => {
    const ended: string[] = []
    const database = countCalls(memoryAdapter())
    const limited = { strategy: 'database', revocation: false, absoluteMaxAge: 3 } as const
    const one = openSite(database.adapter, { session: limited })
    const store = memoryStore()
    let isDown = false
    const log = new Proxy(store.log, {
      get(target, name) {
        const own: unknown = Reflect.get(target, name)
        if (typeof own !== 'function') return own
        return (...args: unknown[]) =>
          isDown ? Promise.reject(new Error('the store of the test is down')) : Reflect.apply(own, target, args)
      },
    })
    const token = { strategy: 'jwt', maxAge: 3, revocation: { store: { log }, maxStale: 1 } } as const
    const two = openSite(memoryAdapter(), { session: token })
    const stops = [
      one.auth.sessions.watch(await one.request('ann@example.com'), (reason) => ended.push(`row ${reason}`), {
        every: 1,
      }),
      two.auth.sessions.watch(await two.request('ann@example.com'), (reason) => ended.push(`token ${reason}`), {
        every: 1,
      }),
    ]
    await wait(500)
    database.state.fails = true
    isDown = true
    await wait(1500)
    expect(ended).to.deep.equal([])
    await wait(3500)
    for (const stop of stops) stop()
    expect(ended.sort()).to.deep.equal(['row expired', 'token expired'])
  })

  it('FO-10 memberships without an answer delay no end of a session', async () => {
    const membership = () => new Promise<null>(() => {})
    const organizations = { membership, roles: { member: [] } }
    const { auth, request, endSessions } = openSite(memoryAdapter(), { organizations, timeout: 1 })
    const stops: Array<() => void> = []
    for (let at = 0; at < 32; at += 1) {
      const req = await request(`member${at}@example.com`)
      stops.push(auth.sessions.watch(req, () => {}, { every: 1, organization: 'acme' }))
    }
    const ended: string[] = []
    stops.push(auth.sessions.watch(await request('ann@example.com'), (reason) => ended.push(reason), { every: 1 }))
    await wait(1800)
    await endSessions('ann')
    await wait(4500)
    for (const stop of stops) stop()
    expect(ended).to.deep.equal(['ended'])
  })

  it('end with `outage` if the session cannot be read at the beginning', async () => {
    const { adapter, state } = countCalls(memoryAdapter())
    const { auth, request, log } = openSite(adapter)
    const ann = await request('ann@example.com')
    state.fails = true
    const ended: string[] = []
    auth.sessions.watch(ann, (reason, error) => ended.push(`${reason} ${error?.name}`))
    expect(ended).to.deep.equal([])
    await wait(300)
    expect(ended).to.deep.equal(['outage AdapterError'])
    expect(log.errors).to.have.length(1)
  })

  it('do not overlap while the database is slow', async () => {
    const own = memoryAdapter()
    const state = { running: 0, most: 0, calls: 0 }
    const slow: Adapter = {
      ...own,
      async getSessions(tokens) {
        state.calls += 1
        state.running += 1
        state.most = Math.max(state.most, state.running)
        await wait(2500)
        state.running -= 1
        return own.getSessions(tokens)
      },
    }
    const { auth, request } = openSite(slow)
    const stop = auth.sessions.watch(await request('ann@example.com'), () => {}, { every: 1 })
    await wait(6500)
    stop()
    expect(state.calls).to.be.within(2, 3)
    expect(state.most).to.equal(1)
  })

  it('know the end of a token that another process renewed, from a later watch', async () => {
    const session = { strategy: 'jwt', revocation: false } as const
    const { config } = getEngine(openSite(memoryAdapter(), { session }).config)
    const ended: string[] = []
    const watch = () => ({ onEnd: (reason: string) => void ended.push(reason), endsInOutage: false })
    const facts = { name: 'the name of a session', known: { userId: 'ann' }, latest: Number.POSITIVE_INFINITY }
    const expires = Date.now() + 1500
    const stops = [
      addWatch(config, { ...facts, expires }, watch(), 1),
      addWatch(config, { ...facts, expires: expires + 3000 }, watch(), 1),
      // An earlier token of the session changes nothing.
      addWatch(config, { ...facts, expires: expires - 1000 }, watch(), 1),
    ]
    await wait(3000)
    expect(ended).to.deep.equal([])
    await wait(3500)
    for (const stop of stops) stop()
    expect(ended).to.deep.equal(['expired', 'expired', 'expired'])
  })

  it('AZ-03 run each listener in the context of its own request', async () => {
    const requests = new AsyncLocalStorage<string>()
    const { auth, request, endSessions } = openSite(memoryAdapter())
    const seen: string[] = []
    for (const name of ['ann', 'bob']) {
      const req = await request(`${name}@example.com`)
      const listen = () => seen.push(`${name} in the request of ${requests.getStore()}`)
      // Also one that has ended before it is watched.
      requests.run(name, () => auth.sessions.watch({ headers: { host: 'localhost' } }, listen))
      requests.run(name, () => auth.sessions.watch(req, listen, { every: 1 }))
    }
    await wait(500)
    for (const name of ['ann', 'bob']) await endSessions(name)
    await wait(2500)
    const expected = ['ann', 'bob'].flatMap((name) => Array(2).fill(`${name} in the request of ${name}`))
    expect(seen.sort()).to.deep.equal(expected)
  })

  it('log what a listener throws or rejects with, and end the other watches', async () => {
    const { auth, request, endSessions, log } = openSite(memoryAdapter())
    const ann = await request('ann@example.com')
    const ended: string[] = []
    const fault = new Error('the listener of the test failed')
    auth.sessions.watch({ ...ann }, () => Promise.reject(fault), { every: 1 })
    auth.sessions.watch(
      { ...ann },
      () => {
        throw fault
      },
      { every: 1 },
    )
    auth.sessions.watch({ ...ann }, (reason) => ended.push(reason), { every: 1 })
    await wait(1500)
    await endSessions('ann')
    await wait(2500)
    expect(ended).to.deep.equal(['ended'])
    expect(log.errors).to.deep.equal([fault, fault])
  })

  it('leave no timer and no request in memory when nothing is watched', async () => {
    const { auth, request } = openSite(memoryAdapter())
    const collect = heapReader()
    const intervals = countIntervals()
    const begin = async (email: string) => {
      const req = await request(email)
      return { stop: auth.sessions.watch(req, () => {}, { every: 1 }), ref: new WeakRef(req) }
    }
    const [one, two] = [await begin('ann@example.com'), await begin('bob@example.com')]
    await wait(1500)
    // A watch keeps nothing of its request.
    await wait(0)
    collect()
    expect([one.ref.deref(), two.ref.deref()]).to.deep.equal([undefined, undefined])
    expect(intervals.running.size).to.equal(1)
    one.stop()
    two.stop()
    intervals.restore()
    expect(intervals.running.size).to.equal(0)
  })

  it('reject options that cannot work, and say how to fix them', async () => {
    const { auth, request } = openSite(memoryAdapter())
    const req = await request('ann@example.com')
    const watch = (...args: unknown[]) => Reflect.apply(auth.sessions.watch, auth.sessions, args)
    expect(() => watch()).to.throw(TypeError, 'sessions.watch() needs the request')
    expect(() => watch(req)).to.throw('`sessions.watch` needs a function')
    expect(() => watch(req, 'close')).to.throw('`onEnd` must be a function')
    for (const every of [0, 0.5, 301, '15'])
      expect(() => watch(req, () => {}, { every })).to.throw('`sessions.watch.every`')
    expect(() => watch(req, () => {}, { onOutage: 'stop' })).to.throw('"keep" or "end"')
    expect(() => watch(req, () => {}, { evry: 15 })).to.throw('every')
    expect(() => watch(req, () => {}, { organization: 'acme' })).to.throw('needs `organizations`')
    expect(() => watch(req, () => {}, { organization: '' })).to.throw('`sessions.watch.organization`')
  })

  it('know the end of a JWT session in another process by its copy of the ended sessions, without a query for each', async () => {
    const store = memoryStore()
    const adapter = memoryAdapter()
    const session = { strategy: 'jwt', revocation: { store, maxStale: 1 } } as const
    const { auth, request } = openSite(adapter, { session })
    const ended: string[] = []
    const ann = await request('ann@example.com')
    auth.sessions.watch(ann, (reason) => ended.push(reason), { every: 1 })
    await wait(1200)
    await openSite(adapter, {
      session: { ...session, revocation: { store: { log: store.log }, maxStale: 1 } },
    }).endSessions('ann')
    await wait(3500)
    expect(ended).to.deep.equal(['ended'])
  })
})
