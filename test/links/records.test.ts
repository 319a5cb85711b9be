/** Links among the records of a store, in every order of two calls that makes a difference. */
import { expect } from 'chai'
import { memoryStore } from '../../lib/adapters/memory/index.js'
import { checkLink, createLink, spendLink } from '../../lib/links/index.js'
import { linkRecords } from '../../lib/links/places.js'
import { recordsOf } from '../../lib/store/records-of.js'
import { passwordAttemptsTable } from '../../lib/store/tables.js'
import { rejectionOf } from '../support/rejection.js'

describe('single-use links among records', () => {
  const isRefused = async (work: Promise<unknown>) => (await rejectionOf(work)).name === 'Verification'
  const stage = () => {
    const records = recordsOf(memoryStore().records, passwordAttemptsTable, { keeps: 'links', timeout: 100 })
    const place = linkRecords(records, { key: 'ann', identifier: 'reset:ann' })
    return {
      records,
      place,
      linkOf: (hash: string, at = place) => ({ hashes: ['of a newer secret', hash], place: at }),
    }
  }

  it('a newer link that is taken between two calls stays valid', async () => {
    const { records, place, linkOf } = stage()
    await createLink({ hashes: ['one'], place }, 60)
    const take: typeof records.take = async (key) => {
      await createLink({ hashes: ['two'], place }, 60)
      return records.take(key)
    }
    const late = linkRecords({ ...records, take }, { key: 'ann' })
    expect(await isRefused(spendLink(linkOf('one', late)))).to.equal(true)
    await spendLink(linkOf('two'))
    expect(await isRefused(spendLink(linkOf('two')))).to.equal(true)
  })

  it('a link that was replaced is refused, and leaves the newer one', async () => {
    const { place, linkOf } = stage()
    for (const hash of ['one', 'two']) await createLink({ hashes: [hash], place }, 60)
    expect(await isRefused(checkLink(linkOf('one')))).to.equal(true)
    expect(await isRefused(spendLink(linkOf('one')))).to.equal(true)
    await checkLink(linkOf('two'))
  })

  it('an expired link is refused', async () => {
    const { place, linkOf } = stage()
    await createLink({ hashes: ['one'], place }, 0)
    expect(await isRefused(checkLink(linkOf('one')))).to.equal(true)
    expect(await isRefused(spendLink(linkOf('one')))).to.equal(true)
  })

  it('links without a key are each valid, once', async () => {
    const { records } = stage()
    const linkOf = (hash: string) => ({ hashes: [hash], place: linkRecords(records, { data: 'kept' }) })
    for (const hash of ['one', 'two']) await createLink(linkOf(hash), 60)
    expect((await checkLink(linkOf('one'))).data).to.equal('kept')
    for (const hash of ['one', 'two']) await spendLink(linkOf(hash))
    expect(await isRefused(spendLink(linkOf('one')))).to.equal(true)
  })
})
