/** The contract of stores of second factors finds what is wrong with one. */
import { expect } from 'chai'
import { memoryFactors } from '../../lib/adapters/memory/index.js'
import { factorContract } from '../../lib/testing/index.js'
import type { FactorStore, StoredFactor } from '../../lib/types/factors.js'
import { createRunner } from './runner.js'

/** What a database needs between two statements. */
const roundTrip = () => new Promise<void>((resolve) => setImmediate(resolve))

async function versionOf(store: FactorStore, { userId, id }: Pick<StoredFactor, 'id' | 'userId'>): Promise<number> {
  return (await store.list(userId)).find((each) => each.id === id)?.version ?? 0
}

/** By what is wrong: the test that finds it, and what differs from the right store. */
const defects: Readonly<
  Record<string, readonly [found: string, broken: (right: FactorStore) => Partial<FactorStore>]>
> = {
  'forgets the name': [
    'lists what was written, and nothing else',
    (right) => ({ write: (factor, previous) => right.write({ ...factor, name: null }, previous) }),
  ],
  'lists what anybody has': [
    'lists what was written, and nothing else',
    (right) => {
      const users = new Set<string>()
      return {
        write(factor, previous) {
          users.add(factor.userId)
          return right.write(factor, previous)
        },
        list: async () => (await Promise.all([...users].map(async (userId) => right.list(userId)))).flat(),
      }
    },
  ],
  'cuts spaces off ids': [
    'takes ids that differ in case, or in what stands at their ends, for different ones',
    (right) => ({ remove: (userId, id) => right.remove(userId, id?.trim()) }),
  ],
  'looks for ids in lower case': [
    'takes ids that differ in case, or in what stands at their ends, for different ones',
    (right) => ({
      remove: async (userId, id) => {
        const found = (await right.list(userId)).find((each) => each.id.toLowerCase() === id?.toLowerCase())
        return right.remove(userId, found?.id ?? id)
      },
    }),
  ],
  'cuts what is long': [
    'keeps values that are long, empty or not there',
    (right) => ({
      write: (factor, previous) => right.write({ ...factor, data: factor.data.slice(0, 65_535) }, previous),
    }),
  ],
  'takes no name for an empty one': [
    'keeps values that are long, empty or not there',
    (right) => ({ write: (factor, previous) => right.write({ ...factor, name: factor.name ?? '' }, previous) }),
  ],
  'keeps whole seconds': [
    'keeps moments to the millisecond',
    (right) => ({
      write: ({ usedAt, ...factor }, previous) =>
        right.write({ ...factor, usedAt: usedAt && new Date(Math.trunc(Number(usedAt) / 1000) * 1000) }, previous),
    }),
  ],
  'lists by id': [
    'lists in the order in which they were made',
    (right) => ({
      list: async (userId) => [...(await right.list(userId))].sort((one, other) => (one.id < other.id ? -1 : 1)),
    }),
  ],
  'drops all of a user with what ends': [
    'keeps what has not ended, whatever ends beside it',
    (right) => ({
      async list(userId) {
        const found = await right.list(userId)
        return found.some(({ expiresAt }) => expiresAt && expiresAt.getTime() < Date.now()) ? [] : found
      },
    }),
  ],
  'keeps the first end of a factor': [
    'keeps a factor whose end is taken away',
    (right) => {
      const ends = new Map<string, number>()
      return {
        write(factor, previous) {
          if (factor.expiresAt && previous === 0) ends.set(factor.id, factor.expiresAt.getTime())
          return right.write(factor, previous)
        },
        list: async (userId) => (await right.list(userId)).filter(({ id }) => (ends.get(id) ?? 4e12) > Date.now()),
      }
    },
  ],
  'writes over any version': [
    'writes over the version that it is told, and over no other',
    (right) => ({ write: async (factor) => right.write(factor, await versionOf(right, factor)) }),
  ],
  'makes a factor of a later version': [
    'writes no later version of a factor that is not there',
    (right) => ({
      write: async (factor, previous) => right.write(factor, (await versionOf(right, factor)) && previous),
    }),
  ],
  'looks first and writes then': [
    'lets one of fifty writes over a version succeed',
    (right) => ({
      async write(factor, previous) {
        if ((await versionOf(right, factor)) !== previous) return false
        await roundTrip()
        await right.write(factor, await versionOf(right, factor))
        return true
      },
    }),
  ],
  'loses one of two that are made at once': [
    'makes fifty factors of a user at once',
    () => {
      const all = new Map<string, readonly StoredFactor[]>()
      return {
        async write(factor, previous) {
          const held = all.get(factor.userId) ?? []
          await roundTrip()
          all.set(factor.userId, [...held, { ...factor, version: previous + 1 }])
          return true
        },
        list: (userId) => all.get(userId) ?? [],
      }
    },
  ],
  'removes anybody’s factor': [
    'removes the factor that it is told, and no other',
    (right) => {
      const owners = new Map<string, string>()
      return {
        write(factor, previous) {
          owners.set(factor.id, factor.userId)
          return right.write(factor, previous)
        },
        remove: (userId, id) => right.remove((id !== undefined && owners.get(id)) || userId, id),
      }
    },
  ],
  'removes one where all are meant': [
    'removes all factors of a user, and those of nobody else',
    (right) => ({ remove: async (userId, id) => right.remove(userId, id ?? (await right.list(userId))[0]?.id ?? '') }),
  ],
  'looks first and removes then': [
    'tells one of fifty removals at once that it was the one',
    (right) => ({
      async remove(userId, id) {
        const found = (await right.list(userId)).filter((each) => id === undefined || each.id === id)
        await roundTrip()
        await right.remove(userId, id)
        return found.length
      },
    }),
  ],
  'counts before it removes all': [
    'removes each factor once where all are removed fifty times at once',
    (right) => ({
      async remove(userId, id) {
        if (id !== undefined) return right.remove(userId, id)
        const { length } = await right.list(userId)
        await roundTrip()
        await right.remove(userId)
        return length
      },
    }),
  ],
  'writes what was removed meanwhile': [
    'does not bring back what is removed while it is written',
    (right) => ({
      async write(factor, previous) {
        if ((await versionOf(right, factor)) !== previous) return false
        await roundTrip()
        return right.write(factor, await versionOf(right, factor))
      },
    }),
  ],
}

/** @param only A test, where the others are of no interest. */
async function failuresOf(store: FactorStore, only?: string): Promise<readonly string[]> {
  const runner = createRunner()
  factorContract(runner.hooks, { create: () => ({ store }) })
  const results = await runner.run(undefined, (name) => only === undefined || name === only)
  return results.filter(({ outcome }) => outcome === 'failed').map(({ name }) => name)
}

describe('factorContract', () => {
  it('finds nothing wrong with a right store', async () => {
    expect(await failuresOf(memoryFactors())).to.deep.equal([])
  })

  it('finds nothing wrong with a store that deletes at once what has ended', async () => {
    const right = memoryFactors()
    const list: FactorStore['list'] = async (userId) => {
      for (const { id, expiresAt } of await right.list(userId)) {
        if (expiresAt && expiresAt.getTime() < Date.now()) await right.remove(userId, id)
      }
      return right.list(userId)
    }
    expect(await failuresOf({ ...right, list })).to.deep.equal([])
  })

  it('closes what it was given', async () => {
    let closed = 0
    const runner = createRunner()
    factorContract(runner.hooks, { create: () => ({ store: memoryFactors(), close: () => (closed += 1) }) })
    await runner.run(undefined, (name) => name === 'hands out copies, and keeps its own')
    expect(closed).to.equal(1)
  })

  for (const [what, [found, broken]] of Object.entries(defects)) {
    it(`finds a store that ${what}`, async () => {
      const right = memoryFactors()
      expect(await failuresOf({ ...right, ...broken(right) }, found)).to.deep.equal([found])
    })
  }

  it('finds a store that hands out its own rows', async () => {
    const right = memoryFactors()
    const rows = new Map<string, readonly StoredFactor[]>()
    const list: FactorStore['list'] = async (userId) => {
      const found = rows.get(userId) ?? (await right.list(userId))
      rows.set(userId, found)
      return found
    }
    const title = 'hands out copies, and keeps its own'
    expect(await failuresOf({ ...right, list }, title)).to.deep.equal([title])
  })
})
