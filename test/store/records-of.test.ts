/** The guard around the records of a store. */
import { expect } from 'chai'
import { memoryStore } from '../../lib/adapters/memory/index.js'
import { factorsTable } from '../../lib/features/factors/description.js'
import { passwordAttemptsTable } from '../../lib/features/passwords/description.js'
import { providerTokensTable } from '../../lib/features/tokens/description.js'
import { guardRecords } from '../../lib/store/guard.js'
import { recordTables } from '../../lib/store/tables.js'
import type { Records } from '../../lib/types/records.js'
import type { RecordStore, RecordTable, StoredRecord } from '../../lib/types/store.js'
import { rejectionOf } from '../support/rejection.js'

const { records } = memoryStore()
const guard = { keeps: 'second factors', timeout: 50 }
const factor = {
  userId: 'ada',
  id: 'b',
  type: 'totp',
  name: null,
  data: 'sealed',
  createdAt: new Date(2),
  usedAt: null,
  expiresAt: null,
}

function guarded<T extends RecordTable>(table: T, methods: Partial<RecordStore>): Records<T> {
  return guardRecords({ ...records, ...methods }, table, guard)
}

const listing = (...rows: readonly unknown[]) => guarded(factorsTable, { list: () => rows as readonly StoredRecord[] })
const stored = (rest: Partial<StoredRecord> = {}) => ({ ...factor, version: 1, ...rest })

describe('recordsOf', () => {
  it('lists the records of the owner that have not expired, in the order of the description', async () => {
    const rows = [
      stored({ id: 'c', createdAt: new Date(2) }),
      stored({ id: 'a', createdAt: new Date(3) }),
      stored({ id: 'b', createdAt: new Date(2) }),
      stored({ id: 'over', expiresAt: new Date(Date.now() - 1) }),
      stored({ id: 'later', createdAt: new Date(9), expiresAt: new Date(Date.now() + 60_000) }),
      stored({ userId: 'ADA' }),
    ]
    expect((await listing(...rows).list('ada')).map(({ id }) => id)).to.deep.equal(['b', 'c', 'a', 'later'])
  })

  it('finds no record of another key', async () => {
    const { find, take } = guarded(factorsTable, { find: () => stored({ id: 'B' }), take: () => stored({ id: 'B' }) })
    expect(await find({ userId: 'ada', id: 'b' })).to.equal(null)
    expect(await take({ userId: 'ada', id: 'b' })).to.equal(null)
  })

  for (const table of recordTables) {
    for (const [column, type] of Object.entries(table.columns)) {
      const wrong = [undefined, Symbol('none'), {}, type.startsWith('time') ? new Date(Number.NaN) : new Date()]
      it(`takes a wrong ${column} of ${table.name} for no record`, async () => {
        for (const value of [...wrong, ...(type.endsWith('?') ? [] : [null])]) {
          const right = { ...factor, version: 1, tokenHash: 'x', identifier: 'x', expires: new Date(), hash: 'x' }
          const more = { changedAt: new Date(), provider: 'x', providerAccountId: 'x', sealed: 'x', scope: 'x' }
          const number = table === providerTokensTable ? { expiresAt: 5 } : {}
          const row = { ...right, ...more, ...number, needsConsent: true, [column]: value }
          const answer = (() => row) as unknown as RecordStore['find']
          const error = await rejectionOf(guarded(table as RecordTable, { find: answer }).find({}))
          expect(error.message).to.equal('The store of second factors failed (`find`).')
        }
      })
    }
  }

  it('removes nothing where a column of the selection has no value', async () => {
    const table = guarded(factorsTable, {
      remove() {
        throw new Error('It was removed.')
      },
    })
    for (const where of [{ userId: 'ada', id: undefined }, { userId: undefined }]) {
      const error = await rejectionOf(table.remove(where as { userId: string }))
      expect(error.message).to.equal('Records of auth_factors are selected by text.')
    }
  })

  it('writes no record that it would not take for one', async () => {
    const table = guarded(factorsTable, {
      write() {
        throw new Error('It was written.')
      },
    })
    for (const wrong of [{ createdAt: new Date(Number.NaN) }, { usedAt: 'today' }, { data: null }]) {
      const error = await rejectionOf(table.write({ ...factor, ...wrong } as typeof factor, 0))
      expect(error.message).to.equal('The value is not a record of auth_factors.')
    }
  })

  it('takes a record without a version for none', async () => {
    const { version: _none, ...row } = stored()
    for (const each of [row, { ...row, version: '1' }, { ...row, version: 1.5 }]) {
      expect((await rejectionOf(listing(each).list('ada'))).name).to.equal('AdapterError')
    }
    const attempt = { tokenHash: 'x', identifier: 'x', data: '', expires: new Date() }
    expect(await guarded(passwordAttemptsTable, { take: () => attempt }).take({ tokenHash: 'x' })).to.deep.equal(
      attempt,
    )
  })

  for (const [what, answer] of Object.entries({
    nothing: undefined,
    null: null,
    text: 'yes',
    object: {},
    list: [null],
  })) {
    it(`takes ${what} for no list, no count and no answer`, async () => {
      const wrong = (() => answer) as never
      const { list, remove, write, lease } = guarded(factorsTable, {
        list: wrong,
        remove: wrong,
        write: wrong,
        lease: wrong,
      })
      const calls = [
        () => list('ada'),
        () => remove({ userId: 'ada' }),
        () => write(factor, 0),
        () => lease(factor, { version: 1, leaseId: 'x', seconds: 1 }),
      ]
      for (const call of calls) expect((await rejectionOf(call())).name).to.equal('AdapterError')
    })
  }

  it('gives a method its time, and no longer', async () => {
    const error = await rejectionOf(guarded(factorsTable, { list: () => new Promise(() => {}) }).list('ada'))
    expect(error.message).to.equal('The store of second factors failed (`list`).')
  })

  it('passes the columns of the table, and no others', async () => {
    const seen: unknown[] = []
    const note = (result: never) => (_table: RecordTable, given: unknown) => {
      seen.push(given)
      return result
    }
    const { write, find, remove } = guarded(factorsTable, {
      write: note(true as never),
      find: note(null as never),
      remove: note(1 as never),
    })
    const more = { ...factor, version: 7, more: 'x' }
    await write(more, 0)
    await find(more)
    await remove(more)
    expect(seen).to.deep.equal([factor, { userId: 'ada', id: 'b' }, { userId: 'ada', id: 'b' }])
  })

  it('leaves values out of what is logged, and tells the table', async () => {
    const fails = () => {
      throw new Error('no such table: auth_factors; row (somebody@example.com, sealed-secret)')
    }
    const call = guarded(factorsTable, { write: fails }).write(
      { ...factor, id: 'somebody@example.com', data: 'sealed-secret' },
      0,
    )
    const { cause } = (await rejectionOf(call)) as { cause?: { err?: Error } }
    expect(cause?.err?.message).to.equal('no such table: auth_factors; row ([value], [value])')
  })
})
