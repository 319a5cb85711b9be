/** The contract of stores of provider tokens. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { Awaitable } from '../types/identity.js'
import type { StoredTokens, TokenStore } from '../types/tokens.js'
import type { ContractHooks } from './adapter-contract.js'
import { settled } from './case.js'
import { many, newId, registerSuite, yes } from './store-suite.js'

/** What the suite tests. */
export interface TokenSubject {
  /** The store to be tested. */
  store: TokenStore
  /** Closes what `create` opened. */
  close?(): Awaitable<unknown>
}

/** Options of `tokenContract`. */
export interface TokenContractOptions {
  /** Makes the store, once. It need not be empty. */
  create(): Awaitable<TokenSubject>
  /** The title of the suite. Default `token contract`. */
  name?: string
}

/**
 * Tests a store for `tokens.store`: rows, versions, leases, races. Each test makes rows of its own with random ids, and leaves most of
 * them there.
 *
 * @example
 * ```ts
 * import { after, before, describe, it } from 'mocha'
 * import { tokenContract } from 'server-auth/testing'
 *
 * tokenContract({ describe, it, before, after }, { create: () => ({ store: myTokens(client) }) })
 * ```
 */
export function tokenContract(hooks: ContractHooks, { create, name }: TokenContractOptions): void {
  registerSuite(hooks, { name: name ?? 'token contract', create, cases: { ...rowCases, ...leaseCases } })
}

type NewRow = Omit<StoredTokens, 'version'>

const ofStranger = 'the row of another user was removed: accounts are told apart by their users'

function newRow(rest: Partial<NewRow> = {}): NewRow {
  return {
    provider: 'test',
    providerAccountId: newId(),
    userId: newId(),
    sealed: newId(),
    expiresAt: 1_900_000_000,
    scope: 'openid email',
    needsConsent: false,
    ...rest,
  }
}

/** A row that is there, with version 1. */
async function written(store: TokenStore, rest: Partial<NewRow> = {}): Promise<NewRow> {
  const row = newRow(rest)
  assert.equal(await store.write(row, 0), true, 'a first write was refused')
  return row
}

const newLease = (rest: { version?: number; seconds?: number } = {}) => ({
  version: 1,
  leaseId: newId(),
  seconds: 300,
  ...rest,
})

const rowCases: Readonly<Record<string, (store: TokenStore) => Promise<void>>> = {
  'finds what was written, and nothing else': async (store) => {
    const row = await written(store)
    assert.deepEqual(await store.find(row), { ...row, version: 1 })
    assert.equal(await store.find({ ...row, providerAccountId: newId() }), null)
    assert.equal(await store.find({ ...row, provider: 'other' }), null)
  },

  'takes ids that differ in case, or in what stands at their ends, for different ones': async (store) => {
    const row = await written(store, { providerAccountId: `a${newId()}`, userId: `u${newId()}` })
    const { provider, providerAccountId, userId } = row
    for (const other of [`A${providerAccountId.slice(1)}`, `${providerAccountId} `, ` ${providerAccountId}`, '']) {
      assert.equal(await store.find({ provider, providerAccountId: other }), null, `${other} is another account`)
    }
    assert.equal(await store.find({ provider: 'Test', providerAccountId }), null)
    assert.deepEqual(await store.findByUser(`U${userId.slice(1)}`), [])
    assert.deepEqual(await store.findByUser(userId, 'TEST'), [])
  },

  'keeps values that are long, empty or not there': async (store) => {
    const sealed = randomBytes(60_000).toString('base64url')
    const row = await written(store, { sealed, expiresAt: null, scope: null, needsConsent: true })
    assert.deepEqual(await store.find(row), { ...row, version: 1 })
    const next = { ...row, scope: '', expiresAt: 0, needsConsent: false }
    assert.equal(await store.write(next, 1), true)
    assert.deepEqual(await store.find(row), { ...next, version: 2 })
  },

  'keeps ids with all kinds of characters apart': async (store) => {
    const end = newId()
    const ids = ['a|b', 'https://op.example/ü#é', '"],["', '{x}', "' or 1=1 --", '%', '日本', 'a:b'].map(
      (id) => id + end,
    )
    for (const providerAccountId of ids) await written(store, { providerAccountId, sealed: providerAccountId })
    for (const providerAccountId of ids) {
      const found = await store.find({ provider: 'test', providerAccountId })
      assert.equal(found?.sealed, providerAccountId)
    }
  },

  'finds the rows of a user, of all providers or of one': async (store) => {
    const userId = newId()
    const rows = [await written(store, { userId }), await written(store, { userId })]
    const other = await written(store, { userId, provider: 'other' })
    await written(store)
    const idsOf = async (provider?: string) => {
      const found = await store.findByUser(userId, provider)
      return found.map(({ providerAccountId }) => providerAccountId).sort()
    }
    const expected = rows.map(({ providerAccountId }) => providerAccountId).sort()
    assert.deepEqual(await idsOf('test'), expected)
    assert.deepEqual(await idsOf(), [...expected, other.providerAccountId].sort())
    assert.deepEqual(await store.findByUser(userId, 'other'), [{ ...other, version: 1 }])
    assert.deepEqual(await store.findByUser(newId()), [])
  },

  'writes over the version that it is told, and over no other': async (store) => {
    const row = await written(store)
    const next = { ...row, sealed: newId(), scope: 'openid', expiresAt: 1_900_000_009 }
    for (const previous of [0, 2, 7]) assert.equal(await store.write(next, previous), false, `version ${previous}`)
    assert.deepEqual(await store.find(row), { ...row, version: 1 })
    assert.equal(await store.write(next, 1), true)
    assert.deepEqual(await store.find(row), { ...next, version: 2 })
    assert.equal(await store.write(row, 1), false, 'an old version wrote over a newer one')
    assert.deepEqual(await store.find(row), { ...next, version: 2 })
  },

  'writes no later version of a row that is not there': async (store) => {
    const row = newRow()
    assert.equal(await store.write(row, 1), false)
    assert.equal(await store.find(row), null)
  },

  'gives a row to another user, and finds it under that one only': async (store) => {
    const row = await written(store)
    const moved = { ...row, userId: newId() }
    assert.equal(await store.write(moved, 1), true)
    assert.deepEqual(await store.findByUser(row.userId), [])
    assert.deepEqual(await store.findByUser(moved.userId), [{ ...moved, version: 2 }])
  },

  'lets one of fifty first writes at once succeed': async (store) => {
    const row = newRow()
    const outcomes = await settled(many((at) => store.write({ ...row, sealed: String(at) }, 0)))
    assert.equal(yes(outcomes), 1)
    assert.equal((await store.find(row))?.version, 1)
  },

  'lets one of fifty writes over a version succeed': async (store) => {
    const row = await written(store)
    const outcomes = await settled(many((at) => store.write({ ...row, sealed: String(at) }, 1)))
    assert.equal(yes(outcomes), 1)
    const winner = outcomes.findIndex((outcome) => outcome.status === 'fulfilled' && outcome.value)
    assert.deepEqual(await store.find(row), { ...row, sealed: String(winner), version: 2 })
  },

  'removes the row of its user, and no other': async (store) => {
    const row = await written(store)
    const other = await written(store, { userId: row.userId })
    await store.remove(row, newId())
    assert.ok(await store.find(row), ofStranger)
    await store.remove(row, row.userId)
    await store.remove(row, row.userId)
    assert.equal(await store.find(row), null)
    assert.deepEqual(await store.findByUser(row.userId), [{ ...other, version: 1 }])
    assert.equal(await store.write(row, 0), true, 'what was removed can be written again')
  },

  'hands out copies': async (store) => {
    const row = await written(store)
    const found = await store.find(row)
    if (found) Reflect.set(found, 'userId', 'somebody else')
    assert.deepEqual(await store.find(row), { ...row, version: 1 })
  },
}

const leaseCases: Readonly<Record<string, (store: TokenStore) => Promise<void>>> = {
  'gives the lease of a row to one of fifty at once': async (store) => {
    const row = await written(store)
    assert.equal(yes(await settled(many(() => store.lease(row, newLease())))), 1)
    assert.equal(await store.lease(row, newLease()), false)
  },

  'gives no lease of another version, nor of a row that is not there': async (store) => {
    const row = await written(store)
    for (const version of [0, 2]) assert.equal(await store.lease(row, newLease({ version })), false)
    for (const version of [0, 1]) assert.equal(await store.lease(newRow(), newLease({ version })), false)
    assert.equal(await store.lease(row, newLease()), true)
  },

  'changes nothing else with a lease': async (store) => {
    const row = await written(store)
    await store.lease(row, newLease())
    assert.deepEqual(await store.find(row), { ...row, version: 1 })
  },

  'keeps a lease through a write': async (store) => {
    const row = await written(store)
    const lease = newLease()
    assert.equal(await store.lease(row, lease), true)
    assert.equal(await store.write(row, 1), true)
    assert.equal(await store.lease(row, newLease({ version: 2 })), false, 'a write ended the lease of another one')
    await store.release(row, lease.leaseId)
    assert.equal(await store.lease(row, newLease({ version: 2 })), true)
  },

  'extends a lease for its holder, and for nobody else': async (store) => {
    const row = await written(store)
    const lease = newLease({ seconds: 1 })
    assert.equal(await store.lease(row, lease), true)
    assert.equal(await store.lease(row, { ...lease, seconds: 300 }), true, 'the holder may not extend')
    await new Promise((resolve) => setTimeout(resolve, 1100))
    assert.equal(await store.lease(row, newLease()), false, 'a lease that was extended ended at its first time')
    assert.equal(await store.lease(row, { ...lease, version: 2 }), false, 'the lease of another version was extended')
    assert.equal(await store.write(row, 1), true)
    assert.equal(await store.lease(row, { ...lease, version: 2 }), true, 'the holder may not extend after a write')
    assert.equal(await store.lease(row, newLease({ version: 2 })), false)
  },

  'takes a lease back from who has it only': async (store) => {
    const row = await written(store)
    const lease = newLease()
    await store.lease(row, lease)
    await store.release(row, newId())
    assert.equal(await store.lease(row, newLease()), false, 'the lease of another one was given back')
    await store.release(row, lease.leaseId)
    assert.equal(await store.lease(row, newLease()), true)
    await store.release(newRow(), lease.leaseId)
  },

  'gives a lease that ran out to one of fifty at once, and to nobody before': async (store) => {
    const row = await written(store)
    const late = newLease({ seconds: 1 })
    const began = Date.now()
    assert.equal(await store.lease(row, late), true)
    const taken = await store.lease(row, newLease())
    // On a machine that stood still the second is over by now.
    if (Date.now() - began < 1000) assert.equal(taken, false, 'a lease ended before its time')
    await new Promise((resolve) => setTimeout(resolve, 1100))
    if (!taken) assert.equal(yes(await settled(many(() => store.lease(row, newLease())))), 1)
    await store.release(row, late.leaseId)
    assert.equal(await store.lease(row, newLease()), false, 'who came late gave back the lease of another one')
  },

  'has no lease on a row that was removed and written again': async (store) => {
    const row = await written(store)
    await store.lease(row, newLease())
    await store.remove(row, row.userId)
    await store.write(row, 0)
    assert.equal(await store.lease(row, newLease()), true)
  },
}
