/** The cases of records, selected by the description of a table. */
import assert from 'node:assert/strict'
import type { ColumnType, RecordTable, RecordValue, StoredRecord } from '../types/store.js'
import { settleAll } from './contract-case.js'
import { leaseCases } from './lease-cases.js'
import {
  byText,
  expiring,
  future,
  hasMark,
  manyPerOwner,
  past,
  type RecordCase,
  type RecordSubject,
  recordSubject,
  versioned,
} from './record-subject.js'
import { removeCases } from './remove-cases.js'
import { type Cases, countTrue, fiftyCalls, newId, valuesOf } from './store-suite.js'

/** Returns the cases for a table. */
export function recordCases(table: RecordTable): Cases {
  const cases: Readonly<Record<string, RecordCase>> = { ...valueCases, ...writeCases, ...removeCases, ...leaseCases }
  const chosen = Object.entries(cases).filter(([, [, isFor]]) => isFor?.(table) ?? true)
  return Object.fromEntries(
    chosen.map(([title, [check]]) => [title, async ({ records }) => check(recordSubject(table, records))]),
  )
}

/** Returns a value for each column of the given types. */
function withEach({ columns }: RecordTable, values: { readonly [T in ColumnType]?: RecordValue }): StoredRecord {
  const chosen = Object.entries(columns).filter(([, type]) => values[type] !== undefined)
  return Object.fromEntries(chosen.map(([column, type]) => [column, values[type] ?? null]))
}

/** Returns the columns of the key, and the one by which records are listed. */
const idColumns = ({ key, by }: RecordTable) => [...new Set([...key, ...(by === undefined ? [] : [by])])]

/** Returns the records of an owner, or the one record if the table has no owner. */
async function recordsOfOwner(
  { table, list, find }: RecordSubject,
  record: StoredRecord,
): Promise<readonly StoredRecord[]> {
  if (table.by !== undefined) return list(record[table.by])
  const found = await find(record)
  return found ? [found] : []
}

const valueCases: Readonly<Record<string, RecordCase>> = {
  'finds what was written, and nothing else': [
    async (subject) => {
      const { table, records, written, stored, find, keyOf } = subject
      const record = await written()
      await written()
      for (let time = 0; time < 2; time += 1) assert.deepEqual(await find(record), stored(record))
      for (const column of table.key) {
        assert.equal(await records.find(table, { ...keyOf(record), [column]: newId() }), null)
      }
      assert.deepEqual(await recordsOfOwner(subject, record), [stored(record)])
      if (table.by !== undefined) assert.deepEqual(await records.list(table, newId()), [])
    },
  ],

  'treats values that differ in case, or in spaces at their ends, as different': [
    async ({ table, records, written, stored, find, keyOf }) => {
      const ids = Object.fromEntries(idColumns(table).map((column) => [column, `a${newId()}`]))
      const record = await written(ids)
      const others = (id: string) => [`A${id.slice(1)}`, `${id} `, ` ${id}`, '']
      for (const column of table.key) {
        for (const other of others(ids[column] ?? '')) {
          const key = { ...keyOf(record), [column]: other }
          assert.equal(await records.find(table, key), null, `${column}: ${other} is another`)
          if (table.version) assert.equal(await records.remove(table, key), 0, `${column}: ${other} is another`)
          else assert.equal(await records.take(table, key), null, `${column}: ${other} is another`)
        }
      }
      const { by = '' } = table
      for (const other of table.by === undefined ? [] : others(ids[by] ?? '')) {
        assert.deepEqual(await records.list(table, other), [], `${by}: ${other} is another`)
        assert.equal(await records.remove(table, { [by]: other }), 0, `${by}: ${other} is another`)
      }
      const last = table.key.at(-1) ?? ''
      const second = await written({ ...record, [last]: others(ids[last] ?? '')[0] ?? '' })
      for (const each of [record, second]) assert.deepEqual(await find(each), stored(each))
    },
  ],

  'keeps values that are long, empty or not there': [
    async ({ table, written, stored, find, keyOf }) => {
      const text = 'é'.repeat(4096)
      const long = {
        text,
        longText: newId().repeat(4000),
        'text?': null,
        'number?': null,
        'time?': null,
        boolean: true,
      }
      const id = newId()
      const record = await written({ ...withEach(table, { id: id.padEnd(255, 'x') }), ...withEach(table, long) })
      assert.deepEqual(await find(record), stored(record))
      const next = await written(withEach(table, { text: '', longText: '', 'text?': '', 'number?': 0, number: 0 }))
      assert.deepEqual(await find(keyOf(next)), stored(next))
    },
  ],

  'keeps text as it is': [
    async ({ table, written, stored, find }) => {
      for (const text of ['Größe 日本 👩‍💻', ' "\' or 1=1 --', '%_\\', '["],', 'x'.repeat(1024)]) {
        const record = await written(withEach(table, { text, longText: text, 'text?': text }))
        assert.deepEqual(await find(record), stored(record))
      }
    },
  ],

  'keeps moments to the millisecond': [
    async ({ table, written, stored, find }) => {
      const times = [new Date(1_900_000_000_001), new Date(1_900_000_000_999), new Date('1999-12-31T23:59:59.001Z')]
      for (const time of times) {
        const end = table.expires === undefined ? {} : { [table.expires]: new Date(4_102_444_800_007) }
        const record = await written({ ...withEach(table, { time, 'time?': time }), ...end })
        assert.deepEqual(await find(record), stored(record))
      }
    },
  ],

  'keeps ids with all kinds of characters apart': [
    async ({ table, records, written, find, list, markColumn }) => {
      const end = newId()
      const ids = ['a|b', 'https://op.example/ü#é', '"],["', '{x}', "' or 1=1 --", '%', '日本', 'a:b'].map(
        (id) => id + end,
      )
      for (const column of idColumns(table)) {
        const made = new Map<string, StoredRecord>()
        for (const id of ids) made.set(id, await written({ [column]: `${column}${id}`, [markColumn]: id }))
        for (const [id, record] of made) {
          assert.equal((await find(record))?.[markColumn], id)
          if (column !== table.by) continue
          assert.deepEqual(
            (await list(record[column])).map((each) => each[markColumn]),
            [id],
          )
          assert.equal(await records.remove(table, { [column]: String(record[column]) }), 1)
        }
      }
    },
    hasMark,
  ],

  'lists the records of one owner': [
    async ({ table: { by = '' }, written, stored, list }) => {
      const owner = newId()
      const made = [await written({ [by]: owner }), await written({ [by]: owner }), await written({ [by]: owner })]
      await written()
      assert.deepEqual(await list(owner), made.map((each) => stored(each)).sort(byText))
    },
    manyPerOwner,
  ],

  'keeps records that have not expired, whatever expires beside them': [
    async (subject) => {
      const { table, records, written, stored, find } = subject
      const { by, evict, expires = '' } = table
      const shared = { [by ?? evict ?? '']: newId() }
      const open = await written(shared)
      const later = await written({ ...shared, [expires]: future() })
      const over = await written({ ...shared, [expires]: past() })
      for (const each of [open, later]) assert.deepEqual(await find(each), stored(each))
      if (by !== undefined) {
        // An expired record may still exist.
        const isOver = (each: StoredRecord) => table.key.every((column) => each[column] === over[column])
        const rest = (await recordsOfOwner(subject, open)).filter((each) => !isOver(each))
        assert.deepEqual(rest, [stored(open), stored(later)].sort(byText))
      }
      if (!table.version) return
      const version = Number((await find(over))?.version ?? 0)
      const next = { ...over, [expires]: future() }
      assert.equal(await records.write(table, next, version), true, 'an expired record cannot be made again')
      assert.deepEqual(await find(over), stored(next, version + 1))
    },
    expiring,
  ],

  'keeps a record whose end is taken away': [
    async ({ table, records, written, stored, find }) => {
      const { expires = '', by = '' } = table
      const record = await written({ [expires]: new Date(Date.now() + 1000) })
      const next = { ...record, [expires]: null }
      assert.equal(await records.write(table, next, 1), true)
      await new Promise((resolve) => setTimeout(resolve, 1100))
      await written({ [by]: record[by] ?? null })
      assert.deepEqual(await find(record), stored(next, 2))
    },
    ({ columns, expires = '', version }) => version && columns[expires] === 'time?',
  ],

  'hands out copies, and keeps its own': [
    async (subject) => {
      const { written, stored, find, markColumn } = subject
      const record = await written()
      const expected = stored(structuredClone(record))
      for (const row of [record, await find(record), ...(await recordsOfOwner(subject, record))]) {
        assert.ok(row)
        for (const value of Object.values(row)) if (value instanceof Date) value.setTime(1)
        Reflect.set(row, markColumn, 'changed')
      }
      assert.deepEqual(await find(record), expected)
      assert.deepEqual(await recordsOfOwner(subject, record), [expected])
    },
  ],
}

const writeCases: Readonly<Record<string, RecordCase>> = {
  'writes over the given version, and over no other': [
    async ({ table, records, written, stored, find, markColumn }) => {
      const record = await written()
      const next = {
        ...record,
        ...withEach(table, { 'text?': null, 'number?': 7, boolean: true, 'time?': new Date(4_102_444_800_123) }),
        [markColumn]: newId(),
      }
      for (const previous of [0, 2, 7]) assert.equal(await records.write(table, next, previous), false)
      assert.deepEqual(await find(record), stored(record))
      assert.equal(await records.write(table, next, 1), true)
      assert.deepEqual(await find(record), stored(next, 2))
      assert.equal(await records.write(table, record, 1), false, 'an old version wrote over a newer one')
      assert.deepEqual(await find(record), stored(next, 2))
    },
    (table) => versioned(table) && hasMark(table),
  ],

  'writes no later version of a record that is not there': [
    async ({ table, records, make, find }) => {
      const record = make()
      assert.equal(await records.write(table, record, 1), false)
      assert.equal(await find(record), null)
    },
    versioned,
  ],

  'refuses a second record under a key, and keeps the first': [
    async ({ table, records, written, make, stored, find, keyOf }) => {
      const record = await written()
      assert.equal(await records.write(table, make(keyOf(record)), 0), false)
      assert.deepEqual(await find(record), stored(record))
    },
  ],

  'lets one of fifty first writes at once succeed': [
    async ({ table, records, make, stored, find, markColumn }) => {
      const record = make()
      const outcomes = await settleAll(
        fiftyCalls((at) => records.write(table, { ...record, [markColumn]: String(at) }, 0)),
      )
      assert.equal(countTrue(outcomes), 1)
      const winner = valuesOf(outcomes).indexOf(true)
      assert.deepEqual(await find(record), stored({ ...record, [markColumn]: String(winner) }))
    },
    hasMark,
  ],

  'lets one of fifty writes over a version succeed': [
    async ({ table, records, written, stored, find, markColumn }) => {
      const record = await written()
      const outcomes = await settleAll(
        fiftyCalls((at) => records.write(table, { ...record, [markColumn]: String(at) }, 1)),
      )
      assert.equal(countTrue(outcomes), 1)
      const winner = valuesOf(outcomes).indexOf(true)
      assert.deepEqual(await find(record), stored({ ...record, [markColumn]: String(winner) }, 2))
    },
    (table) => versioned(table) && hasMark(table),
  ],

  'makes fifty records of an owner at once': [
    async ({ table, records, make, list }) => {
      const { by = '' } = table
      const owner = newId()
      assert.equal(countTrue(await settleAll(fiftyCalls(() => records.write(table, make({ [by]: owner }), 0)))), 50)
      assert.equal((await list(owner)).length, 50)
    },
    manyPerOwner,
  ],

  'gives a record to another owner, and lists it there only': [
    async ({ table, records, written, stored, list }) => {
      const { by = '' } = table
      const record = await written()
      const moved = { ...record, [by]: newId() }
      assert.equal(await records.write(table, moved, 1), true)
      assert.deepEqual(await list(record[by]), [])
      assert.deepEqual(await list(moved[by]), [stored(moved, 2)])
    },
    ({ by, key, version }) => version && by !== undefined && !key.includes(by),
  ],
}
