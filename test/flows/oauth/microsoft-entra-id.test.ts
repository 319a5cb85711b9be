/** Microsoft's shared endpoints, whose issuer is `https://login.microsoftonline.com/{tenantid}/v2.0`. Nothing leaves the machine. */
import { expect } from 'chai'
import MicrosoftEntraID from '../../../lib/providers/microsoft-entra-id.js'
import { customFetch } from '../../../lib/types/symbols.js'
import { target } from '../../support/app.js'
import { useStage } from './stage.js'

const microsoft = 'https://login.microsoftonline.com'
const [tenant, otherTenant] = ['9188040d-6c67-4c5b-b112-36a304b66dad', '72f988bf-86f1-41af-91ab-2d7cd011db47']
const issuerOf = (id: string) => `${microsoft}/${id}/v2.0`

describe('Microsoft Entra ID with a shared endpoint', () => {
  const stage = useStage()
  const asked: string[] = []
  /** Changes to the claims of the next id_token, and to the discovery document. */
  const next = { claims: {}, document: {}, nonce: '' }

  async function fakeMicrosoft(input: string | URL | Request): Promise<Response> {
    const url = String(input)
    asked.push(url)
    const shared = {
      issuer: issuerOf('{tenantid}'),
      authorization_endpoint: `${microsoft}/common/oauth2/v2.0/authorize`,
      token_endpoint: `${microsoft}/common/oauth2/v2.0/token`,
      jwks_uri: `${microsoft}/common/discovery/v2.0/keys`,
      response_types_supported: ['code'],
      id_token_signing_alg_values_supported: ['RS256'],
    }
    if (url.endsWith('/.well-known/openid-configuration')) return Response.json({ ...shared, ...next.document })
    if (url.endsWith('/keys')) return Response.json(stage.provider.jwks)
    if (!url.endsWith('/token')) return new Response(null, { status: 404 })
    const now = Math.floor(Date.now() / 1000)
    const good = { iss: issuerOf(tenant), tid: tenant, aud: 'entra-client', iat: now, exp: now + 300, sub: 'sub-1' }
    const claims = { ...good, nonce: next.nonce, name: 'Tess Tenant', ...next.claims }
    return Response.json({
      access_token: 'entra-access',
      token_type: 'Bearer',
      id_token: await stage.provider.signIdToken(claims),
    })
  }

  async function start(issuer?: string) {
    const options = {
      clientId: 'entra-client',
      clientSecret: 'entra-secret',
      [customFetch]: fakeMicrosoft as typeof fetch,
    }
    await stage.restart({}, { providers: [MicrosoftEntraID({ ...options, ...(issuer !== undefined && { issuer }) })] })
  }

  beforeEach(async () => {
    asked.length = 0
    Object.assign(next, { claims: {}, document: {}, nonce: '' })
    await start()
  })

  async function signIn(claims: object = {}) {
    const { searchParams } = new URL(await stage.begin('microsoft-entra-id'))
    Object.assign(next, { claims, nonce: searchParams.get('nonce') })
    const answer = new URLSearchParams({ code: 'entra-code', state: searchParams.get('state') ?? '' })
    return stage.browser.get(`${stage.app.origin}/auth/callback/microsoft-entra-id?${answer}`)
  }

  it('signs in users of any tenant, each by the token of that tenant', async () => {
    for (const id of [tenant, otherTenant]) {
      stage.newBrowser()
      await stage.expectSignedIn(await signIn({ iss: issuerOf(id), tid: id }))
    }
    expect(stage.signedIn.map(({ account }) => account?.provider)).to.deep.equal(Array(2).fill('microsoft-entra-id'))
    expect(stage.signedIn[0]?.user.name).to.equal('Tess Tenant')
  })

  it('requests discovery and keys once', async () => {
    await stage.expectSignedIn(await signIn())
    expect(asked.map((url) => url.slice(microsoft.length))).to.deep.equal([
      '/common/v2.0/.well-known/openid-configuration',
      '/common/oauth2/v2.0/token',
      '/common/discovery/v2.0/keys',
    ])
    asked.length = 0
    stage.newBrowser()
    await stage.expectSignedIn(await signIn())
    expect(asked).to.have.length(1)
  })

  for (const [what, claims, reason] of [
    ['the issuer of another tenant than its tid', { tid: otherTenant }, /"iss"/],
    ['a tid of another tenant than its issuer', { iss: issuerOf(otherTenant) }, /"iss"/],
    ['no tid', { tid: undefined }, /"iss"/],
    ['a tid that leads to another path', { tid: `${tenant}/../x`, iss: issuerOf(tenant) }, /"iss"/],
    ['the template itself for an issuer', { iss: issuerOf('{tenantid}') }, /"iss"/],
    ['an issuer of another host', { iss: `https://evil.test/${tenant}/v2.0` }, /"iss"/],
  ] as const) {
    it(`rejects a token with ${what}`, async () => {
      await stage.expectRefused(await signIn(claims), 'OAuthCallbackError', reason)
    })
  }

  it('of one tenant only accepts no other', async () => {
    next.document = { issuer: issuerOf(tenant) }
    await start(issuerOf(tenant))
    await stage.expectSignedIn(await signIn())
    stage.newBrowser()
    await start(issuerOf(tenant))
    const response = await signIn({ iss: issuerOf(otherTenant), tid: otherTenant })
    await stage.expectRefused(response, 'OAuthCallbackError', /"iss"/)
  })

  it('is the only host whose issuer may have a placeholder', async () => {
    next.document = { issuer: 'https://evil.test/{tenantid}/v2.0' }
    for (const issuer of ['https://evil.test/common/v2.0', undefined]) {
      await start(issuer)
      const response = await stage.browser.submit('/auth/signin/microsoft-entra-id')
      expect(target(response)).to.equal(`${stage.app.origin}/auth/signin?error=OAuthSignInError`)
      expect(stage.lastFault()).to.match(/does not name the configured issuer/)
    }
  })
})
