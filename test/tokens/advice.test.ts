/** The warnings and errors for mistakes of a developer, before a user is affected. */

import { expect } from 'chai'
import { memoryStore } from '../../lib/adapters/memory/index.js'
import { redact } from '../../lib/base/logger.js'
import { requireConnection } from '../../lib/features/tokens/require-connection.js'
import type { TokensOfUser } from '../../lib/features/tokens/types.js'
import { expressFunctions } from '../../lib/functions/on-express.js'
import type { SessionRequest } from '../../lib/get-session.js'
import type { ServerAuthConfig } from '../../lib/index.js'
import { secret } from '../support/app.js'
import type { DoorApp } from '../support/doors.js'
import { type RotatingProvider, signInAt, startRotatingProvider, tokenDoors } from './stage.js'

describe('the warning no-refresh-token', () => {
  let provider: RotatingProvider
  let app: DoorApp | undefined
  beforeEach(async () => {
    provider = await startRotatingProvider()
    provider.gives = false
  })
  afterEach(async () => {
    await app?.close()
    app = undefined
    await provider.hostile.close()
  })

  /** The warnings of two sign-ins. */
  async function warnings(own: object = {}): Promise<string[]> {
    const test = { id: 'test', name: 'Test', type: 'oidc' as const, ...provider.hostile.settings, ...own }
    app = await tokenDoors.express({ providers: [test], tokens: { store: memoryStore() } })
    await signInAt(app.browser(), provider)
    await signInAt(app.browser(), provider)
    return app.log.warnings.filter(({ code }) => code === 'no-refresh-token').map(({ details }) => String(details[0]))
  }

  it('comes once where a token ends and cannot be renewed, and says how to get one', async () => {
    const [first, ...others] = await warnings()
    expect(first).to.include('"test"').and.include('offline_access').and.include('`refresh: false`')
    expect(redact(first ?? '')).to.equal(first)
    expect(others).to.deep.equal([])
  })

  it('says what is missing where the scope was asked for in vain', async () => {
    const params = { scope: 'openid profile email offline_access' }
    expect((await warnings({ authorization: { params } }))[0]).to.include('Add `prompt: "consent"`')
  })

  for (const [what, prepare] of Object.entries<() => object>({
    'a refresh token came': () => {
      provider.gives = true
      return {}
    },
    'the token has no known end': () => {
      provider.life = undefined
      return {}
    },
    'none is wanted': () => ({ refresh: false }),
    'one is asked for later': () => ({ incrementalScopes: ['offline_access', 'calendar'] }),
  })) {
    it(`does not come where ${what}`, async () => {
      expect(await warnings(prepare())).to.deep.equal([])
    })
  }
})

describe('mistakes in calls about provider tokens', () => {
  const test = {
    id: 'test',
    name: 'Test',
    type: 'oidc' as const,
    issuer: 'https://id.example.com',
    clientId: 'c',
    clientSecret: 's',
    incrementalScopes: ['calendar'],
  }
  const config: ServerAuthConfig = { secret, providers: [test], tokens: { store: memoryStore() } }
  const ada = { userId: 'ada' }

  async function failure(work: Promise<unknown>): Promise<unknown> {
    return work.then(
      () => undefined,
      (error) => error,
    )
  }

  for (const scope of ['calendar', ['calendar mail'], ['a,b'], [7], ['']]) {
    it(`is told that the scope is no list: ${JSON.stringify(scope)}`, async () => {
      const wrong = { provider: 'test', scope: scope as string[] }
      const error = await failure(expressFunctions(config).tokens.get(ada, wrong))
      expect(error).to.be.instanceOf(TypeError).with.property('message').that.includes('must be a list of names')
      expect(() => requireConnection(config, wrong)).to.throw(TypeError, JSON.stringify(scope))
    })
  }

  it('a guard with a scope outside of incrementalScopes throws when it is created', () => {
    expect(() => requireConnection(config, { provider: 'test', scope: ['mail'] })).to.throw(/"mail".*incrementalScopes/)
    expect(() => requireConnection(config, { provider: 'test', scope: ['calendar', 'openid'] })).to.not.throw()
  })

  for (const of of [undefined, null, 'ada', { userId: '' }, { userId: 7 }]) {
    it(`is asked whose tokens are meant: ${JSON.stringify(of)}`, async () => {
      const error = await failure(
        expressFunctions(config).tokens.get(of as unknown as SessionRequest | TokensOfUser, { provider: 'test' }),
      )
      expect(error).to.be.instanceOf(TypeError).with.property('message').that.includes('userId')
    })
  }

  it('a URL to which a token must not be sent throws', async () => {
    const error = await failure(
      expressFunctions(config).tokens.fetch(ada, { provider: 'test' })('http://api.example.com/'),
    )
    expect(error).to.be.instanceOf(TypeError).with.property('message').that.includes('https only')
    expect(error).to.have.property('message').that.includes('http://api.example.com')
  })
})
