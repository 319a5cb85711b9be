/** Links among the records of a store. The suites of each link show the rest. */
import { expect } from 'chai'
import { memoryStore } from '../../lib/adapters/memory/index.js'
import { passwordAttemptsTable } from '../../lib/features/passwords/description.js'
import { checkLink, createLink, linkRecords, spendLink } from '../../lib/links/index.js'
import { guardRecords } from '../../lib/store/guard.js'
import { rejectionOf } from '../support/rejection.js'

describe('single-use links among records', () => {
  const isRefused = async (work: Promise<unknown>) => (await rejectionOf(work)).name === 'Verification'
  const records = guardRecords(memoryStore().records, passwordAttemptsTable, { keeps: 'links', timeout: 100 })
  const place = linkRecords(records, { key: 'ann' })
  const linkOf = (hash: string) => ({ hashes: ['of a newer secret', hash], place })

  it('a newer link that is taken between two calls stays valid', async () => {
    await createLink({ hashes: ['one'], place }, 60)
    const take: typeof records.take = async (key) => {
      await createLink({ hashes: ['two'], place }, 60)
      return records.take(key)
    }
    const late = { ...linkOf('one'), place: linkRecords({ ...records, take }, { key: 'ann' }) }
    expect(await isRefused(spendLink(late))).to.equal(true)
    await spendLink(linkOf('two'))
    expect(await isRefused(spendLink(linkOf('two')))).to.equal(true)
  })

  it('an expired link is refused', async () => {
    await createLink({ hashes: ['one'], place }, 0)
    expect(await isRefused(checkLink(linkOf('one')))).to.equal(true)
    expect(await isRefused(spendLink(linkOf('one')))).to.equal(true)
  })
})
