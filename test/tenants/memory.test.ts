/** The memories of a process, by the number of its tenants. */
import { expect } from 'chai'
import { clearSiteMemories, siteMemory } from '../../lib/base/memory.js'
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
})
