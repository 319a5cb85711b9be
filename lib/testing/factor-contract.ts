/** The contract of stores of second factors. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { FactorStore, StoredFactor } from '../types/factors.js'
import type { Awaitable } from '../types/identity.js'
import type { ContractHooks } from './adapter-contract.js'
import { settled } from './case.js'
import { many, newId, registerSuite, valuesOf, yes } from './store-suite.js'

/** What the suite tests. */
export interface FactorSubject {
  /** The store to be tested. */
  store: FactorStore
  /** Closes what `create` opened. */
  close?(): Awaitable<unknown>
}

/** Options of `factorContract`. */
export interface FactorContractOptions {
  /** Makes the store, once. It need not be empty. */
  create(): Awaitable<FactorSubject>
  /** The title of the suite. Default `factor contract`. */
  name?: string
}

/**
 * Tests a store of second factors: rows, versions, removals, races. Each test makes rows of its own with random ids, and leaves most of
 * them there.
 *
 * @example
 * ```ts
 * import { after, before, describe, it } from 'mocha'
 * import { factorContract } from 'server-auth/testing'
 *
 * factorContract({ describe, it, before, after }, { create: () => ({ store: myFactors(client) }) })
 * ```
 */
export function factorContract(hooks: ContractHooks, { create, name }: FactorContractOptions): void {
  registerSuite(hooks, { name: name ?? 'factor contract', create, cases: { ...rowCases, ...changeCases } })
}

type NewFactor = Omit<StoredFactor, 'version'>
type Cases = Readonly<Record<string, (store: FactorStore) => Promise<void>>>

const hour = 3_600_000

function newFactor(rest: Partial<NewFactor> = {}): NewFactor {
  return {
    userId: newId(),
    id: newId(),
    type: 'totp',
    name: 'Phone',
    data: newId(),
    createdAt: new Date('2031-02-03T04:05:06.789Z'),
    usedAt: null,
    expiresAt: null,
    ...rest,
  }
}

/** A factor that is there, with version 1. */
async function written(store: FactorStore, rest: Partial<NewFactor> = {}): Promise<NewFactor> {
  const factor = newFactor(rest)
  assert.equal(await store.write(factor, 0), true, 'a first write was refused')
  return factor
}

async function idsOf(store: FactorStore, userId: string): Promise<readonly string[]> {
  return (await store.list(userId)).map(({ id }) => id)
}

const rowCases: Cases = {
  'lists what was written, and nothing else': async (store) => {
    const factor = await written(store)
    assert.deepEqual(await store.list(factor.userId), [{ ...factor, version: 1 }])
    assert.deepEqual(await store.list(newId()), [])
  },

  'takes ids that differ in case, or in what stands at their ends, for different ones': async (store) => {
    const { userId, id } = await written(store, { userId: `u${newId()}`, id: `a${newId()}` })
    for (const other of [`U${userId.slice(1)}`, `${userId} `, ` ${userId}`, '']) {
      assert.deepEqual(await store.list(other), [], `${other} is another user`)
      assert.equal(await store.remove(other), 0, `${other} is another user`)
    }
    for (const other of [`A${id.slice(1)}`, `${id} `, ` ${id}`, '']) {
      assert.equal(await store.remove(userId, other), 0, `${other} is another factor`)
    }
    const second = await written(store, { userId, id: `A${id.slice(1)}` })
    assert.deepEqual([...(await idsOf(store, userId))].sort(), [second.id, id].sort())
  },

  'keeps values that are long, empty or not there': async (store) => {
    const data = randomBytes(60_000).toString('base64url')
    const createdAt = new Date('1999-12-31T23:59:59.001Z')
    const factor = await written(store, { data, name: null, createdAt })
    assert.deepEqual(await store.list(factor.userId), [{ ...factor, version: 1 }])
    const next = { ...factor, data: '', name: '', type: 'x'.repeat(32) }
    assert.equal(await store.write(next, 1), true)
    assert.deepEqual(await store.list(factor.userId), [{ ...next, version: 2 }])
  },

  'keeps names as they are': async (store) => {
    for (const name of ['Größe 日本 👩‍💻', ' "\' or 1=1 --', '%_\\', 'x'.repeat(64)]) {
      const { userId } = await written(store, { name })
      assert.equal((await store.list(userId))[0]?.name, name)
    }
  },

  'keeps moments to the millisecond': async (store) => {
    const [createdAt, usedAt] = [new Date(1_900_000_000_001), new Date(1_900_000_000_999)]
    const factor = await written(store, { createdAt, usedAt, expiresAt: new Date(4_102_444_800_007) })
    assert.deepEqual(await store.list(factor.userId), [{ ...factor, version: 1 }])
    const next = { ...factor, usedAt: null, expiresAt: null }
    assert.equal(await store.write(next, 1), true)
    assert.deepEqual(await store.list(factor.userId), [{ ...next, version: 2 }])
  },

  'keeps users with all kinds of characters apart': async (store) => {
    const end = newId()
    const users = ['a|b', 'https://op.example/ü#é', '"],["', '{x}', "' or 1=1 --", '%', '日本', 'a:b'].map(
      (id) => id + end,
    )
    for (const userId of users) await written(store, { userId, id: 'one', data: userId })
    for (const userId of users) {
      const found = await store.list(userId)
      assert.deepEqual(
        found.map(({ data }) => data),
        [userId],
      )
    }
  },

  'lists in the order in which they were made': async (store) => {
    const userId = newId()
    const made: NewFactor[] = []
    for (const id of ['m', 'z', 'a', 'B']) {
      const createdAt = new Date(1_900_000_000_000 + made.length)
      made.push(await written(store, { userId, id, createdAt }))
    }
    assert.deepEqual(await idsOf(store, userId), ['m', 'z', 'a', 'B'])
    for (const factor of made.slice(0, 2)) await store.write({ ...factor, usedAt: new Date() }, 1)
    assert.deepEqual(await idsOf(store, userId), ['m', 'z', 'a', 'B'], 'a factor that is used keeps its place')
  },

  'keeps what has not ended, whatever ends beside it': async (store) => {
    const stays = await written(store)
    const { userId } = stays
    const later = await written(store, { userId, expiresAt: new Date(Date.now() + hour) })
    const over = await written(store, { userId, expiresAt: new Date(Date.now() - hour) })
    // What has ended may be gone, and may be there still.
    const ids = (await idsOf(store, userId)).filter((id) => id !== over.id)
    assert.deepEqual([...ids].sort(), [later.id, stays.id].sort())
    const version = (await store.list(userId)).find(({ id }) => id === over.id)?.version ?? 0
    const next = { ...over, expiresAt: new Date(Date.now() + hour) }
    assert.equal(await store.write(next, version), true, 'what has ended can be made anew')
    assert.deepEqual(
      (await store.list(userId)).find(({ id }) => id === over.id),
      { ...next, version: version + 1 },
    )
  },

  'keeps a factor whose end is taken away': async (store) => {
    const factor = await written(store, { expiresAt: new Date(Date.now() + 1000) })
    assert.equal(await store.write({ ...factor, expiresAt: null }, 1), true)
    await new Promise((resolve) => setTimeout(resolve, 1100))
    const other = await written(store, { userId: factor.userId })
    assert.deepEqual([...(await idsOf(store, factor.userId))].sort(), [factor.id, other.id].sort())
  },

  'hands out copies, and keeps its own': async (store) => {
    const factor = await written(store)
    const [found] = await store.list(factor.userId)
    found?.createdAt.setTime(0)
    if (found) Reflect.set(found, 'data', 'changed')
    const expected = [{ ...factor, createdAt: new Date(factor.createdAt), version: 1 }]
    factor.createdAt.setTime(1)
    assert.deepEqual(await store.list(factor.userId), expected)
  },
}

const changeCases: Cases = {
  'writes over the version that it is told, and over no other': async (store) => {
    const factor = await written(store)
    const next = { ...factor, data: newId(), name: 'Key', usedAt: new Date(1_900_000_000_123) }
    for (const previous of [0, 2, 7]) assert.equal(await store.write(next, previous), false, `version ${previous}`)
    assert.deepEqual(await store.list(factor.userId), [{ ...factor, version: 1 }])
    assert.equal(await store.write(next, 1), true)
    assert.deepEqual(await store.list(factor.userId), [{ ...next, version: 2 }])
    assert.equal(await store.write(factor, 1), false, 'an old version wrote over a newer one')
    assert.deepEqual(await store.list(factor.userId), [{ ...next, version: 2 }])
  },

  'writes no later version of a factor that is not there': async (store) => {
    const factor = newFactor()
    assert.equal(await store.write(factor, 1), false)
    assert.deepEqual(await store.list(factor.userId), [])
  },

  'lets one of fifty first writes at once succeed': async (store) => {
    const factor = newFactor()
    const outcomes = await settled(many((at) => store.write({ ...factor, data: String(at) }, 0)))
    assert.equal(yes(outcomes), 1)
    const winner = valuesOf(outcomes).indexOf(true)
    assert.deepEqual(await store.list(factor.userId), [{ ...factor, data: String(winner), version: 1 }])
  },

  'lets one of fifty writes over a version succeed': async (store) => {
    const factor = await written(store)
    const outcomes = await settled(many((at) => store.write({ ...factor, data: String(at) }, 1)))
    assert.equal(yes(outcomes), 1)
    const winner = valuesOf(outcomes).indexOf(true)
    assert.deepEqual(await store.list(factor.userId), [{ ...factor, data: String(winner), version: 2 }])
  },

  'makes fifty factors of a user at once': async (store) => {
    const userId = newId()
    assert.equal(yes(await settled(many((at) => store.write(newFactor({ userId, id: `f${at}` }), 0)))), 50)
    assert.equal((await store.list(userId)).length, 50)
  },

  'removes the factor that it is told, and no other': async (store) => {
    const factor = await written(store)
    const other = await written(store, { userId: factor.userId })
    const stranger = await written(store, { id: factor.id })
    assert.equal(await store.remove(newId(), factor.id), 0)
    assert.equal(await store.remove(factor.userId, newId()), 0)
    assert.equal(await store.remove(factor.userId, factor.id), 1)
    assert.equal(await store.remove(factor.userId, factor.id), 0)
    assert.deepEqual(await store.list(factor.userId), [{ ...other, version: 1 }])
    assert.deepEqual(await store.list(stranger.userId), [{ ...stranger, version: 1 }])
    assert.equal(await store.write(factor, 1), false, 'what was removed came back')
    assert.equal(await store.write(factor, 0), true, 'what was removed can be made again')
  },

  'removes all factors of a user, and those of nobody else': async (store) => {
    const { userId } = await written(store)
    await written(store, { userId })
    const stranger = await written(store)
    assert.equal(await store.remove(userId), 2)
    assert.equal(await store.remove(userId), 0)
    assert.deepEqual(await store.list(userId), [])
    assert.deepEqual(await store.list(stranger.userId), [{ ...stranger, version: 1 }])
  },

  'tells one of fifty removals at once that it was the one': async (store) => {
    const { userId, id } = await written(store)
    const counts = valuesOf(await settled(many(() => store.remove(userId, id))))
    assert.deepEqual([...counts].sort().slice(-2), [0, 1])
  },

  'removes each factor once where all are removed fifty times at once': async (store) => {
    const { userId } = await written(store)
    for (let at = 0; at < 4; at += 1) await written(store, { userId })
    const counts = valuesOf(await settled(many(() => store.remove(userId))))
    assert.equal(
      counts.reduce((sum, count) => sum + count),
      5,
    )
  },

  'does not bring back what is removed while it is written': async (store) => {
    const factor = await written(store)
    const { userId, id } = factor
    const writes = many((at) => store.write({ ...factor, data: String(at) }, 1))
    const calls = [...writes.slice(25), async () => (await store.remove(userId, id)) === 1, ...writes.slice(0, 25)]
    const outcomes = valuesOf(await settled<boolean>(calls))
    assert.equal(outcomes[25], true, 'it was there, and the removal said it was not')
    assert.deepEqual(await store.list(userId), [])
  },
}
