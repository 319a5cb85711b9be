/** API keys of an organization whose connection is required: they are created only in a session that has proved it. */
import { expect } from 'chai'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import { resolveConfig } from '../../lib/config/resolve.js'
import { connectionsTable } from '../../lib/features/connections/description.js'
import { isConfirmed } from '../../lib/features/connections/store.js'
import { openWorld, stagesOf, type World } from './stage.js'

describe('API keys of an organization with a required connection', () => {
  let world: World
  before(async () => {
    world = await openWorld()
  })
  after(() => world.close())

  it('CN-10 need a proof by the connection, unless the user is exempt', async () => {
    const adapter = memoryAdapter()
    const stage = await stagesOf(() => world).express('jwt')({ adapter })
    try {
      const owner = await stage.signIn('owner@acme.example')
      stage.members.set(owner.userId, 'acme', 'owner')
      const id = await stage.connect(owner.browser, 'acme')
      const config = resolveConfig(stage.config)
      const proof = { method: 'provider', at: 1, of: 'user', by: id, amr: [] } as const
      const ask = (by: string) => isConfirmed(config, { userId: 'ann', proofs: [{ ...proof, by }] }, 'acme')
      expect(await ask('github')).to.equal(true)
      const { records } = adapter.store()
      const { version, ...row } = (await records.find(connectionsTable, { id })) ?? {}
      await records.write(connectionsTable, { ...row, policy: 'required' }, Number(version))
      expect([await ask('github'), await ask(id)]).to.deep.equal([false, true])
      await records.write(connectionsTable, { ...row, policy: 'required', exempt: '["ann"]' }, Number(version) + 1)
      expect(await ask('github')).to.equal(true)
    } finally {
      await stage.close()
    }
  })
})
