/** The cases of leases. */
import assert from 'node:assert/strict'
import type { RecordTable } from '../types/store.js'
import { settleAll } from './contract-case.js'
import type { RecordCase, RecordSubject } from './record-subject.js'
import { countTrue, fiftyCalls, newId } from './store-suite.js'

const newLease = (rest: { version?: number; seconds?: number } = {}) => ({
  version: 1,
  leaseId: newId(),
  seconds: 300,
  ...rest,
})

type NewLease = ReturnType<typeof newLease>

const waitForExpiry = () => new Promise((resolve) => setTimeout(resolve, 1100))

/** Returns a record, and functions for its leases. */
async function leased({ table, records, written, keyOf }: RecordSubject) {
  const record = await written()
  const key = keyOf(record)
  return {
    record,
    key,
    lease: (lease: NewLease = newLease()) => records.lease(table, key, lease),
    release: (leaseId: string) => records.release(table, key, leaseId),
    write: (previous: number) => records.write(table, record, previous),
  }
}

type LeaseCheck = (subject: RecordSubject, leases: Awaited<ReturnType<typeof leased>>) => Promise<void>

const leaseChecks: Readonly<Record<string, LeaseCheck>> = {
  'gives the lease of a record to one of fifty at once': async (_subject, { lease }) => {
    assert.equal(countTrue(await settleAll(fiftyCalls(() => lease()))), 1)
    assert.equal(await lease(), false)
  },

  'gives no lease of another version, nor of a record that is not there': async (subject, { lease }) => {
    const { table, records, make, keyOf } = subject
    for (const version of [0, 2]) assert.equal(await lease(newLease({ version })), false)
    for (const version of [0, 1]) assert.equal(await records.lease(table, keyOf(make()), newLease({ version })), false)
    assert.equal(await lease(), true)
  },

  'changes nothing else with a lease': async ({ find, stored }, { record, lease }) => {
    await lease()
    assert.deepEqual(await find(record), stored(record))
  },

  'keeps a lease through a write': async (_subject, { lease, release, write }) => {
    const own = newLease()
    assert.equal(await lease(own), true)
    assert.equal(await write(1), true)
    assert.equal(await lease(newLease({ version: 2 })), false, 'a write ended the lease of another one')
    await release(own.leaseId)
    assert.equal(await lease(newLease({ version: 2 })), true)
  },

  'extends a lease for its holder only': async (_subject, { lease, write }) => {
    const own = newLease({ seconds: 1 })
    assert.equal(await lease(own), true)
    assert.equal(await lease({ ...own, seconds: 300 }), true, 'the holder may not extend')
    await waitForExpiry()
    assert.equal(await lease(), false, 'a lease that was extended ended at its first time')
    assert.equal(await lease({ ...own, version: 2 }), false, 'the lease of another version was extended')
    assert.equal(await write(1), true)
    assert.equal(await lease({ ...own, version: 2 }), true, 'the holder may not extend after a write')
    assert.equal(await lease(newLease({ version: 2 })), false)
  },

  'releases a lease for its holder only': async (subject, { lease, release }) => {
    const own = newLease()
    await lease(own)
    await release(newId())
    assert.equal(await lease(), false, 'the lease of another one was given back')
    await release(own.leaseId)
    assert.equal(await lease(), true)
    await subject.records.release(subject.table, subject.keyOf(subject.make()), own.leaseId)
  },

  'gives an expired lease to one of fifty at once, and to none before': async (_subject, { lease, release }) => {
    const late = newLease({ seconds: 1 })
    const began = Date.now()
    assert.equal(await lease(late), true)
    const taken = await lease()
    // If the machine was paused, the second may be over by now.
    if (Date.now() - began < 1000) assert.equal(taken, false, 'a lease ended before its time')
    await waitForExpiry()
    if (!taken) assert.equal(countTrue(await settleAll(fiftyCalls(() => lease()))), 1)
    await release(late.leaseId)
    assert.equal(await lease(), false, 'an expired holder released the lease of another one')
  },

  'has no lease on a record that was removed and written again': async ({ table, records }, { key, lease, write }) => {
    await lease()
    await records.remove(table, key)
    await write(0)
    assert.equal(await lease(), true)
  },
}

/** The cases, for tables with leases. */
export const leaseCases: Readonly<Record<string, RecordCase>> = Object.fromEntries(
  Object.entries(leaseChecks).map(([title, check]) => [
    title,
    [
      async (subject: RecordSubject) => check(subject, await leased(subject)),
      ({ lease }: RecordTable) => lease === true,
    ],
  ]),
)
