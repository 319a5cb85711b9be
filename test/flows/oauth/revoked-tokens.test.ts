/** Tokens that are revoked at the sign-out (RFC 7009). */
import { expect } from 'chai'
import type { OIDCConfig } from '../../../lib/types/provider.js'
import { startOpenIdProvider } from '../../support/openid-provider.js'
import { base, doors, type LogoutStage, locationOf, pathOf, startLogoutStage } from './logout-stage.js'

describe('logout.revokeTokens', () => {
  let stage: LogoutStage
  afterEach(() => stage.close())

  async function signedIn(logout: OIDCConfig['logout'], tokens: object = { refresh_token: 'the-refresh-token' }) {
    stage = await startLogoutStage(doors.express, { logout })
    const { provider, visitor } = stage
    provider.discovery.revocation_endpoint = `${provider.issuer}/revoke`
    provider.routes.set('/revoke', () => ({ status: 200, body: '' }))
    provider.onToken = async (body) => {
      const reply = await provider.tokens(body)
      return { ...reply, body: { ...(reply.body as object), ...tokens } }
    }
    const begun = await visitor.ask(`${base}/signin/test`, { form: { csrfToken: true } })
    await visitor.ask(pathOf(provider.authorize(begun.headers.location ?? '')))
    expect(await stage.session()).to.be.an('object')
  }
  const revoked = () => stage.provider.requests.filter(({ path }) => path === '/revoke')
  /** Waits for the work that continues after the answer. */
  async function settled(isThere: () => boolean) {
    for (let tries = 0; !isThere() && tries < 100; tries += 1) await new Promise((resolve) => setTimeout(resolve, 10))
  }

  it('revokes the refresh token at each sign-out, with the client’s authentication', async () => {
    await signedIn({ revokeTokens: true })
    const answer = await stage.signOut({ callbackUrl: '/bye' })
    expect(locationOf(answer).href).to.equal(`${stage.door.origin}/bye`)
    await settled(() => revoked().length > 0)
    expect(revoked().map(({ body }) => body)).to.deep.equal([
      { token: 'the-refresh-token', token_type_hint: 'refresh_token' },
    ])
    expect(revoked()[0]?.headers.authorization).to.match(/^Basic /)
  })

  it('revokes the access token if there is no other, and if nothing else is sent to the provider', async () => {
    await signedIn({ revokeTokens: true, rpInitiated: 'never' }, {})
    await stage.signOut({ federated: 'true' })
    await settled(() => revoked().length > 0)
    expect(revoked()[0]?.body).to.include({ token_type_hint: 'access_token' })
    expect(revoked()[0]?.body.token).to.match(/^access-/)
  })

  it('is off by default: no token is kept, and none revoked', async () => {
    await signedIn({})
    const kept = stage.visitor.cookies.get('auth.logout')?.length ?? 0
    await stage.signOut({ federated: 'true' })
    expect(revoked()).to.deep.equal([])
    await stage.close()
    await signedIn({ revokeTokens: true })
    expect(stage.visitor.cookies.get('auth.logout')?.length).to.be.greaterThan(kept)
  })

  it('signs out all the same if the provider rejects, and warns without the token', async () => {
    await signedIn({ revokeTokens: true })
    stage.provider.routes.set('/revoke', ({ body }) => ({ status: 400, body: { error: `bad ${body.token}` } }))
    await stage.signOut()
    expect(await stage.session()).to.equal(null)
    const { warnings } = stage.door.log
    await settled(() => warnings.length > 0)
    expect(warnings.map(({ code }) => code)).to.deep.equal(['tokens-not-revoked'])
    expect(JSON.stringify(stage.door.log)).to.not.include('the-refresh-token')
  })

  it('warns if the tokens are too long to be stored', async () => {
    await signedIn({ revokeTokens: true }, { refresh_token: 'x'.repeat(4000) })
    expect(stage.visitor.cookies.get('auth.logout')?.length).to.be.within(100, 3072)
    expect(stage.door.log.warnings.map(({ code }) => code)).to.deep.equal(['tokens-not-revoked'])
  })

  it('warns if the provider has no endpoint for it', async () => {
    // A site of its own: each is warned once.
    const config = { secret: 'another-test-secret-of-more-than-32-characters' }
    stage = await startLogoutStage(doors.express, { logout: { revokeTokens: true } }, config)
    await stage.signIn()
    expect(await stage.session()).to.be.an('object')
    expect(stage.door.log.warnings.map(({ code }) => code)).to.deep.equal(['tokens-not-revoked'])
  })

  it('works with oidc-provider: the refresh token is invalid afterwards', async () => {
    const real = await startOpenIdProvider()
    const tokens: string[] = []
    stage = await startLogoutStage(
      doors.express,
      {
        ...real.settings(),
        logout: { revokeTokens: true },
        authorization: { params: { scope: 'openid offline_access', prompt: 'consent' } },
      },
      { events: { signIn: ({ account }) => void tokens.push(account?.refresh_token ?? '') } },
    )
    const { visitor } = stage
    const begun = await visitor.ask(`${base}/signin/test`, { form: { csrfToken: true } })
    await visitor.ask(pathOf(await real.signInAs(begun.headers.location ?? '', 'alice')))
    const { clientId, clientSecret = '' } = real.settings()
    const refresh = () =>
      fetch(`${real.issuer}/token`, {
        method: 'POST',
        headers: { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` },
        body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: tokens[0] ?? '' }),
      })
    expect((await refresh()).status).to.equal(200)
    await stage.signOut()
    await settled(() => real.count('/token/revocation') > 0)
    expect((await refresh()).status).to.equal(400)
    await real.close()
  })
})
