/** A whole sign-in with Apple: the answer is a POST from Apple's site, and the name comes once, unsigned, beside it. */
import { expect } from 'chai'
import Apple from '../../lib/providers/apple.js'
import { customFetch } from '../../lib/symbols.js'
import { useStage } from '../flows/oauth/stage.js'
import { target } from '../support/app.js'
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

  beforeEach(async () => {
    const given = { clientId: 'com.example.web', clientSecret: 'a.signed.jwt' }
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

  it('signs in again as the same person, without a name', async () => {
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

  it('takes a refusal of the person', async () => {
    const answer = new URL(stage.provider.authorize(await stage.begin('apple'), { iss: null, code: null }))
    const fields = { state: answer.searchParams.get('state') ?? '', error: 'user_cancelled_authorize' }
    const posted = await stage.app.browser().post(answer.pathname, fields, crossSite)
    const response = await stage.browser.get(target(posted))
    await stage.expectRefused(response, 'OAuthCallbackError', /user_cancelled_authorize/)
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
})
