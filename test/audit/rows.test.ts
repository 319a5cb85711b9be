/** Tests of the rows of events whose facts a client may have written. */
import { expect } from 'chai'
import { auditFactsOf, createRowMaker } from '../../lib/audit/rows.js'

describe('the rows of the audit log', () => {
  const detailOf = (sub: unknown): unknown => {
    const token = { sid: 's', auth_time: 1, sub } as unknown as { sub: string }
    return JSON.parse(createRowMaker()('signOut', auditFactsOf.signOut({ token, request: {} })).detail)
  }

  it('keep a token’s `sub` only if it can be an id', () => {
    expect(detailOf('ann')).to.deep.equal({ sub: 'ann' })
    for (const sub of ['x'.repeat(10_000), { name: 'Ann' }, ['ann'], 7, '']) {
      expect(detailOf(sub), JSON.stringify(sub).slice(0, 30)).to.deep.equal({})
    }
  })

  it('name the network of an address, and no address, however it is spelled', () => {
    const networkOf = (ip: string) => createRowMaker()('signIn', { request: { ip } }).network
    for (const [ip, network] of [
      ['203.0.113.9', '203.0.113.0/24'],
      ['203.0.113.9:4711', '203.0.113.0/24'],
      ['::ffff:203.0.113.9', '203.0.113.0/24'],
      ['[2001:db8:1:2::9]:443', '2001:db8:1::/48'],
      ['2001:DB8:0:0:0:0:0:9%eth0', '2001:db8::/48'],
      ['unknown', null],
      ["'; drop table auth_audit; --", null],
      ['999.1.1.1', null],
      ['203.0.113.9, 10.0.0.1', null],
    ] as const) {
      expect(networkOf(ip), ip).to.equal(network)
    }
  })
})
