/** A whole sign-in with LINE, whose id_tokens are signed with the channel secret (HS256). */
import { expect } from 'chai'
import Line from '../../lib/providers/line.js'
import { customFetch } from '../../lib/types/symbols.js'
import { useStage } from '../flows/oauth/stage.js'
import type { SignOptions } from '../support/hostile-provider.js'
import { answerAt, asked, lastRequest, openIdAnswers, reroute } from './internet.js'

const channelSecret = '0a1b2c3d4e5f60718293a4b5c6d7e8f9'
const document = {
  issuer: 'https://access.line.me',
  authorization_endpoint: 'https://access.line.me/oauth2/v2.1/authorize',
  token_endpoint: 'https://api.line.me/oauth2/v2.1/token',
  userinfo_endpoint: 'https://api.line.me/oauth2/v2.1/userinfo',
  jwks_uri: 'https://api.line.me/oauth2/v2.1/certs',
  response_types_supported: ['code'],
  subject_types_supported: ['pairwise'],
  // The algorithms in LINE's document. Its web channels sign with HS256 all the same.
  id_token_signing_alg_values_supported: ['ES256'],
  code_challenge_methods_supported: ['S256'],
}
const person = {
  sub: 'U1234567890abcdef1234567890abcdef',
  name: 'ラブレス',
  picture: 'https://profile.line-scdn.net/0h1',
  email: 'ada@example.com',
  amr: ['linesso'],
}

describe('LINE', () => {
  const stage = useStage()

  beforeEach(async () => {
    const given = { clientId: '1234567890', clientSecret: channelSecret }
    await stage.restart({}, { providers: [Line({ ...given, [customFetch]: reroute(stage.provider) })] })
    stage.provider.person = person
  })

  async function signIn(options: SignOptions, claims: object = {}) {
    answerAt(
      stage.provider,
      openIdAnswers(stage.provider, document, ({ body }) =>
        stage.provider.tokens(body, { iss: document.issuer, ...claims }, { kid: null, ...options }),
      ),
    )
    return stage.browser.get(stage.provider.authorize(await stage.begin('line'), { iss: null }))
  }

  it('signs in', async () => {
    await stage.expectSignedIn(await signIn({ alg: 'HS256', secret: channelSecret }))
    expect(asked(stage.provider)).to.deep.equal([
      'access.line.me/.well-known/openid-configuration',
      'api.line.me/oauth2/v2.1/token',
    ])
    expect(stage.signedIn[0]?.user).to.include({ name: person.name, email: person.email, image: person.picture })
    expect(stage.signedIn[0]?.account).to.include({ provider: 'line', providerAccountId: person.sub })
    expect(lastRequest(stage.provider, 'api.line.me/oauth2/v2.1/token').body.code_verifier).to.match(/^[\w-]{43}$/)
  })

  for (const [what, options] of [
    ['another secret', { alg: 'HS256', secret: 'another-secret-of-the-same-length' }],
    ['a published RSA key', { alg: 'RS256' }],
    ['a published EC key', { alg: 'ES256' }],
    ['nothing at all', { alg: 'none' }],
  ] as const) {
    it(`refuses an id_token signed with ${what}`, async () => {
      const response = await signIn(options as SignOptions)
      await stage.expectRefused(response, 'OAuthCallbackError', /signature|"alg"|unsupported|unexpected/i)
    })
  }

  for (const [what, claims, reason] of [
    ['another channel', { aud: '999' }, /"aud"/],
    ['another sign-in', { nonce: 'x' }, /"nonce"/],
    ['no sign-in', { nonce: undefined }, /nonce/],
    ['another issuer', { iss: 'https://evil.test' }, /"iss"/],
    ['long ago', { exp: 1 }, /"exp"/],
  ] as const) {
    it(`refuses an id_token for ${what}`, async () => {
      const response = await signIn({ alg: 'HS256', secret: channelSecret }, claims)
      await stage.expectRefused(response, 'OAuthCallbackError', reason)
    })
  }
})
