/** The cases of records that are changed together, for stores with `writeAll` and `page`. */
import assert from 'node:assert/strict'
import { membersTable, organizationsTable } from '../features/members/description.js'
import type { RecordChange, RecordStore, RecordTable, Store, StoredRecord } from '../types/store.js'
import { settleAll } from './contract-case.js'
import { newRecord } from './record-subject.js'
import { type Cases, countTrue, fiftyCalls, newId, valuesOf } from './store-suite.js'

/** A store with both methods, and records to try it with. */
interface GroupSubject {
  readonly records: Required<RecordStore>
  readonly group: StoredRecord
  /** Returns a new member of the group. */
  member(userId?: string): StoredRecord
  find(table: RecordTable, row: StoredRecord): Promise<StoredRecord | null>
  list(): Promise<readonly StoredRecord[]>
}

/** Returns a case. A store without the methods has none of these cases. */
function groupCase(check: (subject: GroupSubject) => Promise<void>): (store: Partial<Store>) => Promise<void> {
  return async ({ records }) => {
    if (!records?.writeAll || !records.page) return
    const group = { ...newRecord(organizationsTable), id: newId() }
    assert.equal(await records.write(organizationsTable, group, 0), true)
    const both = records as Required<RecordStore>
    await check({
      records: both,
      group,
      member: (userId = newId()) => ({ ...newRecord(membersTable), organizationId: group.id, userId }),
      find: async (table, row) =>
        both.find(table, Object.fromEntries(table.key.map((column) => [column, String(row[column])]))),
      list: async () => both.page(membersTable, group.id, { limit: 1000 }),
    })
  }
}

const written = (table: RecordTable, record: StoredRecord, previous: number): RecordChange => ({
  ...{ table, record, previous },
})

/** The cases. */
export const groupCases: Cases = {
  'makes all changes of several tables': groupCase(async ({ records, group, member, find, list }) => {
    const [first, second] = [member(), member()]
    const next = { ...group, name: 'Größe 日本 / "\\' }
    const changes = [written(organizationsTable, next, 1), written(membersTable, first, 0)]
    assert.equal(await records.writeAll([...changes, written(membersTable, second, 0)]), true)
    assert.deepEqual(await find(organizationsTable, group), { ...next, version: 2 })
    assert.deepEqual(await find(membersTable, first), { ...first, version: 1 })
    assert.equal((await list()).length, 2)
    assert.deepEqual(await records.list(membersTable, String(second.userId)), [{ ...second, version: 1 }])
  }),

  'changes nothing if one record has another version, at whichever place': groupCase(
    async ({ records, group, member, find, list }) => {
      const kept = member()
      assert.equal(await records.write(membersTable, kept, 0), true)
      const good = [
        written(organizationsTable, { ...group, name: 'changed' }, 1),
        written(membersTable, member(), 0),
        { table: membersTable, remove: { organizationId: String(group.id), userId: String(kept.userId) } },
      ]
      const bad = [written(membersTable, member(), 1), written(membersTable, member(), 7)]
      for (const wrong of bad) {
        for (let at = 0; at <= good.length; at += 1) {
          assert.equal(await records.writeAll([...good.slice(0, at), wrong, ...good.slice(at)]), false)
        }
      }
      assert.deepEqual(await find(organizationsTable, group), { ...group, version: 1 })
      assert.deepEqual(await list(), [{ ...kept, version: 1 }])
    },
  ),

  'refuses a first write of a record that exists, and changes nothing': groupCase(
    async ({ records, group, member, find }) => {
      const known = member()
      assert.equal(await records.write(membersTable, known, 0), true)
      const changes = [written(organizationsTable, group, 1), written(membersTable, { ...known, role: 'other' }, 0)]
      assert.equal(await records.writeAll(changes), false)
      assert.deepEqual(await find(membersTable, known), { ...known, version: 1 })
      assert.equal((await find(organizationsTable, group))?.version, 1)
    },
  ),

  'removes one record, or all with the first value of the key': groupCase(async ({ records, group, member, list }) => {
    const rows = [member(), member(), member()]
    for (const row of rows) assert.equal(await records.write(membersTable, row, 0), true)
    const stranger: StoredRecord = { ...member(), organizationId: newId() }
    assert.equal(await records.write(membersTable, stranger, 0), true)
    const organizationId = String(group.id)
    const userId = String(rows[0]?.userId)
    const one = { table: membersTable, remove: { organizationId, userId } }
    assert.equal(await records.writeAll([written(organizationsTable, group, 1), one]), true)
    assert.equal((await list()).length, 2)
    assert.deepEqual(await records.list(membersTable, userId), [])
    const all = { table: membersTable, remove: { organizationId } }
    const itself = { table: organizationsTable, remove: { id: organizationId } }
    assert.equal(await records.writeAll([written(organizationsTable, group, 2), all, itself]), true)
    assert.deepEqual(await list(), [])
    assert.equal(await records.find(organizationsTable, { id: organizationId }), null)
    assert.equal((await records.list(membersTable, String(stranger.userId))).length, 1)
  }),

  'lets one of fifty changes at once succeed': groupCase(async ({ records, group, member, find, list }) => {
    const outcomes = await settleAll(
      fiftyCalls(() => records.writeAll([written(organizationsTable, group, 1), written(membersTable, member(), 0)])),
    )
    assert.equal(countTrue(outcomes), 1)
    assert.equal((await find(organizationsTable, group))?.version, 2)
    assert.equal((await list()).length, 1)
  }),

  'lets one of fifty first writes of the same record succeed, in changes of different records': groupCase(
    async ({ records, group, member, list }) => {
      const shared = member()
      const calls = fiftyCalls(() =>
        records.writeAll([written(membersTable, member(), 0), written(membersTable, shared, 0)]),
      )
      const outcomes = valuesOf(await settleAll(calls))
      assert.equal(outcomes.filter(Boolean).length, 1)
      assert.equal((await list()).length, 2)
      assert.equal((await records.page(membersTable, String(group.id), { limit: 1 })).length, 1)
    },
  ),

  'returns pages in one order, without gaps and repetitions': groupCase(async ({ records, group, member }) => {
    const ids = ['b', 'a', 'B', 'é', '10', '9', '日本', 'a b', '"]', '%'].map((id) => id + newId())
    for (const id of ids) assert.equal(await records.write(membersTable, member(id), 0), true)
    const first = String(group.id)
    const seen: unknown[] = []
    for (let after: string | undefined; seen.length < 30; ) {
      const page = await records.page(membersTable, first, { after, limit: 3 })
      assert.ok(page.length <= 3)
      seen.push(...page.map(({ userId }) => userId))
      if (page.length < 3) break
      after = String(page.at(-1)?.userId)
    }
    assert.deepEqual([...seen].sort(), [...ids].sort())
    const whole = await records.page(membersTable, first, { limit: 100 })
    assert.deepEqual(
      whole.map(({ userId }) => userId),
      seen,
    )
    assert.deepEqual(await records.page(membersTable, newId(), { limit: 100 }), [])
  }),
}
