/** The contract of stores of provider tokens finds what is wrong with one. */
import { expect } from 'chai'
import { memoryTokens } from '../../lib/adapters/memory/index.js'
import { tokenContract } from '../../lib/testing/index.js'
import type { StoredTokens, TokenStore } from '../../lib/types/tokens.js'
import { createRunner } from './runner.js'

/** What a database needs between two statements. */
const roundTrip = () => new Promise<void>((resolve) => setImmediate(resolve))

/** By what is wrong: the test that finds it, and what differs from the right store. */
const defects: Readonly<Record<string, readonly [found: string, broken: (right: TokenStore) => Partial<TokenStore>]>> =
  {
    'forgets the scope': [
      'finds what was written, and nothing else',
      (right) => ({ write: (row, previous) => right.write({ ...row, scope: null }, previous) }),
    ],
    'looks for ids in lower case': [
      'takes ids that differ in case, or in what stands at their ends, for different ones',
      (right) => {
        const names = new Map<string, string>()
        const nameOf = (id: string) => names.get(id.toLowerCase()) ?? id
        return {
          find: (key) => right.find({ ...key, providerAccountId: nameOf(key.providerAccountId) }),
          write(row, previous) {
            names.set(row.providerAccountId.toLowerCase(), row.providerAccountId)
            return right.write(row, previous)
          },
        }
      },
    ],
    'cuts what is long': [
      'keeps values that are long, empty or not there',
      (right) => ({ write: (row, previous) => right.write({ ...row, sealed: row.sealed.slice(0, 65_535) }, previous) }),
    ],
    'ignores the provider': [
      'finds the rows of a user, of all providers or of one',
      (right) => ({ findByUser: (userId) => right.findByUser(userId) }),
    ],
    'writes over any version': [
      'writes over the version that it is told, and over no other',
      (right) => ({ write: async (row) => right.write(row, (await right.find(row))?.version ?? 0) }),
    ],
    'makes a row of a later version': [
      'writes no later version of a row that is not there',
      (right) => ({ write: async (row, previous) => right.write(row, (await right.find(row)) ? previous : 0) }),
    ],
    'looks first and writes then': [
      'lets one of fifty writes over a version succeed',
      (right) => ({
        async write(row, previous) {
          const found = await right.find(row)
          if ((found?.version ?? 0) !== previous) return false
          await roundTrip()
          await right.write(row, (await right.find(row))?.version ?? 0)
          return true
        },
      }),
    ],
    'removes anybody’s row': [
      'removes the row of its user, and no other',
      (right) => ({ remove: async (key) => right.remove(key, (await right.find(key))?.userId ?? '') }),
    ],
    'gives the lease to all who ask at once': [
      'gives the lease of a row to one of fifty at once',
      (right) => {
        const held = new Set<string>()
        return {
          async lease(key) {
            const isFree = !held.has(key.providerAccountId)
            await roundTrip()
            held.add(key.providerAccountId)
            return isFree && (await right.find(key)) !== null
          },
        }
      },
    ],
    'leases any version': [
      'gives no lease of another version, nor of a row that is not there',
      (right) => ({
        lease: async (key, lease) => right.lease(key, { ...lease, version: (await right.find(key))?.version ?? 0 }),
      }),
    ],
    'counts a lease as a change': [
      'changes nothing else with a lease',
      (right) => ({
        async lease(key, lease) {
          const row = await right.find(key)
          return row !== null && right.write(row, lease.version)
        },
      }),
    ],
    'gives anybody’s lease back': [
      'takes a lease back from who has it only',
      (right) => {
        const holders = new Map<string, string>()
        return {
          async lease(key, lease) {
            const isTaken = await right.lease(key, lease)
            if (isTaken) holders.set(key.providerAccountId, lease.leaseId)
            return isTaken
          },
          release: (key) => right.release(key, holders.get(key.providerAccountId) ?? ''),
        }
      },
    ],
    'ends a lease by a write': [
      'keeps a lease through a write',
      (right) => {
        const holders = new Map<string, string>()
        return {
          async lease(key, lease) {
            const isTaken = await right.lease(key, lease)
            if (isTaken) holders.set(key.providerAccountId, lease.leaseId)
            return isTaken
          },
          async write(row, previous) {
            await right.release(row, holders.get(row.providerAccountId) ?? '')
            return right.write(row, previous)
          },
        }
      },
    ],
    'extends no lease': [
      'extends a lease for its holder, and for nobody else',
      (right) => {
        const taken = new Set<string>()
        return {
          async lease(key, lease) {
            if (taken.has(lease.leaseId)) return false
            const isTaken = await right.lease(key, lease)
            if (isTaken) taken.add(lease.leaseId)
            return isTaken
          },
        }
      },
    ],
    'has leases without an end': [
      'gives a lease that ran out to one of fifty at once, and to nobody before',
      (right) => ({ lease: (key, lease) => right.lease(key, { ...lease, seconds: 300 }) }),
    ],
    'has leases that end at once': [
      'gives the lease of a row to one of fifty at once',
      (right) => ({
        async lease(key, lease) {
          const isTaken = await right.lease(key, lease)
          await right.release(key, lease.leaseId)
          return isTaken
        },
      }),
    ],
    'keeps the lease of what it removed': [
      'has no lease on a row that was removed and written again',
      (right) => {
        const removed = new Set<string>()
        return {
          remove(key, userId) {
            removed.add(key.providerAccountId)
            return right.remove(key, userId)
          },
          lease: (key, lease) => (removed.has(key.providerAccountId) ? false : right.lease(key, lease)),
        }
      },
    ],
  }

/** @param only A test, where the others are of no interest: one of them waits for a lease to end. */
async function failuresOf(store: TokenStore, only?: string): Promise<readonly string[]> {
  const runner = createRunner()
  tokenContract(runner.hooks, { create: () => ({ store }) })
  const results = await runner.run(undefined, (name) => only === undefined || name === only)
  return results.filter(({ outcome }) => outcome === 'failed').map(({ name }) => name)
}

describe('tokenContract', () => {
  it('finds nothing wrong with a right store', async () => {
    expect(await failuresOf(memoryTokens())).to.deep.equal([])
  })

  it('closes what it was given', async () => {
    let closed = 0
    const runner = createRunner()
    tokenContract(runner.hooks, { create: () => ({ store: memoryTokens(), close: () => (closed += 1) }) })
    await runner.run(undefined, (name) => name === 'hands out copies')
    expect(closed).to.equal(1)
  })

  for (const [what, [found, broken]] of Object.entries(defects)) {
    it(`finds a store that ${what}`, async () => {
      const right = memoryTokens()
      expect(await failuresOf({ ...right, ...broken(right) }, found)).to.deep.equal([found])
    })
  }

  it('finds a store that hands out its own rows', async () => {
    const right = memoryTokens()
    const rows = new Map<string, StoredTokens>()
    const find: TokenStore['find'] = async (key) => {
      const found = await right.find(key)
      const held = rows.get(key.providerAccountId)
      if (!found || held?.version === found.version) return found && (held ?? null)
      rows.set(key.providerAccountId, found)
      return found
    }
    expect(await failuresOf({ ...right, find }, 'hands out copies')).to.deep.equal(['hands out copies'])
  })
})
