/** A whole sign-in with Apple: the answer is a POST from Apple's site, and the name comes once, unsigned, beside it. */
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { inspect } from 'node:util'
import { expect } from 'chai'
import { jwtVerify } from 'jose'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import Apple, { type AppleOptions } from '../../lib/providers/apple.js'
import { customFetch } from '../../lib/types/symbols.js'
import { useStage } from '../flows/oauth/stage.js'
import { target } from '../support/app.js'
import { advanceClock, freezeClock, seconds } from '../support/clock.js'
import { thrownBy } from '../support/rejection.js'
import { answerAt, asked, lastRequest, openIdAnswers, reroute } from './internet.js'

const document = {
  issuer: 'https://appleid.apple.com',
  authorization_endpoint: 'https://appleid.apple.com/auth/authorize',
  token_endpoint: 'https://appleid.apple.com/auth/token',
  revocation_endpoint: 'https://appleid.apple.com/auth/revoke',
  jwks_uri: 'https://appleid.apple.com/auth/keys',
  response_types_supported: ['code'],
  response_modes_supported: ['query', 'fragment', 'form_post'],
  subject_types_supported: ['pairwise'],
  id_token_signing_alg_values_supported: ['RS256'],
  scopes_supported: ['openid', 'email', 'name'],
  token_endpoint_auth_methods_supported: ['client_secret_post'],
}
const crossSite = { origin: 'https://appleid.apple.com', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }
const firstTime = { name: { firstName: 'Ada', lastName: 'Lovelace' }, email: 'somebody-else@example.com' }

describe('Apple', () => {
  const stage = useStage()
  const given = { clientId: 'com.example.web', clientSecret: 'a.signed.jwt' }

  beforeEach(async () => {
    await stage.restart({}, { providers: [Apple({ ...given, [customFetch]: reroute(stage.provider) })] })
    stage.provider.person = {
      sub: '001234.a1b2c3.0456',
      email: 'x7k2@privaterelay.appleid.com',
      email_verified: 'true',
      is_private_email: 'true',
    }
    answerAt(stage.provider, openIdAnswers(stage.provider, document))
  })

  /** Apple's page posts; the browser has no cookie for that, and follows to our GET with them. */
  async function signIn(user?: unknown) {
    const answer = new URL(stage.provider.authorize(await stage.begin('apple'), { iss: null }))
    const fields = {
      ...Object.fromEntries(answer.searchParams),
      ...(user !== undefined && { user: typeof user === 'string' ? user : JSON.stringify(user) }),
    }
    const posted = await stage.app.browser().post(answer.pathname, fields, crossSite)
    expect(posted.status).to.equal(303)
    return stage.browser.get(target(posted))
  }

  it('signs in for the first time, with the name of the form and the address of the id_token', async () => {
    await stage.expectSignedIn(await signIn(firstTime))
    const [told] = stage.signedIn
    expect(told?.user).to.include({ name: 'Ada Lovelace', email: 'x7k2@privaterelay.appleid.com' })
    expect(told?.account).to.include({ provider: 'apple', providerAccountId: '001234.a1b2c3.0456' })
  })

  it('signs in again as the same user, without a name', async () => {
    await stage.expectSignedIn(await signIn(firstTime))
    stage.newBrowser()
    await stage.expectSignedIn(await signIn())
    const [first, second] = stage.signedIn.map(({ user }) => user.id)
    expect(second).to.equal(first)
    expect(stage.signedIn[1]?.user.name).to.equal('x7k2@privaterelay.appleid.com')
  })

  it('sends the secret in the body, and no PKCE', async () => {
    await stage.expectSignedIn(await signIn())
    const { headers, body } = lastRequest(stage.provider, 'appleid.apple.com/auth/token')
    expect(headers).not.to.have.property('authorization')
    expect(body).to.include({ client_id: 'com.example.web', client_secret: 'a.signed.jwt' })
    expect(body).not.to.have.property('code_verifier')
    expect(asked(stage.provider)).to.deep.equal([
      'appleid.apple.com/.well-known/openid-configuration',
      'appleid.apple.com/auth/token',
      'appleid.apple.com/auth/keys',
    ])
  })

  for (const [what, user] of [
    ['no JSON', '{"name":'],
    ['a text', '"Ada"'],
    ['null', 'null'],
    ['an array', []],
    ['without a name', { email: 'somebody-else@example.com' }],
    ['with a name that is null', { name: null }],
    ['with a name that is a text', { name: 'Ada' }],
    ['with parts that are no texts', { name: { firstName: { a: 1 }, lastName: 7 } }],
    ['with empty parts', { name: { firstName: '', lastName: '' } }],
  ] as const) {
    it(`signs in with a field \`user\` that is ${what}`, async () => {
      await stage.expectSignedIn(await signIn(user))
      expect(stage.signedIn[0]?.user).to.include({
        name: 'x7k2@privaterelay.appleid.com',
        email: 'x7k2@privaterelay.appleid.com',
      })
    })
  }

  it('takes neither identity nor address from the form', async () => {
    const forged = { ...firstTime, sub: 'victim', id: 'victim', email: 'victim@example.com', email_verified: true }
    await stage.expectSignedIn(await signIn(forged))
    const [told] = stage.signedIn
    expect(told?.account?.providerAccountId).to.equal('001234.a1b2c3.0456')
    expect(told?.user.email).to.equal('x7k2@privaterelay.appleid.com')
    expect(told?.profile).to.include({ sub: '001234.a1b2c3.0456', email: 'x7k2@privaterelay.appleid.com' })
  })

  it('takes a name without an address', async () => {
    stage.provider.person = { sub: '001234.a1b2c3.0456' }
    await stage.expectSignedIn(await signIn(firstTime))
    expect(stage.signedIn[0]?.user).to.include({ name: 'Ada Lovelace', email: null })
  })

  it('reports a cancellation by the user', async () => {
    const answer = new URL(stage.provider.authorize(await stage.begin('apple'), { iss: null, code: null }))
    const fields = { state: answer.searchParams.get('state') ?? '', error: 'user_cancelled_authorize' }
    const posted = await stage.app.browser().post(answer.pathname, fields, crossSite)
    const response = await stage.browser.get(target(posted))
    await stage.expectCancelled(response)
  })

  it('refuses an id_token of another sign-in', async () => {
    answerAt(
      stage.provider,
      openIdAnswers(stage.provider, document, ({ body }) =>
        stage.provider.tokens(body, { iss: document.issuer, nonce: 'x' }),
      ),
    )
    await stage.expectRefused(await signIn(), 'OAuthCallbackError', /"nonce"/)
  })

  for (const [said, proved] of [
    ['true', true],
    [true, true],
    ['false', false],
    [false, false],
    [undefined, false],
  ] as const) {
    it(`takes ${JSON.stringify(said)} for ${proved ? 'a proof' : 'no proof'} of the address`, async () => {
      stage.provider.person = { sub: '001234.a1b2c3.0456', email: 'ada@example.com', email_verified: said }
      const provider = Apple({ ...given, [customFetch]: reroute(stage.provider) })
      await stage.restart({}, { providers: [provider], adapter: memoryAdapter() })
      await stage.expectSignedIn(await signIn())
      const user: object = stage.signedIn[0]?.user ?? {}
      expect('emailVerified' in user && user.emailVerified instanceof Date).to.equal(proved)
    })
  }

  describe('with a client secret made of the key', () => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const pem = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }).toString()
    const parts = { teamId: 'A1B2C3D4E5', keyId: 'ABC123DEFG', privateKey: pem(privateKey) }

    async function start(options: AppleOptions) {
      const provider = Apple({ clientId: given.clientId, ...options, [customFetch]: reroute(stage.provider) })
      await stage.restart({}, { providers: [provider] })
    }

    function sentSecret(): string {
      return lastRequest(stage.provider, 'appleid.apple.com/auth/token').body.client_secret ?? ''
    }

    for (const [how, text] of [
      ['', pem(privateKey)],
      [', with its lines joined as in an environment variable', pem(privateKey).replaceAll('\n', '\\n')],
    ] as const) {
      it(`sends what Apple asks for${how}`, async () => {
        await start({ ...parts, privateKey: text })
        await stage.expectSignedIn(await signIn())
        const { payload, protectedHeader } = await jwtVerify(sentSecret(), publicKey, {
          algorithms: ['ES256'],
          audience: 'https://appleid.apple.com',
          issuer: parts.teamId,
          subject: given.clientId,
        })
        expect(protectedHeader).to.deep.equal({ alg: 'ES256', kid: parts.keyId })
        const { iat = 0, exp = 0, ...others } = payload
        expect(Math.abs(iat - seconds())).to.be.below(60)
        expect(exp - iat).to.be.within(60, 15_777_000)
        expect(Object.keys(others).sort()).to.deep.equal(['aud', 'iss', 'sub'])
      })
    }

    it('sends the same one for a while, and never one that has ended', () => {
      freezeClock()
      const make = (clientId = 'com.example.web') => {
        const { token } = provider
        return typeof token === 'object' ? (token.clientSecret?.({ clientId }) ?? '') : ''
      }
      const provider = Apple(parts)
      const expires = (jwt: string) => JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString()).exp
      const first = make()
      advanceClock(60)
      expect(make()).to.equal(first)
      for (let hours = 0; hours < 3; hours += 0.25) {
        expect(expires(make())).to.be.above(seconds() + 60)
        advanceClock(15 * 60)
      }
      expect(make()).not.to.equal(first)
      // A clock that was wrong and is set back: a secret of the future would be refused.
      advanceClock(-24 * 60 * 60)
      expect(expires(make())).to.be.below(seconds() + 24 * 60 * 60)
      expect(make('com.example.other')).not.to.equal(make())
    })

    it('is made for the id of the environment', async () => {
      process.env.AUTH_APPLE_ID = 'com.example.environment'
      try {
        await stage.restart({}, { providers: [Apple({ ...parts, [customFetch]: reroute(stage.provider) })] })
      } finally {
        delete process.env.AUTH_APPLE_ID
      }
      await stage.expectSignedIn(await signIn())
      await jwtVerify(sentSecret(), publicKey, { subject: 'com.example.environment' })
    })

    it('is not used if there is a `clientSecret`', async () => {
      await start({ ...parts, clientSecret: 'a.signed.jwt' })
      await stage.expectSignedIn(await signIn())
      expect(sentSecret()).to.equal('a.signed.jwt')
    })

    it('logs neither key nor secret where Apple repeats it', async () => {
      await start(parts)
      answerAt(stage.provider, {
        'appleid.apple.com/auth/token': ({ body }) => ({
          status: 400,
          body: { error: 'invalid_client', error_description: body.client_secret },
        }),
      })
      await stage.expectRefused(await signIn(), 'OAuthCallbackError', /invalid_client \(\[redacted\]\)/)
      const logged = inspect(stage.app.log.errors, { depth: 10, showHidden: true })
      expect(sentSecret()).to.have.lengthOf.above(100)
      expect(logged).not.to.include(sentSecret()).and.not.include('PRIVATE KEY')
    })

    const { privateKey: p384 } = generateKeyPairSync('ec', { namedCurve: 'P-384' })
    const { privateKey: ed25519 } = generateKeyPairSync('ed25519')
    const wrong: ReadonlyArray<[what: string, options: AppleOptions, reason: RegExp]> = [
      ['no team', { ...parts, teamId: undefined }, /Apple: `teamId` is missing/],
      ['an empty key id', { ...parts, keyId: '' }, /Apple: `keyId` is missing/],
      ['no key', { teamId: 'A1B2C3D4E5' }, /Apple: `keyId` is missing/],
      ['an empty key', { ...parts, privateKey: '' }, /Apple: `privateKey` is missing/],
      ['a path', { ...parts, privateKey: './AuthKey_ABC123DEFG.p8' }, /`privateKey` must be the text of the \.p8 file/],
      ['a public key', { ...parts, privateKey: publicKey.export({ type: 'spki', format: 'pem' }).toString() }, /\.p8/],
      ['a key for another curve', { ...parts, privateKey: pem(p384) }, /an EC key for P-256 in PEM/],
      ['a key of another kind', { ...parts, privateKey: pem(ed25519) }, /an EC key for P-256 in PEM/],
    ]
    for (const [what, options, reason] of wrong) {
      it(`throws at construction for ${what}`, () => {
        const error = thrownBy(() => Apple({ clientId: given.clientId, ...options }))
        expect(error).to.be.instanceOf(TypeError)
        expect(error.message).to.match(reason)
      })
    }
  })
})
