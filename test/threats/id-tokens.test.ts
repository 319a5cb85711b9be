/** Faults of an id_token that no other suite has. The rest is in `test/flows/oauth/id-token.test.ts`. */
import { createHash } from 'node:crypto'
import { expect } from 'chai'
import { tokenHash } from '../../lib/crypto/hash.js'
import { useStage } from '../flows/oauth/stage.js'
import type { Reply, SignOptions } from '../support/hostile-provider.js'

describe('ID-07 id_token with `at_hash`', () => {
  const stage = useStage()

  /** Returns a correct answer whose id_token names the access token that `name` makes of the real one. */
  function naming(name: (accessToken: string) => unknown, options: SignOptions = {}) {
    stage.provider.onToken = async (body): Promise<Reply> => {
      const access = 'access-token-of-the-answer'
      const reply = await stage.provider.tokens(body, { at_hash: name(access) }, options)
      return { body: { ...(reply.body as object), access_token: access } }
    }
  }
  const leftHalf = (token: string) => createHash('sha256').update(token).digest().subarray(0, 16).toString('base64url')

  for (const alg of ['RS256', 'ES256'] as const) {
    it(`accepts the hash of the access token (${alg})`, async () => {
      naming(leftHalf, { alg })
      await stage.expectSignedIn(await stage.signIn())
    })
  }

  for (const [what, name] of [
    ['the hash of another access token', () => leftHalf('an access token of another person')],
    ['the whole hash', (token: string) => createHash('sha256').update(token).digest('base64url')],
    ['no text', () => 1],
    ['empty text', () => ''],
    ['null', () => null],
  ] as const) {
    it(`rejects ${what}`, async () => {
      naming(name)
      await stage.expectRefused(await stage.signIn(), 'OAuthCallbackError', /unexpected "at_hash"/)
    })
  }

  it('accepts a token without it: in the code flow it is optional', async () => {
    naming(() => undefined)
    await stage.expectSignedIn(await stage.signIn())
  })

  it('knows the hash of each algorithm, and says so where it does not', () => {
    const lengths = Object.fromEntries(
      ['RS256', 'PS384', 'ES512', 'HS256', 'EdDSA', 'Ed25519', 'ES256K', 'none', 'constructor'].map((alg) => [
        alg,
        Buffer.from(tokenHash(alg, 'x') ?? '', 'base64url').length,
      ]),
    )
    expect(lengths).to.deep.equal({
      RS256: 16,
      PS384: 24,
      ES512: 32,
      HS256: 16,
      EdDSA: 32,
      Ed25519: 32,
      ES256K: 0,
      none: 0,
      constructor: 0,
    })
  })
})
