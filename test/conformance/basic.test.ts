/**
 * The modules of `oidcc-client-basic-certification-test-plan`, by their names: a relying party with `response_type=code`.
 * The scripted provider answers as the official suite does; the sign-in goes through the routes.
 * `docs/conformance.md` lists which module is tried where.
 */
import { expect } from 'chai'
import { useStage } from '../flows/oauth/stage.js'
import { borrowKeys } from '../support/key-loan.js'
import { publishedRsa, refuse, rsaTwin, useTokens } from './stage.js'

describe('oidcc-client-basic-certification-test-plan', () => {
  const stage = useStage()
  const loan = borrowKeys()
  after(() => loan.giveBack())

  it('oidcc-client-test: signs in with code, state, nonce and PKCE', async () => {
    const request = new URL(await stage.begin())
    const asked = Object.fromEntries(request.searchParams)
    expect(asked).to.include({ response_type: 'code', client_id: 'hostile-client', code_challenge_method: 'S256' })
    expect(asked.scope?.split(' ')).to.include('openid')
    expect(asked.redirect_uri).to.equal(`${stage.app.origin}/auth/callback/test`)
    await stage.expectSignedIn(await stage.browser.get(stage.provider.authorize(request.href)))
    const [exchange] = stage.provider.requests.filter(({ path }) => path === '/token')
    expect(exchange?.body).to.include({ grant_type: 'authorization_code', redirect_uri: asked.redirect_uri })
    expect(exchange?.body.code_verifier).to.match(/^[\w.~-]{43,128}$/)
  })

  it('oidcc-client-test-client-secret-basic: authenticates with the header, and has no secret in the body', async () => {
    await stage.expectSignedIn(await stage.signIn())
    const [exchange] = stage.provider.requests.filter(({ path }) => path === '/token')
    const { clientId, clientSecret } = stage.provider.settings
    const [scheme, given = ''] = exchange?.headers.authorization?.split(' ') ?? []
    expect(scheme).to.equal('Basic')
    const parts = Buffer.from(given, 'base64').toString().split(':').map(decodeURIComponent)
    expect(parts).to.deep.equal([clientId, clientSecret])
    expect(exchange?.body).to.not.have.any.keys('client_secret', 'client_assertion')
  })

  it('oidcc-client-test-scope-userinfo-claims: asks by scope, and gets the claims from the userinfo endpoint', async () => {
    await stage.restart({ idToken: false })
    // As in the suite, the id_token says no more than who it is.
    useTokens(stage, { name: undefined, email: undefined, email_verified: undefined })
    const request = await stage.begin()
    const scopes = new URL(request).searchParams.get('scope')?.split(' ')
    expect(scopes).to.include.members(['openid', 'profile', 'email'])
    await stage.expectSignedIn(await stage.browser.get(stage.provider.authorize(request)))
    expect(await stage.browser.session()).to.nested.include({ 'user.email': 'person@example.com' })
    const [asked] = stage.provider.requests.filter(({ path }) => path === '/userinfo')
    expect(asked?.headers.authorization).to.match(/^Bearer access-/)
    expect([...(asked?.query.keys() ?? [])]).to.deep.equal([])
  })

  it('oidcc-client-test-userinfo-invalid-sub: rejects a userinfo answer about another user', async () => {
    await stage.restart({ idToken: false })
    stage.provider.onUserinfo = () => ({ body: { ...stage.provider.person, sub: 'somebody-else' } })
    await stage.expectRefused(await stage.signIn(), 'OAuthCallbackError', /"sub"/)
    expect(stage.provider.count('/userinfo')).to.equal(1)
  })

  const claims = {
    'oidcc-client-test-invalid-iss': [{ iss: 'https://op.example' }, /"iss"/],
    'oidcc-client-test-missing-sub': [{ sub: undefined }, /"sub"/],
    'oidcc-client-test-invalid-aud': [{ aud: 'another-client' }, /"aud"/],
    'oidcc-client-test-missing-iat': [{ iat: undefined }, /"iat"/],
    'oidcc-client-test-nonce-invalid': [{ nonce: 'of-another-request' }, /"nonce"/],
  } as const
  for (const [module, [changes, reason]] of Object.entries(claims)) {
    it(`${module}: is rejected, and the access token is not used`, async () => {
      // With `idToken: false` a sign-in asks for userinfo, if it gets that far.
      await stage.restart({ idToken: false })
      await refuse(stage, reason, changes)
    })
  }

  it('oidcc-client-test-idtoken-sig-rs256: accepts a token signed with the published key', async () => {
    stage.provider.discovery.id_token_signing_alg_values_supported = ['RS256']
    useTokens(stage, {}, { alg: 'RS256' })
    await stage.expectSignedIn(await stage.signIn())
    expect(stage.provider.count('/jwks')).to.equal(1)
  })

  it('oidcc-client-test-invalid-sig-rs256: rejects a signature by another key of the same name', async () => {
    await stage.restart({ idToken: false })
    await refuse(stage, /signature/, {}, { key: 'stranger', kid: publishedRsa(stage).kid ?? null })
  })

  it('oidcc-client-test-idtoken-sig-none: rejects a token without a signature, though the provider lists `none`', async () => {
    stage.provider.discovery.id_token_signing_alg_values_supported = ['RS256', 'none']
    await stage.restart({ idToken: false })
    await refuse(stage, /unsupported JWS/, {}, { alg: 'none' })
  })

  it('oidcc-client-test-kid-absent-single-jwks: accepts a token that names no key, if there is one', async () => {
    const { kid: _none, ...only } = publishedRsa(stage)
    stage.provider.jwks = { keys: [only] }
    useTokens(stage, {}, { kid: null })
    await stage.expectSignedIn(await stage.signIn())
  })

  it('oidcc-client-test-kid-absent-multiple-jwks: rejects a token that names no key, if several could be meant', async () => {
    stage.provider.jwks.keys.push(await rsaTwin(loan))
    await stage.restart({ idToken: false })
    await refuse(stage, /kid/, {}, { kid: null })
  })
})
