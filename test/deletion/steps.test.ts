/** Deletions that fail or are killed at any step, or run twice at once: the same end. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { expect } from 'chai'
import type { UserDeletedMessage } from '../../lib/features/deletion/types.js'
import { defineAuth, type ServerAuthConfig } from '../../lib/index.js'
import type { Adapter } from '../../lib/types/adapter.js'
import type { Store } from '../../lib/types/store.js'
import { forkScript } from '../support/child-script.js'
import { extent, inTurn } from '../support/extent.js'
import { rejectionOf } from '../support/rejection.js'
import { strategies } from '../support/world.js'
import { configOf, memoryPlace, type Place, places, seedUser, tombstonesIn, tracesOf } from './stage.js'
import type { KillOrder } from './worker-main.js'

/** Fails one call of the adapter and the stores: the `at`th. `count` is the number of calls so far. */
class Faults {
  at = Number.POSITIVE_INFINITY
  count = 0

  wrap<T extends object>(target: T): T {
    return new Proxy(target, {
      get: (from, name) => {
        const value: unknown = Reflect.get(from, name)
        if (name === 'records' || name === 'log') return this.wrap(value as object)
        // A failed release of a lease has no effect but time.
        if (typeof value !== 'function' || name === 'release' || name === 'store') return value
        return (...args: unknown[]) => {
          this.count += 1
          if (this.count === this.at) throw new Error('The database failed.')
          return Reflect.apply(value, from, args)
        }
      },
    })
  }
}

for (const strategy of strategies) {
  describe(`steps of a deletion, with ${strategy} sessions`, function () {
    this.timeout(60_000)

    /** An application whose adapter and stores fail where the test says. */
    async function failing() {
      const faults = new Faults()
      const place = memoryPlace()
      const ann = await seedUser(place, 'ann')
      const told: UserDeletedMessage[] = []
      const weak = { adapter: faults.wrap<Adapter>(place.adapter), store: faults.wrap<Store>(place.store) }
      const config: ServerAuthConfig = {
        ...configOf(weak, strategy),
        events: { userDeleted: (message) => void told.push(message) },
      }
      faults.count = 0
      return { place, ann, told, faults, auth: defineAuth(config) }
    }

    it('DL-02 continue after a failure of any call of the database', async () => {
      const { auth, ann, faults } = await failing()
      await auth.users.delete(ann.id, { reason: 'none' })
      const calls = faults.count
      expect(calls).to.be.greaterThan(15)
      // A strategy has steps of its own at the end of sessions only: each gets every second call, and each night all.
      const stride = extent === 'all' ? 1 : 2
      for (let at = 1 + (strategies.indexOf(strategy) % stride); at <= calls; at += stride) {
        const run = await failing()
        run.faults.at = at
        const failed = await run.auth.users.delete(run.ann.id, { reason: `at ${at}` }).then(
          () => undefined,
          (error: Error) => error,
        )
        const { place } = run
        const open = await run.auth.users.unfinishedDeletions()
        if (failed) expect((await place.store.log.find([])).now, 'the store answers').to.be.a('number')
        // Either nothing has begun, or it is listed.
        const user = await place.adapter.getUser?.(run.ann.id)
        if (failed && open.length === 0) expect(user, `call ${at}`).to.include({ id: run.ann.id })
        if (open[0]) expect(open[0]).to.include({ userId: run.ann.id, reason: `at ${at}` })
        const again = await run.auth.users.delete(run.ann.id, { reason: 'again' })
        expect(again, `call ${at}`).to.have.property('ok', true)
        const dump = await place.dump()
        for (const trace of tracesOf(run.ann, 'ann')) expect(dump, `call ${at}`).not.to.include(trace)
        expect(await tombstonesIn(place)).to.have.length(1)
        expect(await run.auth.users.unfinishedDeletions()).to.deep.equal([])
        expect(run.told.length, 'the event').to.be.greaterThan(0)
      }
    })

    it('DL-02 keep the user disabled until the end', async () => {
      const { auth, ann, faults, place } = await failing()
      await rejectionOf(
        defineAuth({
          ...configOf(place, strategy),
          events: {
            userDeleted() {
              throw new Error('The own tables failed.')
            },
          },
        }).users.delete(ann.id, { reason: 'one' }),
      )
      expect(faults.count).to.equal(0)
      expect((await auth.users.unfinishedDeletions()).map(({ userId }) => userId)).to.deep.equal([ann.id])
      expect(await rejectionOf(auth.users.enable(ann.id))).to.include({ type: 'InvalidRequest', status: 409 })
      const { config } = auth
      const deleted = await defineAuth({ ...config }).users.delete(ann.id, { reason: 'two' })
      expect(deleted).to.nested.include({ ok: true, 'report.reason': 'one' })
      expect(await rejectionOf(auth.users.enable(ann.id))).to.include({ type: 'InvalidRequest' })
    })

    it('DL-03 run once if two are called at once, in one process', async () => {
      const { auth, ann, told } = await failing()
      const calls = Array.from({ length: 5 }, () => auth.users.delete(ann.id, { reason: 'many' }))
      const [first, ...others] = await Promise.all(calls)
      expect(first).to.have.property('ok', true)
      for (const other of others) expect(other).to.deep.equal(first)
      expect(told).to.have.length(1)
    })

    it('DL-03 run once in two processes, and continue after kill -9 at any step', async function () {
      const place = await (places.sqlite ?? (async () => memoryPlace()))(this)
      const workers: ChildProcess[] = []
      try {
        const start = async (order: Omit<KillOrder, 'url' | 'strategy'>) => {
          const worker = await forkScript('test/deletion/worker-main.ts')
          workers.push(worker)
          const ended = Promise.race([
            once(worker, 'message').then(([result]) => result as unknown),
            once(worker, 'exit').then(() => 'killed'),
          ])
          worker.send({ ...order, url: place.url ?? '', strategy } satisfies KillOrder)
          return ended
        }
        const users = await Promise.all(
          inTurn(
            [
              [2, 10, 18],
              [6, 14, 22],
            ],
            strategies.indexOf(strategy),
          )
            .flat()
            .map(async (at) => ({ at, user: await seedUser(place, `ann${at}`) })),
        )
        const kills = await Promise.all(users.map(({ at, user }) => start({ userId: user.id, killAt: at })))
        expect(new Set(kills)).to.deep.equal(new Set(['killed']))
        // Each in two processes at once.
        for (const { user } of users) {
          const [one, two] = await Promise.all([start({ userId: user.id }), start({ userId: user.id })])
          expect(one).to.have.property('ok', true)
          expect(two).to.deep.equal(one)
        }
        const dump = await place.dump()
        for (const { user } of users)
          for (const trace of [...user.facts, ...user.secrets]) expect(dump).not.to.include(trace)
        expect(await tombstonesIn(place)).to.have.length(users.length)
      } finally {
        for (const worker of workers) worker.kill('SIGKILL')
        await place.close()
      }
    })
  })
}

describe('decisions about a deletion', () => {
  const started = async (events: ServerAuthConfig['events']) => {
    const place: Place = memoryPlace()
    const ann = await seedUser(place, 'ann')
    return { place, ann, auth: defineAuth({ ...configOf(place, 'jwt'), ...(events && { events }) }) }
  }

  it('DL-04 are refused by beforeDeleteUser, and then nothing has changed', async () => {
    const { auth, ann, place } = await started({
      beforeDeleteUser: ({ userId, reason }) => !(userId && reason === 'no'),
    })
    const before = await place.dump()
    const { place: other, ann: eve } = await started({})
    await seedUser(other, eve.id)
    expect(await auth.users.delete(ann.id, { reason: 'no' })).to.deep.equal({ ok: false, reason: 'refused' })
    expect(await auth.users.unfinishedDeletions()).to.deep.equal([])
    expect((await auth.users.get(ann.id))?.disabled).to.equal(false)
    expect(before).to.include(ann.id)
    expect(await auth.users.delete(ann.id, { reason: 'yes' })).to.have.property('ok', true)
  })

  it('DL-04 fail if beforeDeleteUser throws, and then nothing has changed', async () => {
    const { auth, ann } = await started({
      beforeDeleteUser() {
        throw new Error('no answer')
      },
    })
    expect(await rejectionOf(auth.users.delete(ann.id, { reason: 'x' }))).to.include({ type: 'EventError' })
    expect(await auth.users.unfinishedDeletions()).to.deep.equal([])
    expect((await auth.users.get(ann.id))?.disabled).to.equal(false)
  })

  it('DL-04 are not made for unknown users and without a reason', async () => {
    const { auth, ann } = await started({})
    expect(await auth.users.delete('nobody', { reason: 'x' })).to.deep.equal({ ok: false, reason: 'unknown' })
    for (const request of [
      undefined,
      {},
      { reason: '' },
      { reason: ' ' },
      { reason: 'x'.repeat(501) },
      { reason: 'x', keepAudit: 1 },
    ]) {
      const error = await rejectionOf(auth.users.delete(ann.id, request as never))
      expect(error).to.be.instanceOf(TypeError)
    }
    for (const id of [undefined, '', 7])
      expect(await rejectionOf(auth.users.delete(id as never, { reason: 'x' }))).to.be.instanceOf(TypeError)
    expect((await auth.users.get(ann.id))?.disabled).to.equal(false)
  })

  it('DL-05 free the email address at once, for a user with another id', async () => {
    const { auth, ann } = await started({})
    await auth.users.delete(ann.id, { reason: 'x' })
    const again = await auth.users.create({ email: `${ann.id}@private.example`, emailVerified: true })
    if (!again.ok) throw new Error(again.reason)
    expect(again.user.id).not.to.equal(ann.id)
    expect((await auth.users.list({})).users.map(({ user, disabled }) => [user.id, disabled])).to.deep.equal([
      [again.user.id, false],
    ])
  })
})
