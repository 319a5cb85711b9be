/**
 * Modules of `oidcc-client-test-plan` for `response_type=code` that are in no plan of a certification. The names are those of the
 * official suite; `docs/conformance.md` lists which module is tried where.
 */
import { expect } from 'chai'
import { useStage } from '../flows/oauth/stage.js'
import { target } from '../support/app.js'
import { publishedRsa, refuse, useTokens } from './stage.js'

describe('oidcc-client-test-plan, modules of no certification', () => {
  const stage = useStage({ idToken: false })

  it('oidcc-client-test-missing-aud: rejects an id_token without an audience', async () => {
    await refuse(stage, /"aud"/, { aud: undefined })
  })

  it('oidcc-client-test-invalid-sig-es256: rejects a signature by another key of the same name', async () => {
    await stage.restart({ client: { id_token_signed_response_alg: 'ES256' } })
    const kid = stage.provider.jwks.keys.find(({ kty }) => kty === 'EC')?.kid ?? ''
    await refuse(stage, /signature/, {}, { alg: 'ES256', key: 'stranger', kid })
  })

  it('oidcc-client-test-invalid-sig-hs256: rejects a signature by another secret', async () => {
    stage.provider.discovery.id_token_signing_alg_values_supported = ['RS256', 'HS256']
    await stage.restart({ client: { id_token_signed_response_alg: 'HS256' } })
    await refuse(stage, /signature/, {}, { alg: 'HS256', secret: 'another-secret-of-at-least-32-characters' })
    stage.provider.requests.length = 0
    await stage.restart({ client: { id_token_signed_response_alg: 'HS256' } })
    useTokens(stage, {}, { alg: 'HS256' })
    await stage.expectSignedIn(await stage.signIn())
  })

  it('oidcc-client-test-userinfo-bearer-header: the access token goes to the userinfo endpoint in the header alone', async () => {
    await stage.expectSignedIn(await stage.signIn())
    const [asked] = stage.provider.requests.filter(({ path }) => path === '/userinfo')
    expect(asked?.headers.authorization).to.match(/^Bearer access-/)
    expect([asked?.method, [...(asked?.query.keys() ?? [])], asked?.body]).to.deep.equal(['GET', [], {}])
  })

  it('oidcc-client-test-userinfo-signed: accepts a userinfo answer that is signed', async () => {
    await stage.restart({ client: { userinfo_signed_response_alg: 'RS256' } })
    const { issuer, person } = stage.provider
    stage.provider.onUserinfo = async () => ({
      headers: { 'content-type': 'application/jwt' },
      body: await stage.provider.signIdToken(
        { ...person, iss: issuer, aud: 'hostile-client', name: 'By a signed answer' },
        { kid: publishedRsa(stage).kid ?? null },
      ),
    })
    await stage.expectSignedIn(await stage.signIn())
    expect(stage.signedIn[0]?.user.name).to.equal('By a signed answer')
  })

  it('oidcc-client-test-form-post-error: shows an error that comes as a POST', async () => {
    const params = { scope: 'openid', response_mode: 'form_post', max_age: 0, prompt: 'none' }
    await stage.restart({ authorization: { params } })
    const asked = new URL(await stage.begin()).searchParams
    expect(Object.fromEntries(asked)).to.include({ response_mode: 'form_post', max_age: '0', prompt: 'none' })
    const fields = { error: 'login_required', state: asked.get('state'), iss: stage.provider.issuer }
    // The provider's page posts it, so the browser does not send our cookies.
    const posted = await stage.app.browser().post('/auth/callback/test', fields, { 'sec-fetch-site': 'cross-site' })
    expect(posted.status).to.equal(303)
    await stage.expectRefused(await stage.browser.get(target(posted)), 'OAuthCallbackError', /login_required/)
    expect(stage.provider.count('/token')).to.equal(0)
  })
})
