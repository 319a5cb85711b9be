/** The cases of records that are removed or taken. */
import assert from 'node:assert/strict'
import { settleAll } from './contract-case.js'
import { listed, manyPerOwner, newRecord, type RecordCase, takenOnce, versioned } from './record-subject.js'
import { fiftyCalls, newId, valuesOf } from './store-suite.js'

/** The cases. */
export const removeCases: Readonly<Record<string, RecordCase>> = {
  'removes the given record, and no other': [
    async ({ table, records, written, stored, find, keyOf }) => {
      const { by, key } = table
      const record = await written()
      const other = await written(key.length > 1 && by !== undefined ? { [by]: record[by] ?? null } : {})
      for (const column of key) assert.equal(await records.remove(table, { ...keyOf(record), [column]: newId() }), 0)
      if (by !== undefined) {
        const count = await records.remove(table, { ...keyOf(record), [by]: newId() })
        assert.equal(count, 0, 'the record of another owner was removed')
        assert.deepEqual(await find(record), stored(record))
        assert.equal(await records.remove(table, { ...keyOf(record), [by]: String(record[by]) }), 1)
      } else assert.equal(await records.remove(table, keyOf(record)), 1)
      assert.equal(await records.remove(table, keyOf(record)), 0)
      assert.equal(await find(record), null)
      assert.deepEqual(await find(other), stored(other))
      assert.equal(await records.write(table, record, 1), false, 'a removed record came back')
      assert.equal(await records.write(table, record, 0), true, 'a removed record can be made again')
      assert.equal(await records.remove(table, keyOf(record)), 1)
    },
    versioned,
  ],

  'removes all records of an owner, and no others': [
    async (subject) => {
      const { table, records, written, stored, find, list } = subject
      const { by = '' } = table
      const owner = newId()
      const count = manyPerOwner(table) ? 2 : 1
      for (let at = 0; at < count; at += 1) await written({ [by]: owner })
      const stranger = await written()
      assert.equal(await records.remove(table, { [by]: owner }), count)
      assert.equal(await records.remove(table, { [by]: owner }), 0)
      assert.deepEqual(await list(owner), [])
      assert.deepEqual(await find(stranger), stored(stranger))
    },
    listed,
  ],

  'reports the removal to one of fifty removals at once': [
    async ({ table, records, written, keyOf }) => {
      const record = await written()
      const counts = valuesOf(await settleAll(fiftyCalls(() => records.remove(table, keyOf(record)))))
      assert.deepEqual([...counts].sort().slice(-2), [0, 1])
    },
    versioned,
  ],

  'removes each record once where all are removed fifty times at once': [
    async ({ table, records, written }) => {
      const { by = '' } = table
      const owner = newId()
      for (let at = 0; at < 5; at += 1) await written({ [by]: owner })
      const counts = valuesOf(await settleAll(fiftyCalls(() => records.remove(table, { [by]: owner }))))
      assert.equal(
        counts.reduce((sum, count) => sum + count),
        5,
      )
    },
    manyPerOwner,
  ],

  'does not bring back what is removed while it is written': [
    async ({ table, records, written, find, keyOf, markColumn }) => {
      const record = await written()
      const writes = fiftyCalls((at) => records.write(table, { ...record, [markColumn]: String(at) }, 1))
      const removal = async () => (await records.remove(table, keyOf(record))) === 1
      const outcomes = valuesOf(await settleAll<boolean>([...writes.slice(25), removal, ...writes.slice(0, 25)]))
      assert.equal(outcomes[25], true, 'it was there, and the removal said it was not')
      assert.equal(await find(record), null)
    },
    versioned,
  ],

  'gives a record once': [
    async ({ table, records, written, find, keyOf }) => {
      const record = await written()
      assert.equal(await records.take(table, keyOf(newRecord(table))), null)
      assert.deepEqual(await records.take(table, keyOf(record)), record)
      assert.equal(await records.take(table, keyOf(record)), null)
      assert.equal(await find(record), null)
    },
    takenOnce,
  ],

  'gives a record to one of fifty at once': [
    async ({ table, records, written, keyOf }) => {
      const record = await written()
      const taken = valuesOf(await settleAll(fiftyCalls(() => records.take(table, keyOf(record)))))
      assert.deepEqual(
        taken.filter((each) => each !== null),
        [record],
      )
    },
    takenOnce,
  ],

  'keeps several records that are the same but for their keys': [
    async ({ table, records, written, find, make, keyOf }) => {
      const record = await written()
      const other = await written({ ...record, ...keyOf(make()) })
      assert.deepEqual(await find(record), record)
      assert.deepEqual(await records.take(table, keyOf(other)), other)
      assert.deepEqual(await records.take(table, keyOf(record)), record)
    },
    takenOnce,
  ],
}
