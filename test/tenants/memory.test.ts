/** The memories of a process, by the number of its tenants. */
import { expect } from 'chai'
import { clearSiteMemories, siteMemory } from '../../lib/base/memory.js'
import { normalizeHost } from '../../lib/tenants/host.js'
import { heapReader } from '../support/heap.js'
import { createTenants } from './stage.js'

describe('the memory of a process with many tenants', () => {
  afterEach(clearSiteMemories)

  it('TN-15 remembers ten times as many sites as engines, and 1,000 at least', async () => {
    const { auth } = createTenants({ max: 2000 })
    await auth.of('first')
    const known = siteMemory('the first secret', 'cookie')
    for (let index = 0; index < 19_000; index += 1) siteMemory(`secret ${index}`, 'cookie')
    expect(siteMemory('the first secret', 'cookie')).to.equal(known)
    for (let index = 0; index < 20_000; index += 1) siteMemory(`other secret ${index}`, 'cookie')
    expect(siteMemory('the first secret', 'cookie')).to.not.equal(known)
  })

  it('TN-14 keeps none of the headers and paths that hosts and ids are parts of', async () => {
    const { auth } = createTenants({ load: () => null })
    const readHeap = heapReader()
    const before = readHeap()
    for (let index = 0; index < 3_000; index += 1) {
      const header = Buffer.from(`unknown-host-${index}.test,${'x'.repeat(16_000)}`).toString()
      expect(normalizeHost(header.split(',')[0])).to.be.a('string')
      const path = Buffer.from(`unknown-tenant-${index}/${'x'.repeat(16_000)}`).toString()
      await auth.of(path.split('/')[0] ?? '').catch(() => {})
    }
    expect(readHeap() - before).to.be.below(20_000_000)
    // The tenants are in use until here.
    auth.invalidate('unknown')
  })
})
