/** Features that need a real provider: signed userinfo, refresh tokens, and an account with all of the token set. */
import { expect } from 'chai'
import type { Account, Profile, ServerAuthConfig } from '../../../lib/index.js'
import type { OIDCConfig } from '../../../lib/types/provider.js'
import { startApp, type TestApp, target } from '../../support/app.js'
import { type OpenIdProvider, type OpenIdProviderOptions, startOpenIdProvider } from '../../support/openid-provider.js'

describe('with a real OpenID provider', () => {
  let provider: OpenIdProvider
  let app: TestApp
  afterEach(async () => {
    await app.close()
    await provider.close()
  })

  interface Seen {
    account?: Account | null
    profile?: Profile
  }
  async function signIn(options: OpenIdProviderOptions, own: Partial<OIDCConfig>) {
    const seen: Seen = {}
    const callbacks: ServerAuthConfig['callbacks'] = {
      signIn: ({ account, profile }) => {
        Object.assign(seen, { account, profile })
        return true
      },
    }
    provider = await startOpenIdProvider(options)
    app = await startApp({
      callbacks,
      providers: [{ id: 'test', name: 'Test', type: 'oidc', ...provider.settings(), ...own }],
    })
    const browser = app.browser()
    const start = await browser.submit('/auth/signin/test')
    const end = await browser.get(await provider.signInAs(target(start), 'alice'))
    return { seen, end, browser }
  }

  it('reads a signed userinfo answer', async () => {
    const metadata = { userinfo_signed_response_alg: 'RS256' as const }
    const { seen, end } = await signIn(
      {
        claimsIn: 'userinfo',
        clients: [{ clientId: 'signed', clientSecret: 'a-client-secret-of-more-than-32-characters', metadata }],
        configuration: { features: { devInteractions: { enabled: false }, jwtUserinfo: { enabled: true } } },
      },
      { idToken: false, client: metadata },
    )
    expect(target(end)).to.equal(`${app.origin}/`)
    expect(seen.profile).to.include({ sub: 'alice-sub', email: 'alice@example.com' })
    expect(app.log.errors).to.deep.equal([])
  })

  it('rejects an unsigned userinfo answer if a signed one is agreed', async () => {
    const { end, browser } = await signIn(
      { claimsIn: 'userinfo' },
      { idToken: false, client: { userinfo_signed_response_alg: 'RS256' } },
    )
    expect(target(end)).to.equal(`${app.origin}/auth/signin?error=OAuthCallbackError`)
    expect(await browser.session()).to.equal(null)
  })

  it('stores refresh token, access token and its expiry in the account', async () => {
    const before = Math.floor(Date.now() / 1000)
    const { seen } = await signIn(
      {},
      { authorization: { params: { scope: 'openid email offline_access', prompt: 'consent' } } },
    )
    const { account } = seen
    expect(account).to.include({ provider: 'test', type: 'oidc', providerAccountId: 'alice-sub', token_type: 'bearer' })
    expect(account?.refresh_token).to.be.a('string').with.length.greaterThan(20)
    expect(account?.access_token).to.be.a('string').with.length.greaterThan(20)
    expect(account?.id_token?.split('.')).to.have.length(3)
    expect(account?.scope?.split(' ')).to.include.members(['openid', 'offline_access'])
    expect(account?.expires_in).to.equal(3600)
    expect(account?.expires_at).to.be.within(before + 3600, before + 3660)
  })

  it('OA-11 keeps all tokens out of the session', async () => {
    const { browser } = await signIn({}, {})
    const session = (await browser.session()) as { user: object }
    expect(Object.keys(session)).to.have.members(['user', 'expires'])
    expect(Object.keys(session.user)).to.have.members(['id', 'name', 'email', 'image'])
  })
})
