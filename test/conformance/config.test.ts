/**
 * The modules of `oidcc-client-config-certification-test-plan`, by their names: a relying party that reads what the provider
 * publishes. `docs/conformance.md` lists which module is tried where.
 */
import { expect } from 'chai'
import { useStage } from '../flows/oauth/stage.js'
import { target } from '../support/app.js'
import { advanceClock } from '../support/clock.js'
import { refuse } from './stage.js'

describe('oidcc-client-config-certification-test-plan', () => {
  const stage = useStage()

  it('oidcc-client-test-discovery-openid-config: reads the metadata, and goes to the endpoints that they name', async () => {
    const { issuer } = stage.provider
    stage.provider.discovery.authorization_endpoint = `${issuer}/of-the-metadata`
    const request = new URL(await stage.begin())
    expect(request.pathname).to.equal('/of-the-metadata')
    expect(stage.provider.requests.map(({ path }) => path)).to.deep.equal(['/.well-known/openid-configuration'])
  })

  it('oidcc-client-test-discovery-jwks-uri-keys: fetches the keys from where the metadata say', async () => {
    const { issuer } = stage.provider
    stage.provider.discovery.jwks_uri = `${issuer}/keys-of-today`
    stage.provider.routes.set('/keys-of-today', () => ({ body: stage.provider.jwks }))
    await stage.expectSignedIn(await stage.signIn())
    expect([stage.provider.count('/keys-of-today'), stage.provider.count('/jwks')]).to.deep.equal([1, 0])
  })

  it('oidcc-client-test-discovery-issuer-mismatch: redirects to no provider whose metadata are of another issuer', async () => {
    stage.provider.discovery.issuer = `${stage.provider.issuer}/invalid`
    const answer = await stage.browser.submit('/auth/signin/test', { callbackUrl: '/welcome' })
    expect(target(answer)).to.include(`${stage.app.origin}/auth/signin?error=OAuthSignInError`)
    expect(stage.lastFault()).to.match(/issuer/)
    expect(stage.provider.requests.map(({ path }) => path)).to.deep.equal(['/.well-known/openid-configuration'])
    expect(await stage.browser.session()).to.equal(null)
  })

  it('oidcc-client-test-idtoken-sig-none: rejects a token without a signature', async () => {
    stage.provider.discovery.id_token_signing_alg_values_supported = ['none']
    await refuse(stage, /unsupported JWS/, {}, { alg: 'none' })
  })

  it('oidcc-client-test-signing-key-rotation: a second sign-in works with keys that were replaced after the first', async () => {
    await stage.expectSignedIn(await stage.signIn())
    await stage.provider.rotateKeys()
    // Keys are requested again at most every half minute.
    advanceClock(31)
    stage.newBrowser()
    await stage.expectSignedIn(await stage.signIn())
    expect(stage.provider.count('/jwks')).to.equal(2)
  })

  it('oidcc-client-test-signing-key-rotation-just-before-signing: accepts keys that are replaced while the user is at the provider', async () => {
    await stage.expectSignedIn(await stage.signIn())
    advanceClock(31)
    stage.newBrowser()
    const request = await stage.begin()
    stage.provider.onToken = async (body) => {
      await stage.provider.rotateKeys()
      return stage.provider.tokens(body)
    }
    await stage.expectSignedIn(await stage.browser.get(stage.provider.authorize(request)))
    expect(stage.provider.count('/jwks')).to.equal(2)
  })
})
