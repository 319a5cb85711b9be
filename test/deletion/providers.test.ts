/** The tokens of providers are revoked there, and a provider that fails keeps no user from being deleted. */
import { expect } from 'chai'
import { defineAuth, type ServerAuthConfig } from '../../lib/index.js'
import { type HostileProvider, startHostileProvider } from '../support/hostile-provider.js'
import { configOf, memoryPlace, seedUser } from './stage.js'

describe('tokens of deleted users', function () {
  this.timeout(20_000)
  let provider: HostileProvider
  let revoked: string[]
  before(async () => {
    provider = await startHostileProvider()
  })
  after(() => provider.close())
  beforeEach(() => {
    provider.reset()
    revoked = []
  })

  const answer = (reply: { status?: number; delay?: number }) => {
    provider.discovery.revocation_endpoint = `${provider.origin}/revoke`
    provider.routes.set('/revoke', ({ body }) => {
      revoked.push(body.token ?? '')
      return { body: {}, ...reply }
    })
  }
  const deleteOne = async (changes: Partial<ServerAuthConfig> = {}) => {
    const place = memoryPlace()
    const ann = await seedUser(place, 'ann')
    const auth = defineAuth({ ...configOf(place, 'jwt', provider.settings), ...changes })
    const began = performance.now()
    const deleted = await auth.users.delete(ann.id, { reason: 'x' })
    if (!deleted.ok) throw new Error(deleted.reason)
    expect(await place.dump()).not.to.include(ann.id)
    return { ann, results: deleted.report.providers, took: performance.now() - began }
  }

  it('DL-07 are revoked, those of accounts and of the vault', async () => {
    answer({})
    const { ann, results } = await deleteOne()
    expect(results).to.deep.equal([
      { provider: 'oidc', result: 'revoked' },
      { provider: 'oidc', result: 'revoked' },
    ])
    expect(revoked).to.have.members([`refresh-secret-of-${ann.id}`, ann.vaultToken])
  })

  it('DL-07 are reported if the provider fails', async () => {
    answer({ status: 500 })
    expect((await deleteOne()).results.map(({ result }) => result)).to.deep.equal(['failed', 'failed'])
  })

  it('DL-07 are waited for two seconds', async () => {
    answer({ delay: 8000 })
    const { results, took } = await deleteOne()
    expect(results.map(({ result }) => result)).to.deep.equal(['failed', 'failed'])
    expect(took).to.be.within(1900, 5000)
  })

  it('DL-07 are reported if the provider cannot revoke them, or is not configured any more', async () => {
    expect((await deleteOne()).results.map(({ result }) => result)).to.deep.equal(['unsupported', 'unsupported'])
    const { providers } = configOf(memoryPlace(), 'jwt')
    const { tokens: _tokens, ...without } = configOf(memoryPlace(), 'jwt')
    expect(without).not.to.have.property('tokens')
    const others = providers.filter((each) => Object(each).id !== 'oidc')
    expect((await deleteOne({ providers: others, tokens: undefined as never })).results).to.deep.equal([
      { provider: 'oidc', result: 'unsupported' },
    ])
  })
})
