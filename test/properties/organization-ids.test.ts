/** Ids of organizations, as guards and `setActive` get them from clients. */
import { expect } from 'chai'
import fc from 'fast-check'
import { Memberships } from '../../lib/features/organizations/store.js'
import { text } from '../fuzz/hostile.js'
import { properties } from './runs.js'

const ids = fc.oneof(
  { weight: 3, arbitrary: text(300) },
  { weight: 2, arbitrary: fc.string({ unit: 'grapheme', maxLength: 110 }) },
  { weight: 1, arbitrary: fc.constantFrom('acme', 'ACME', 'acme ', 'acme\n', ['acme'], { toString: () => 'acme' }) },
  { weight: 1, arbitrary: fc.anything() },
)

describe('the id of an organization', () => {
  it('OG-04 is the text that the application was asked about, cached or not', async () => {
    const asked: unknown[] = []
    const options = {
      membership(userId: string, id: string) {
        asked.push(id)
        return userId === 'ann' && id !== 'closed' ? { role: `member of ${id}` } : null
      },
    }
    const memberships = new Memberships({ options, roles: new Map(), cacheFor: 60_000, timeout: 1000 })
    const property = fc.asyncProperty(ids, fc.boolean(), async (id, isFresh) => {
      asked.length = 0
      const [member, again, other] = [
        await memberships.memberOf('ann', id, { isFresh }),
        await memberships.memberOf('ann', id, { isFresh: false }),
        await memberships.memberOf('bob', id, { isFresh }),
      ]
      expect([again, other]).to.deep.equal([member, null])
      if (member) expect(member).to.deep.equal({ id, role: `member of ${id}` })
      else expect(asked.filter((each) => each !== 'closed')).to.deep.equal([])
      for (const each of asked) {
        expect(each).to.equal(id).and.to.match(/^\S+$/).and.not.match(/\p{C}/u)
        expect([...String(each)]).to.have.length.within(1, 100)
      }
    })
    await properties(property)
  })
})
