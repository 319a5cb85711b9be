import { expect } from 'chai'
import { seal, unseal } from '../../lib/crypto/seal.js'
import { openTokens, sealTokens } from '../../lib/features/tokens/seal.js'
import { flipBit } from '../support/jwe.js'

const secrets = ['a-test-secret-of-more-than-32-characters']
const owner = { provider: 'github', providerAccountId: '42', userId: 'u1' }
const tokens = {
  access_token: 'at-1',
  refresh_token: 'rt-1',
  token_type: 'bearer' as const,
  scope: 'repo',
  expires_at: 2_000_000_000,
}

describe('sealTokens and openTokens', () => {
  it('give the tokens of the account back, and nothing else of the set', async () => {
    const sealed = await sealTokens({ ...tokens, session_state: 'x', userId: 'u2', id_token: null }, owner, secrets)
    expect(sealed).to.not.include('at-1')
    expect(await openTokens(sealed, owner, secrets)).to.deep.equal(tokens)
  })

  for (const other of [{ provider: 'gitlab' }, { providerAccountId: '43' }, { userId: 'u2' }]) {
    it(`AZ-01 refuse a row that was moved to another ${Object.keys(other)[0]}`, async () => {
      const sealed = await sealTokens(tokens, owner, secrets)
      expect(await openTokens(sealed, { ...owner, ...other }, secrets)).to.equal(null)
    })
  }

  it('seal under the first secret, and open under each', async () => {
    const sealed = await sealTokens(tokens, owner, secrets)
    expect(await openTokens(sealed, owner, ['newer', ...secrets])).to.deep.equal(tokens)
    expect(await openTokens(sealed, owner, ['newer'])).to.equal(null)
    const renewed = await sealTokens(tokens, owner, ['newer', ...secrets])
    expect(await openTokens(renewed, owner, secrets)).to.equal(null)
  })

  it('PC-03 open nothing that was sealed for another purpose, and are opened by none', async () => {
    const sealed = await sealTokens(tokens, owner, secrets)
    expect(await unseal('provider-session', sealed, secrets)).to.equal(null)
    const foreign = await seal('provider-session', { ...owner, tokens }, { secrets, maxAge: 60 })
    expect(await openTokens(foreign, owner, secrets)).to.equal(null)
  })

  it('refuse a sealed text in which a bit was changed', async () => {
    const sealed = await sealTokens(tokens, owner, secrets)
    expect(await openTokens(flipBit(sealed, 3), owner, secrets)).to.equal(null)
  })
})
