import { expect } from 'chai'
import { memoryTokens } from '../../lib/adapters/memory/index.js'
import { type Provider, ServerAuth, type ServerAuthConfig } from '../../lib/index.js'
import GitHub from '../../lib/providers/github.js'
import { credentials, secret } from '../support/app.js'

const provider = { ...GitHub({ clientId: 'id', clientSecret: 'secret' }) } as Provider

function configured(tokens: unknown, providers: Provider[] = [provider]): () => unknown {
  return () => ServerAuth({ secret, providers, tokens } as ServerAuthConfig)
}

describe('the option tokens', () => {
  for (const store of [memoryTokens(), 'cookie']) {
    it(`takes ${typeof store === 'string' ? store : 'a store'}`, () => {
      expect(configured({ store })).to.not.throw()
    })
  }

  const wrong: ReadonlyArray<[what: string, tokens: unknown, message: RegExp]> = [
    ['a store in the place of the option', memoryTokens(), /tokens: \{ store: sqlTokens\(db\) \}/],
    ['no store', {}, /tokens\.store.*sqlTokens/],
    ['a word', { store: 'cookies' }, /tokens\.store/],
    ['a store without a lease', { store: { ...memoryTokens(), lease: undefined } }, /with lease/],
    ['another option', { store: 'cookie', maxAge: 3 }, /maxAge/],
    ['a boolean', true, /must be \{ store \}/],
  ]
  for (const [what, tokens, message] of wrong) {
    it(`refuses ${what}, and says what to write`, () => {
      expect(configured(tokens)).to.throw(message).with.property('type', 'InvalidConfiguration')
    })
  }

  it('refuses to keep tokens where no provider gives any', () => {
    expect(configured({ store: 'cookie' }, [credentials()])).to.throw(/tokens/)
  })

  it('refuses a wrong refresh of a provider', () => {
    const bad = { ...provider, refresh: true } as unknown as Provider
    expect(configured({ store: 'cookie' }, [bad])).to.throw(/refresh.*false or \{ minTtl \}/)
  })
})
